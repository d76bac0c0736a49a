// @ts-check
/** The page of one game code: how it is dealt, and what was raced on it. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readCode } from "../net/http.js";
import { watchPath } from "../route.js";
import { number, t } from "../texts/index.js";
import { bestText } from "./analysis.js";
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

  /** @param {boolean} [again] whether it was loaded before */
  async load(again = false) {
    try {
      const { code } = this;
      this.found = await readCode(code);
      this.trouble = "";
      // Solvers may still be at it: what they say is looked for once more.
      if (this.found.verdict_retry_ms && !again) setTimeout(() => code === this.code && this.load(true), 3 * this.found.verdict_retry_ms);
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
            ${verdictOn(found)}
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

/** @param {{ verdict: any }} found what solvers say of the deal, if they have answered */
function verdictOn({ verdict }) {
  if (!verdict?.best) return nothing;
  const bots = Object.entries(verdict.won_by ?? {}).map(([name, { won, of }]) => `${name} ${number(won)}/${number(of)}`);
  return html`<p class="verdict" data-verdict=${verdict.verdict}>${t().verdicts[verdict.verdict]}. ${t().bestWas(bestText(verdict.best))}</p>
    ${bots.length > 0 ? html`<p class="quiet">${t().wonBy}: ${bots.join(" · ")}</p>` : nothing}`;
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
