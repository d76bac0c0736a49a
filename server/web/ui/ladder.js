// @ts-check
/** The page of one ladder: who is rated how in a pool, and the way to the other ladders. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readLadder, readLadders } from "../net/http.js";
import { ladderPath, playerPath } from "../route.js";
import { number, t } from "../texts/index.js";
import { LightElement } from "./element.js";

class LadderPage extends LightElement {
  static properties = { pool: { type: String }, language: { type: String }, ladder: { state: true }, all: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.pool = "";
    this.language = "";
    /** @type {any} */
    this.ladder = undefined;
    /** @type {any[]} */
    this.all = [];
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("pool")) this.load();
  }

  async load() {
    this.ladder = undefined;
    this.trouble = "";
    try {
      [this.ladder, { ladders: this.all }] = await Promise.all([readLadder(this.pool), readLadders()]);
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    document.title = `${t().ladder} ${this.pool} · Fairdeal`;
    return html`<section class="panel">
      <h1>${t().ladder} <span class="code">${this.pool}</span></h1>
      <p class="quiet">${t().ladderHint}</p>
      <p role="alert" class="refusal">${this.trouble}</p>
      ${this.ladder ? ladderTable(this.ladder.rows) : nothing}
      <nav aria-label=${t().ladders}>
        ${this.all.map(({ pool, size }) => html`<p><a class="code" href=${ladderPath(pool)}>${pool}</a> (${number(size)})</p>`)}
      </nav>
    </section>`;
  }
}

/** @param {any[]} rows as `GET /api/ladders/{pool}` gives them */
function ladderTable(rows) {
  if (rows.length === 0) return html`<p class="quiet">${t().ladderEmpty}</p>`;
  return html`<table class="standings">
    <thead>
      <tr><th scope="col">${t().rank}</th><th scope="col">${t().player}</th><th scope="col">${t().rating}</th><th scope="col">${t().theirRaces}</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ rank, player, name, rating, races }) => html`<tr>
          <td>${number(rank)}</td>
          <th scope="row"><a href=${playerPath(player)}>${name}</a></th>
          <td>${number(Math.round(rating))}</td>
          <td>${number(races)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

customElements.define("fd-ladder", LadderPage);
