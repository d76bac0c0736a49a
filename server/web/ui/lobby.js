// @ts-check
/** The lobby: race at once, play a code, make a race, see what is going on. */

import { html } from "../vendor/lit/lit-element.js";
import { ladderPath } from "../route.js";
import { t } from "../texts/index.js";
import { cardFace } from "./card.js";
import "./create.js";
import "./daily.js";
import { LightElement } from "./element.js";
import "./enter.js";
import "./featured.js";
import "./own.js";
import "./quick.js";
import "./races.js";

/** What the fan beside the greeting shows. */
const FAN = ["AS", "KH", "QC", "JD"];

class Lobby extends LightElement {
  static properties = { code: { type: String }, language: { type: String } };

  constructor() {
    super();
    this.code = "";
    this.language = "";
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    // Who comes with a code in hand has come to make a race on it.
    if (changed.has("code") && this.code) this.showForm();
  }

  async showForm() {
    const form = /** @type {import("../vendor/lit/lit-element.js").LitElement | null} */ (this.querySelector("fd-create"));
    await form?.updateComplete;
    form?.scrollIntoView({ block: "center" });
  }

  render() {
    const { language } = this;
    document.title = "Fairdeal";
    return html`<div class="lobby">
      <section class="hero">
        <div class="greeting">
          <h1>${t().tagline}</h1>
          <p>${t().pitch}</p>
          <div class="fan" aria-hidden="true">${FAN.map((card) => html`<span>${cardFace(card)}</span>`)}</div>
        </div>
        <div class="panel"><fd-quick .language=${language}></fd-quick></div>
        <div class="panel"><fd-enter .language=${language}></fd-enter></div>
      </section>
      <div class="stack">
        <fd-own .language=${language}></fd-own>
        <section class="panel"><fd-daily .language=${language}></fd-daily></section>
        <fd-featured .language=${language}></fd-featured>
        <section class="panel"><fd-races status="open" .limit=${6} .language=${language}></fd-races></section>
        <section class="panel"><fd-races status="live" .limit=${6} .language=${language}></fd-races></section>
      </div>
      <div class="stack">
        <section class="panel"><fd-create .code=${this.code} .language=${language}></fd-create></section>
        <section class="panel">
          <h2>${t().ladders}</h2>
          <p class="quiet">${t().ladderHint}</p>
          <div class="actions">
            <a class="button" href=${ladderPath("GO1-E-people")}>${t().games.GO}</a>
            <a class="button" href=${ladderPath("DS1-D1N-people")}>${t().games.DS}</a>
          </div>
        </section>
      </div>
    </div>`;
  }
}

customElements.define("fd-lobby", Lobby);
