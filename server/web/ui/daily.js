// @ts-check
/** The code of the day of each game: one try today, and the code of yesterday. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readDaily, tryDaily } from "../net/http.js";
import { codePath, go, playPath } from "../route.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

class Daily extends LightElement {
  static properties = { language: { type: String }, games: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.language = "";
    /** @type {any[]} */
    this.games = [];
    this.trouble = "";
  }

  connectedCallback() {
    super.connectedCallback();
    this.attempt(async () => {
      this.games = (await readDaily()).games;
    });
  }

  /** @param {string} game */
  race(game) {
    this.attempt(async () => go(playPath((await tryDaily(game)).race)));
  }

  /** @param {() => Promise<void>} call */
  async attempt(call) {
    try {
      await call();
      this.trouble = "";
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    return html`<h2>${t().daily}</h2>
      <p class="quiet">${t().dailyHint}</p>
      <p role="alert" class="refusal">${this.trouble}</p>
      <ul class="races">${this.games.map((day) => this.row(day))}</ul>`;
  }

  /** @param {any} day a game of `GET /api/daily` */
  row({ game, yesterday, try: tried }) {
    const letters = game.slice(0, 2);
    const name = t().games[letters] ?? game;
    return html`<li data-daily=${letters}>
      <span class="what"
        ><strong>${name}</strong><br /><span class="quiet">${t().yesterday}: <a class="code" href=${codePath(yesterday.code)}>${yesterday.code}</a></span></span
      >
      ${tried ? html`<span class="quiet">${tried.started ? t().dailyTried : nothing}</span>` : nothing}
      <button type="button" aria-label=${`${t().daily}: ${name}`} @click=${() => this.race(game)}>${tried ? t().dailyOpen : t().dailyTry}</button>
    </li>`;
  }
}

customElements.define("fd-daily", Daily);
