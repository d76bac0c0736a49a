// @ts-check
/** The lobby: make a race, join one, see what is going on. */

import { html } from "../vendor/lit/lit-element.js";
import { go, placeTyped } from "../route.js";
import { t } from "../texts/index.js";
import "./create.js";
import "./daily.js";
import { LightElement } from "./element.js";
import "./quick.js";
import "./races.js";

class Lobby extends LightElement {
  static properties = { code: { type: String }, language: { type: String }, badLink: { state: true } };

  constructor() {
    super();
    this.code = "";
    this.language = "";
    this.badLink = false;
  }

  /** @param {SubmitEvent} event */
  join(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const path = placeTyped(String(new FormData(form).get("race")));
    this.badLink = path === undefined;
    if (path) go(path);
  }

  render() {
    document.title = "Fairdeal";
    return html`<p class="tagline">${t().tagline}</p>
      <div class="lobby">
        <section class="panel"><fd-create .code=${this.code} .language=${this.language}></fd-create></section>
        <div class="stack">
          <section class="panel"><fd-quick .language=${this.language}></fd-quick></section>
          <section class="panel"><fd-daily .language=${this.language}></fd-daily></section>
          <section class="panel">
            <h2>${t().joinRace}</h2>
            <form class="line" @submit=${this.join}>
              <label class="grow"><span>${t().joinHint}</span><input name="race" required autocomplete="off" spellcheck="false" /></label>
              <button type="submit">${t().join}</button>
            </form>
            <p role="alert" class="refusal">${this.badLink ? t().badLink : ""}</p>
          </section>
          <section class="panel"><fd-races status="open" .language=${this.language}></fd-races></section>
          <section class="panel"><fd-races status="live" .language=${this.language}></fd-races></section>
        </div>
      </div>`;
  }
}

customElements.define("fd-lobby", Lobby);
