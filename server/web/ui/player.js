// @ts-check
/** The page of one player: the name, and the races. */

import { html } from "../vendor/lit/lit-element.js";
import { readPlayer } from "../net/http.js";
import { ladderPath } from "../route.js";
import { number, t } from "../texts/index.js";
import { LightElement } from "./element.js";
import "./races.js";

class PlayerPage extends LightElement {
  static properties = { player: { type: String }, language: { type: String }, name: { state: true }, ratings: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.player = "";
    this.language = "";
    this.name = "";
    /** By pool. @type {Record<string, any>} */
    this.ratings = {};
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("player")) this.load();
  }

  async load() {
    try {
      ({ name: this.name, ratings: this.ratings } = await readPlayer(this.player));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    document.title = `${this.name || t().playerPage} · Fairdeal`;
    return html`<section class="panel">
      <h1>${this.name || t().playerPage}</h1>
      <p role="alert" class="refusal">${this.trouble}</p>
      ${Object.entries(this.ratings).map(
        ([pool, { rating, provisional, races }]) => html`<p class="rating">
          <a class="code" href=${ladderPath(pool)}>${pool}</a> ${t().rating}: <b>${number(Math.round(rating))}</b>${provisional ? ` (${t().provisional})` : ""} ·
          ${t().theirRaces}: ${number(races)}
        </p>`,
      )}
      <fd-races .player=${this.player} .language=${this.language}></fd-races>
    </section>`;
  }
}

customElements.define("fd-player", PlayerPage);
