// @ts-check
/** The code of the day of each game: one try today, and the code of yesterday. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readDaily, tryDaily } from "../net/http.js";
import { codePath, go, playPath, playerPath, watchPath } from "../route.js";
import { number, t, timeOfDay } from "../texts/index.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";
import { scoreText } from "./score.js";

/** So many of yesterday's best are shown. */
const SHOWN = 10;

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
    const [first] = this.games;
    return html`<h2>${t().daily}</h2>
      <p class="quiet">${t().dailyHint} ${first ? t().dailyUntil(timeOfDay(first.ends_at)) : nothing}</p>
      <p role="alert" class="refusal">${this.trouble}</p>
      <ul class="races">${this.games.map((day) => this.row(day))}</ul>`;
  }

  /** @param {any} day a game of `GET /api/daily` */
  row({ game, yesterday, try: tried, ranked }) {
    const letters = game.slice(0, 2);
    const name = t().games[letters] ?? game;
    return html`<li data-daily=${letters}>
      <span class="what"
        ><strong>${name}</strong> <span class="quiet">${gameText(game).replace(`${name} · `, "")}</span><br /><span class="quiet"
          >${tried?.started ? html`${t().dailyTried}: ${scoreText(game, tried.score ?? 0)} · ${t().seatStatus[tried.status] ?? ""}` : ranked ? t().dailyRanked : t().dailyUnranked}</span
        ></span
      >
      <button type="button" aria-label=${`${t().daily}: ${name}`} @click=${() => this.race(game)}>${tried ? t().dailyOpen : t().dailyTry}</button>
      ${yesterdayTable(game, name, yesterday)}
    </li>`;
  }
}

/**
 * @param {string} game
 * @param {string} name
 * @param {any} yesterday its code, how many tries counted, and the best of them
 */
function yesterdayTable(game, name, { code, ranked, table }) {
  return html`<details class="yesterday">
    <summary>${t().yesterday}: ${t().tries(number(ranked))}<span class="unseen">, ${name}</span></summary>
    <p><a class="code" href=${codePath(code)}>${code}</a></p>
    ${table.length === 0
      ? nothing
      : html`<table class="standings">
          <thead>
            <tr><th scope="col">${t().rank}</th><th scope="col">${t().player}</th><th scope="col">${t().score}</th><th scope="col">${t().moves}</th></tr>
          </thead>
          <tbody>
            ${table.slice(0, SHOWN).map(
              (/** @type {any} */ one) => html`<tr>
                <td>${number(one.rank)}</td>
                <th scope="row"><a href=${playerPath(one.player)}>${one.name}</a></th>
                <td><a href=${watchPath(one.race)}>${scoreText(game, one.score)}</a></td>
                <td>${number(one.moves)}</td>
              </tr>`,
            )}
          </tbody>
        </table>`}
  </details>`;
}

customElements.define("fd-daily", Daily);
