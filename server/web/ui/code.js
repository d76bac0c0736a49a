// @ts-check
/** The page of one game code: how it is dealt, and what was raced on it. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readCode } from "../net/http.js";
import { watchPath } from "../route.js";
import { number, t } from "../texts/index.js";
import { boardOf } from "./board.js";
import { clockFace } from "./countdown.js";
import { LightElement } from "./element.js";
import { scoreText } from "./score.js";

class CodePage extends LightElement {
  static properties = { code: { type: String }, language: { type: String }, found: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.code = "";
    this.language = "";
    /** What `GET /api/codes/{code}` says. @type {any} */
    this.found = undefined;
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("code") || changed.has("language")) this.load();
  }

  async load() {
    try {
      this.found = await readCode(this.code);
      this.trouble = "";
    } catch (error) {
      this.found = undefined;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    const { found } = this;
    const code = found?.code ?? this.code;
    document.title = `${code} · Fairdeal`;
    return html`<section class="panel deal">
      <h1>${t().codePage} <span class="code">${code}</span></h1>
      <p role="alert" class="refusal">${this.trouble}</p>
      ${found
        ? html`<p>${t().games[found.game]}</p>
            <p><a class="button main" href="/?code=${encodeURIComponent(code)}">${t().raceThisDeal}</a></p>
            ${boardOf(opening(found), undefined)}
            <h2>${t().bestResults}</h2>
            ${found.best.length > 0 ? bestTable(found) : html`<p class="quiet">${t().noRaces}</p>`}`
        : nothing}
    </section>`;
  }
}

/**
 * The cards as a player sees them at the start: nobody who only follows a link is shown what lies face down.
 * @param {{ game: string, columns: string[][], waste: string[], stock: string[] }} deal
 * @returns {import("../store/race.js").Board}
 */
function opening({ game, columns, waste, stock }) {
  const down = columns.map((cards) => (game === "DS" ? cards.length - 1 : 0));
  return {
    game,
    status: "playing",
    score: 0,
    moves: 0,
    undoable: 0,
    columns: columns.map((cards, index) => cards.map((card, row) => (row < down[index] ? "--" : card))),
    down,
    waste,
    stock: stock.length,
  };
}

/** @param {{ game: string, rules: string, best: any[] }} found */
function bestTable({ game, rules, best }) {
  return html`<table class="standings">
    <thead>
      <tr><th scope="col">${t().player}</th><th scope="col">${t().score}</th><th scope="col">${t().moves}</th><th scope="col">${t().time}</th><th scope="col">${t().race}</th></tr>
    </thead>
    <tbody>
      ${best.map(
        (one) => html`<tr>
          <th scope="row">${one.name} ${one.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}</th>
          <td>${scoreText(`${game}1-${rules}`, one.score)}</td>
          <td>${number(one.moves)}</td>
          <td>${clockFace(Math.round(one.time_ms / 1000))}</td>
          <td><a href=${watchPath(one.race)}>${t().seatStatus[one.status] ?? one.status}</a></td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

customElements.define("fd-code", CodePage);
