// @ts-check
/** The page of one player: the name, the ratings, the results. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { CallRefused, readPlayer } from "../net/http.js";
import { ACCOUNT, codePath, ladderPath, watchPath } from "../route.js";
import { ownName, playerId } from "../store/player.js";
import { moment, number, t } from "../texts/index.js";
import { nameOf } from "../texts/names.js";
import { clockFace } from "./countdown.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";
import { poolText } from "./ladder.js";
import { scoreText } from "./score.js";

class PlayerPage extends LightElement {
  static properties = { player: { type: String }, language: { type: String }, challenging: { state: true }, found: { state: true }, results: { state: true }, cursor: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.player = "";
    this.language = "";
    this.challenging = false;
    /** What `GET /api/players/{player}` says. @type {any} */
    this.found = undefined;
    /** As far as they are loaded, newest first. @type {any[]} */
    this.results = [];
    /** Where older ones begin. @type {number | undefined} */
    this.cursor = undefined;
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("player")) return;
    this.found = undefined;
    this.results = [];
    this.cursor = undefined;
    this.challenging = false;
    this.load();
  }

  async load() {
    const { player } = this;
    try {
      this.trouble = "";
      const found = await readPlayer(player, this.cursor);
      if (player !== this.player) return;
      this.found = found;
      this.results = [...this.results, ...found.results];
      this.cursor = found.cursor;
    } catch (error) {
      if (player !== this.player) return;
      // Who has just come has no races yet.
      const unheard = error instanceof CallRefused && error.status === 404;
      if (unheard && player === playerId()) this.found = { name: ownName(), ratings: {} };
      else if (unheard) this.trouble = t().noPlayer;
      else this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    const { found } = this;
    const name = (found && nameOf(found)) || t().playerPage;
    const own = this.player === playerId();
    document.title = `${name} · Fairdeal`;
    return html`<div class="stack">
      <section class="panel">
        <h1>${name} ${found?.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing} ${own ? html`<span class="tag">${t().you}</span>` : nothing}</h1>
        ${own ? html`<p><a class="button second" href=${ACCOUNT}>${t().account}</a></p>` : nothing}
        <p role="alert" class="refusal">${this.trouble}</p>
        ${found ? ratingsOf(found.ratings) : nothing}
        ${found && !own ? this.challengePart() : nothing}
      </section>
      ${found ? this.resultsPart() : nothing}
    </div>`;
  }

  challengePart() {
    if (this.challenging) return html`<fd-create .rival=${this.player} .language=${this.language}></fd-create>`;
    return html`<p><button type="button" class="main" data-action="challenge" @click=${this.challenge}>${t().challengeTo}</button></p>`;
  }

  async challenge() {
    await import("./create.js");
    this.challenging = true;
    await this.updateComplete;
    // The button that was pressed is gone.
    const form = /** @type {import("./element.js").LightElement | null} */ (this.querySelector("fd-create"));
    await form?.updateComplete;
    /** @type {HTMLElement | null | undefined} */ (form?.querySelector("input"))?.focus();
  }

  resultsPart() {
    return html`<section class="panel">
      <h2>${t().results}</h2>
      ${this.results.length > 0 ? resultsTable(this.results) : html`<p class="quiet">${t().noRaces}</p>`}
      ${this.cursor === undefined ? nothing : html`<p><button type="button" class="second" @click=${this.load}>${t().showMore}</button></p>`}
    </section>`;
  }
}

/** @param {Record<string, any>} ratings by pool */
function ratingsOf(ratings) {
  const pools = Object.entries(ratings);
  if (pools.length === 0) return html`<p class="quiet">${t().notRated}</p>`;
  return html`<ul class="ratings">
    ${pools.map(
      ([pool, { rating, provisional, races, rank }]) => html`<li class="inset">
        <a href=${ladderPath(pool)}>${poolText(pool)}</a>
        <b class="figure">${number(Math.round(rating))}</b>
        <span class="quiet">${provisional ? t().provisional : rank ? `${t().rank} ${number(rank)}` : nothing} · ${t().theirRaces}: ${number(races)}</span>
      </li>`,
    )}
  </ul>`;
}

/** @param {any[]} results */
function resultsTable(results) {
  return html`<div class="wide"><table class="standings">
    <thead>
      <tr><th scope="col">${t().race}</th><th scope="col">${t().rank}</th><th scope="col">${t().score}</th><th scope="col" class="minor">${t().outcome}</th><th scope="col" class="minor">${t().moves}</th><th scope="col" class="minor">${t().time}</th></tr>
    </thead>
    <tbody>
      ${results.map(
        (one) => html`<tr>
          <th scope="row">
            <a href=${watchPath(one.race)}>${one.ended_at ? moment(one.ended_at) : t().race}</a><br />
            ${one.code ? html`<a class="code" href=${codePath(one.code)}>${one.code}</a>` : gameText(one.game)}
          </th>
          <td>${one.rank == null ? "–" : t().rankOf(number(one.rank), number(one.seats))}</td>
          <td>${one.score == null ? "–" : scoreText(one.game, one.score)}</td>
          <td class="minor">${t().seatStatus[one.status] ?? one.status}</td>
          <td class="minor">${one.moves == null ? "–" : number(one.moves)}</td>
          <td class="minor">${one.time_ms == null ? "–" : clockFace(Math.round(one.time_ms / 1000))}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

customElements.define("fd-player", PlayerPage);
