// @ts-check
/** The page: its frame, and which part is shown for which address. */

import { go, readRoute } from "./route.js";
import { LANGUAGES, choose, language, t } from "./texts/index.js";
import { LightElement } from "./ui/element.js";
import "./ui/code.js";
import "./ui/ladder.js";
import "./ui/lobby.js";
import "./ui/player.js";
import "./ui/race.js";
import { html } from "./vendor/lit/lit-element.js";

class App extends LightElement {
  static properties = { route: { state: true }, language: { state: true } };

  constructor() {
    super();
    this.route = readRoute(location);
    this.language = language();
    this.moved = () => {
      this.route = readRoute(location);
    };
    this.addEventListener("click", (event) => this.follow(event));
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", this.moved);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("popstate", this.moved);
  }

  /**
   * Links within the page do not load it anew.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.target || link.download) return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.pathname + link.search);
  }

  /** @param {Event} event */
  chooseLanguage(event) {
    choose(/** @type {HTMLSelectElement} */ (event.target).value);
    this.language = language();
  }

  render() {
    document.documentElement.lang = this.language;
    return html`<header class="top">
        <a class="brand" href="/">Fairdeal</a>
        <nav><a href="/">${t().lobby}</a> <a href="/l/GO1-E-people">${t().ladders}</a></nav>
        <label class="language"
          ><span class="unseen">${t().language}</span>
          <select @change=${this.chooseLanguage}>
            ${LANGUAGES.map(([tag, name]) => html`<option value=${tag} lang=${tag} ?selected=${tag === this.language}>${name}</option>`)}
          </select></label
        >
      </header>
      <main>${this.shown()}</main>`;
  }

  shown() {
    const { route, language: lang } = this;
    switch (route.page) {
      case "lobby":
        return html`<fd-lobby .code=${route.code} .language=${lang}></fd-lobby>`;
      case "play":
        return html`<fd-race .race=${route.race} .as=${"seat"} .language=${lang}></fd-race>`;
      case "watch":
        return html`<fd-race .race=${route.race} .as=${"watch"} .language=${lang}></fd-race>`;
      case "code":
        return html`<fd-code .code=${route.code} .language=${lang}></fd-code>`;
      case "player":
        return html`<fd-player .player=${route.player} .language=${lang}></fd-player>`;
      case "ladder":
        return html`<fd-ladder .pool=${route.pool} .language=${lang}></fd-ladder>`;
      default:
        return html`<p class="notice">${t().notFound}</p>`;
    }
  }
}

customElements.define("fd-app", App);
