// @ts-check
/** The page of one game code: how it is dealt, who waits on it, what was raced on it, and the way to race it again. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { createRace, readCode } from "../net/http.js";
import { codePath, go, playPath, playerPath, watchPath } from "../route.js";
import { moment, number, t } from "../texts/index.js";
import { botName, nameOf } from "../texts/names.js";
import { bestSentence } from "./analysis.js";
import { boardOf } from "./board.js";
import { clockFace } from "./countdown.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";
import "./link.js";
import { raceRow } from "./races.js";
import { scoreText } from "./score.js";
import "./start.js";

class CodePage extends LightElement {
  static properties = {
    code: { type: String },
    language: { type: String },
    found: { state: true },
    races: { state: true },
    cursor: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.code = "";
    this.language = "";
    /** What `GET /api/codes/{code}` says. @type {any} */
    this.found = undefined;
    /** The finished races, as far as they are loaded. @type {any[]} */
    this.races = [];
    /** Where older ones begin. @type {number | undefined} */
    this.cursor = undefined;
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("code") || changed.has("language")) this.load();
  }

  /** @param {boolean} [again] whether it was loaded before */
  async load(again = false) {
    const { code } = this;
    await this.attempt(async () => {
      const found = await readCode(code);
      if (code !== this.code) return;
      this.found = found;
      this.races = found.races;
      this.cursor = found.cursor;
      // Solvers may still be at it: what they say is looked for once more.
      if (found.verdict_retry_ms && !again) setTimeout(() => code === this.code && this.isConnected && this.load(true), 3 * found.verdict_retry_ms);
    });
    if (this.trouble) this.found = undefined;
  }

  loadOlder() {
    const { code } = this;
    return this.attempt(async () => {
      const { races, cursor } = await readCode(code, this.cursor);
      if (code !== this.code) return;
      this.races = [...this.races, ...races];
      this.cursor = cursor;
    });
  }

  /**
   * Race what somebody did on this deal, with the very times of it.
   * @param {string} race
   * @param {number} seat
   */
  raceGhost(race, seat) {
    return this.attempt(async () => {
      go(playPath((await createRace({ ...this.found.again, seats: 2, bots: [{ bot: "ghost", race, seat }] })).race));
    });
  }

  /** @param {() => Promise<void>} call */
  async attempt(call) {
    try {
      this.trouble = "";
      await call();
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    const { found } = this;
    const code = found?.code ?? this.code;
    document.title = `${code} · Fairdeal`;
    return html`<div class="stack">
      <section class="panel deal">
        <h1><span class="unseen">${t().codePage}</span> <span class="code">${code}</span></h1>
        <p role="alert" class="refusal">${this.trouble}</p>
        ${found
          ? html`<p>${gameText(`${found.game}1-${found.rules}`)} ${found.published ? html`<span class="tag">${t().published}</span>` : nothing}</p>
              <fd-start .code=${found.again.code} .form=${true} .language=${this.language}></fd-start>
              ${boardOf(opening(found), undefined)} ${verdictOn(found)}
              <fd-link .label=${t().dealLink} .path=${codePath(code)} .language=${this.language}></fd-link>`
          : html`<p><a class="button" href="/">${t().lobby}</a></p>`}
      </section>
      ${found ? html`${waitingOn(found)} ${this.best(found)} ${this.finished(found)}` : nothing}
    </div>`;
  }

  /** @param {any} found */
  best(found) {
    return html`<section class="panel">
      <h2>${t().bestResults}</h2>
      ${found.best.length > 0 ? this.bestTable(found) : html`<p class="quiet">${t().noRaces}</p>`}
    </section>`;
  }

  /** @param {{ game: string, rules: string, best: any[] }} found */
  bestTable({ game, rules, best }) {
    return html`<div class="wide"><table class="standings">
      <thead>
        <tr><th scope="col">${t().player}</th><th scope="col">${t().score}</th><th scope="col" class="minor">${t().moves}</th><th scope="col" class="minor">${t().time}</th><th scope="col">${t().race}</th><th scope="col"><span class="unseen">${t().raceThisRun}</span></th></tr>
      </thead>
      <tbody>
        ${best.map(
          (one) => html`<tr>
            <th scope="row"><a href=${playerPath(one.player)}>${nameOf(one)}</a> ${one.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}</th>
            <td>${scoreText(`${game}1-${rules}`, one.score)}</td>
            <td class="minor">${number(one.moves)}</td>
            <td class="minor">${clockFace(Math.round(one.time_ms / 1000))}</td>
            <td><a href=${watchPath(one.race)}>${t().seatStatus[one.status] ?? one.status}</a></td>
            <td>${this.ghostButton(one.race, one.seat, nameOf(one))}</td>
          </tr>`,
        )}
      </tbody>
    </table></div>`;
  }

  /** @param {any} found */
  finished(found) {
    if (this.races.length === 0) return nothing;
    return html`<section class="panel">
      <h2>${t().finishedRaces}</h2>
      <ul class="races">${this.races.map((race) => this.finishedRow(found, race))}</ul>
      ${this.cursor === undefined ? nothing : html`<p><button type="button" class="second" @click=${this.loadOlder}>${t().showMore}</button></p>`}
    </section>`;
  }

  /**
   * @param {any} found
   * @param {any} race
   */
  finishedRow({ game, rules }, race) {
    return html`<li data-race=${race.race}>
      <div class="what">
        <a href=${watchPath(race.race)}>${race.ended_at ? moment(race.ended_at) : t().race}</a> <span class="quiet">${t().goals[race.card.goal]}</span>
        <ol class="runs">
          ${(race.standings ?? []).map(
            (/** @type {any} */ one) => html`<li>
              ${nameOf(one)} ${one.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing} <b>${scoreText(`${game}1-${rules}`, one.score)}</b>
              <span class="quiet">${t().seatStatus[one.status] ?? one.status}</span>
              ${this.ghostButton(race.race, one.seat, nameOf(one))}
            </li>`,
          )}
        </ol>
      </div>
    </li>`;
  }

  /**
   * @param {string} race
   * @param {number} seat
   * @param {string} name whose run it is
   */
  ghostButton(race, seat, name) {
    return html`<button type="button" class="second small" data-ghost=${seat} aria-label="${t().raceThisRun}: ${name}" @click=${() => this.raceGhost(race, seat)}>
      ${t().raceThisRun}
    </button>`;
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
  const bots = Object.entries(verdict.won_by ?? {}).map(([name, { won, of }]) => `${botName(name)} ${number(won)}/${number(of)}`);
  return html`<p class="verdict" data-verdict=${verdict.verdict}>${t().verdicts[verdict.verdict]}. ${bestSentence(verdict)}</p>
    ${bots.length > 0 ? html`<p class="quiet">${t().wonBy}: ${bots.join(" · ")}</p>` : nothing}`;
}

/** @param {{ waiting: any[] }} found */
function waitingOn({ waiting }) {
  if (waiting.length === 0) return nothing;
  return html`<section class="panel waiting">
    <h2>${t().openRaces}</h2>
    <ul class="races">${waiting.map(raceRow)}</ul>
  </section>`;
}

customElements.define("fd-code", CodePage);
