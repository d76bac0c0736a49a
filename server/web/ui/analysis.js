// @ts-check
/** What solvers say of a race that is over: what each seat could have had, and the move that lost it. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readAnalysis } from "../net/http.js";
import { number, t } from "../texts/index.js";
import { LightElement } from "./element.js";

/** How often it is asked for before it is given up: solvers may be busy, or not there. */
const TRIES = 30;

/**
 * @typedef {{ removed?: number, placed?: number, score?: number }} Best an end within reach
 * @typedef {object} SeatAnalysis
 * @property {number} seat
 * @property {string} [name]
 * @property {string} [why] there is none, and why
 * @property {{ verdict: string, best: Best }} start
 * @property {number | null} regret
 * @property {number | null} lost_at
 * @property {{ n: number, m: string, best: Best, better?: string }[]} changes
 */

class Analysis extends LightElement {
  static properties = { race: { type: String }, language: { type: String }, seats: { state: true }, failed: { state: true } };

  constructor() {
    super();
    this.race = "";
    this.language = "";
    /** @type {SeatAnalysis[] | undefined} */
    this.seats = undefined;
    this.failed = false;
    this.gone = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.gone = false;
    this.load(TRIES);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.gone = true;
  }

  /** @param {number} tries */
  async load(tries) {
    if (this.gone) return;
    try {
      const found = await readAnalysis(this.race);
      if (found.seats) this.seats = found.seats;
      else if (tries > 1) setTimeout(() => this.load(tries - 1), found.retry_ms);
      else this.failed = true;
    } catch {
      this.failed = true;
    }
  }

  render() {
    if (this.failed) return nothing;
    if (!this.seats) return html`<p class="quiet" role="status">${t().analysing}</p>`;
    if (this.seats.length === 0) return nothing;
    return html`<details class="analysis">
      <summary>${t().analysis}: ${t().verdicts[this.seats[0].start?.verdict] ?? nothing}</summary>
      <ul>
        ${this.seats.map((one) => html`<li data-seat=${one.seat}><b>${one.name}</b>: ${one.why ?? said(one)}</li>`)}
      </ul>
    </details>`;
  }
}

/** @param {SeatAnalysis} one */
function said(one) {
  const lost = one.changes.find((change) => change.n === one.lost_at);
  const missed = one.regret ? t().regret(number(one.regret)) : "";
  const fault = lost ? t().lostAt(number(lost.n), lost.m) : "";
  const better = lost?.better ? t().better(lost.better) : "";
  return [t().bestWas(bestText(one.start.best)), missed, fault, better].filter(Boolean).join(" ");
}

/**
 * @param {Best} best
 * @returns {string}
 */
export function bestText(best) {
  if (best.placed !== undefined) return t().cardsPut(number(best.placed));
  return `${t().cardsRemoved(number(best.removed ?? 0))}, ${t().score.toLocaleLowerCase()} ${number(best.score ?? 0)}`;
}

/** @param {NonNullable<import("../store/race.js").Seat["hope"]>} hope */
export function hopeText({ best, winnable }) {
  return winnable ? t().stillWinnable : `${winnable === false ? t().lostNow : ""} ${t().bestNow(bestText(best))}`;
}

customElements.define("fd-analysis", Analysis);
