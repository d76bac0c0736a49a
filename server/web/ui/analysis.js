// @ts-check
/** What solvers say of a race that is over: what each seat could have had, and the moves that gave it away. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { replayPath } from "../route.js";
import { analysisOf, lossOf } from "../store/analysis.js";
import { momentHash } from "../store/moments.js";
import { number, t } from "../texts/index.js";
import { wordText } from "../texts/told.js";
import { LightElement } from "./element.js";
import { seatName } from "./seats.js";

/**
 * @typedef {import("../store/analysis.js").Best} Best
 * @typedef {import("../store/analysis.js").SeatAnalysis} SeatAnalysis
 */

/** So many of the operations that gave something away are named. */
const NAMED = 5;

class Analysis extends LightElement {
  static properties = { race: { type: String }, language: { type: String }, seats: { state: true }, failed: { state: true } };

  constructor() {
    super();
    this.race = "";
    this.language = "";
    /** @type {SeatAnalysis[] | undefined} */
    this.seats = undefined;
    this.failed = false;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("race")) this.load(this.race);
  }

  /** @param {string} race */
  async load(race) {
    this.seats = undefined;
    const seats = await analysisOf(race);
    if (race !== this.race) return;
    this.seats = seats;
    this.failed = seats === undefined;
  }

  render() {
    if (this.failed) return nothing;
    if (!this.seats) return html`<p class="quiet" role="status">${t().analysing}</p>`;
    if (this.seats.length === 0) return nothing;
    return html`<details class="analysis" open>
      <summary>${t().analysis}: ${t().verdicts[this.seats[0].start?.verdict] ?? nothing}</summary>
      <ul>
        ${this.seats.map((one) => html`<li data-seat=${one.seat}><b>${seatName(one)}</b>: ${one.why ? t().notAnalysed : summary(one)} ${one.why ? nothing : this.moments(one)}</li>`)}
      </ul>
    </details>`;
  }

  /**
   * The operations that gave something away, each a link to the moment before it.
   * @param {SeatAnalysis} one
   */
  moments(one) {
    const loss = lossOf(one);
    const named = one.changes.filter(({ m }) => m !== "u").slice(0, NAMED);
    if (named.length === 0 && !loss) return nothing;
    const link = (/** @type {number} */ n, /** @type {unknown} */ text) => html`<li><a href=${replayPath(this.race) + momentHash([one.seat], n)}>${text}</a></li>`;
    return html`<ul class="moments">
      ${loss && loss.n - loss.after > 1 ? link(loss.after, t().lostBetween(number(loss.after), number(loss.n))) : nothing}
      ${named.map(({ n, m, best, better }) => link(n - 1, `${t().gaveAway(number(n), said(best, m), bestText(best))} ${better ? t().better(said(best, better)) : ""}`))}
    </ul>`;
  }
}

/**
 * A word of the game whose best is counted so.
 * @param {Best} best
 * @param {string} word
 */
const said = (best, word) => wordText(best.placed === undefined ? "GO" : "DS", word);

/** @param {SeatAnalysis} one */
function summary(one) {
  const lost = one.changes.find((change) => change.n === one.lost_at);
  const missed = one.regret ? t().regret(number(one.regret)) : "";
  const fault = lost ? t().lostAt(number(lost.n), said(lost.best, lost.m)) : "";
  const better = lost?.better ? t().better(said(lost.best, lost.better)) : "";
  return [bestSentence(one.start), missed, fault, better].filter(Boolean).join(" ");
}

/**
 * What a deal has to give, or the most that was found where nobody knows.
 * @param {{ best: Best, exact: boolean }} start
 * @returns {string}
 */
export function bestSentence({ best, exact }) {
  return exact ? t().bestWas(bestText(best)) : t().bestFound(bestText(best));
}

/**
 * @param {Best} best
 * @returns {string}
 */
function bestText(best) {
  if (best.placed !== undefined) return t().cardsPut(number(best.placed));
  return `${t().cardsRemoved(number(best.removed ?? 0))}, ${t().score.toLocaleLowerCase()} ${number(best.score ?? 0)}`;
}

/** @param {NonNullable<import("../store/race.js").Seat["hope"]>} hope */
export function hopeText({ best, winnable }) {
  if (winnable) return t().stillWinnable;
  const more = best.removed === undefined && best.placed === undefined ? "" : t().bestNow(bestText(best));
  return [winnable === false ? t().lostNow : "", more].filter(Boolean).join(" ") || t().hopeUnknown;
}

customElements.define("fd-analysis", Analysis);
