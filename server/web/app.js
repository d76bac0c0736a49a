// @ts-check
/** The page: its frame, and which part is shown for which address. */

import { ACCOUNT, go, ladderPath, readRoute, rulesPath } from "./route.js";
import { ownName } from "./store/player.js";
import { LANGUAGES, choose, language, t } from "./texts/index.js";
import { LightElement } from "./ui/element.js";
import { html, nothing } from "./vendor/lit/lit-element.js";

/** @typedef {import("./route.js").Route} Route */

/** The module of each part, loaded when it is first shown. `server/http/pages.py` has the browser ask for it earlier. */
const PARTS = {
  lobby: () => import("./ui/lobby.js"),
  play: () => import("./ui/race.js"),
  watch: () => import("./ui/race.js"),
  replay: () => import("./ui/replay.js"),
  code: () => import("./ui/code.js"),
  player: () => import("./ui/player.js"),
  ladder: () => import("./ui/ladder.js"),
  rules: () => import("./ui/rules/page.js"),
  account: () => import("./ui/account.js"),
};

class App extends LightElement {
  static properties = { route: { state: true }, language: { state: true }, name: { state: true }, broken: { state: true } };

  constructor() {
    super();
    this.route = readRoute(location);
    this.language = language();
    this.name = ownName();
    /** Whether the part to be shown could not be loaded. */
    this.broken = false;
    this.moved = () => this.show(readRoute(location));
    this.renamed = () => {
      this.name = ownName();
    };
    this.addEventListener("click", (event) => this.follow(event));
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", this.moved);
    addEventListener("fd-name", this.renamed);
    this.load();
    import("./ui/challenges.js").catch(reportError);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("popstate", this.moved);
    removeEventListener("fd-name", this.renamed);
  }

  /** @param {Route} route */
  show(route) {
    if (JSON.stringify(route) === JSON.stringify(this.route)) return;
    this.route = route;
    this.load();
    // Who reads by ear or moves by keys begins at the top of what has come, not where the old link was.
    this.updateComplete.then(() => {
      scrollTo(0, 0);
      this.querySelector("main")?.focus({ preventScroll: true });
    });
  }

  async load() {
    const { page } = this.route;
    try {
      if (page !== "unknown") await PARTS[page]();
      this.broken = false;
    } catch (error) {
      this.broken = true;
      reportError(error);
    }
  }

  /**
   * Links within the page do not load it anew.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.target || link.download) return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // A place on the same page, the browser finds by itself; so it does with what is none of the page's addresses.
    if (link.hash || readRoute(new URL(link.href)).page === "unknown") return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (this.querySelector("#menu:popover-open"))?.hidePopover();
    go(link.pathname + link.search);
  }

  /** @param {Event} event */
  chooseLanguage(event) {
    choose(/** @type {HTMLSelectElement} */ (event.target).value);
    this.language = language();
  }

  render() {
    document.documentElement.lang = this.language;
    return html`<a class="skip" href="#main">${t().skip}</a>
      <header class="top">
        <a class="brand" href="/"><span class="mark" aria-hidden="true"></span>Fairdeal</a>
        <nav id="menu" popover aria-label=${t().menu}>
          ${this.entry("/", t().lobby, ["lobby"])} ${this.entry(rulesPath("golf"), t().rulesPage, ["rules"])}
          ${this.entry(ladderPath("GO1-E-people"), t().ladders, ["ladder"])} ${this.entry(ACCOUNT, this.name || t().account, ["account"])}
        </nav>
        <label class="language"
          ><span class="unseen">${t().language}</span>
          <select @change=${this.chooseLanguage}>
            ${LANGUAGES.map(([tag, name]) => html`<option value=${tag} lang=${tag} ?selected=${tag === this.language}>${name}</option>`)}
          </select></label
        >
        <button type="button" class="burger" popovertarget="menu" aria-label=${t().menu}></button>
      </header>
      <fd-challenges .page=${this.route.page} .race=${"race" in this.route ? this.route.race : ""} .language=${this.language}></fd-challenges>
      <main id="main" tabindex="-1">${this.broken ? this.brokenNotice() : this.shown()}</main>`;
  }

  /**
   * @param {string} path
   * @param {string} name
   * @param {string[]} pages whose entry it is
   */
  entry(path, name, pages) {
    return html`<a href=${path} aria-current=${pages.includes(this.route.page) ? "page" : nothing}>${name}</a>`;
  }

  brokenNotice() {
    return html`<section class="panel">
      <h1>${t().partMissing}</h1>
      <p><button type="button" @click=${() => location.reload()}>${t().reload}</button></p>
    </section>`;
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
      case "replay":
        return html`<fd-replay .race=${route.race} .language=${lang}></fd-replay>`;
      case "code":
        return html`<fd-code .code=${route.code} .language=${lang}></fd-code>`;
      case "player":
        return html`<fd-player .player=${route.player} .language=${lang}></fd-player>`;
      case "ladder":
        return html`<fd-ladder .pool=${route.pool} .language=${lang}></fd-ladder>`;
      case "rules":
        return html`<fd-rules .about=${route.about} .language=${lang}></fd-rules>`;
      case "account":
        return html`<fd-account .link=${route.link} .language=${lang}></fd-account>`;
      default:
        return html`<section class="panel">
          <h1>${t().notFound}</h1>
          <p><a class="button" href="/">${t().lobby}</a></p>
        </section>`;
    }
  }
}

customElements.define("fd-app", App);
