// @ts-check
/** Where a replayed game gave something away, as far as solvers know: marks, ways there, what could still be had. */

import { html, nothing } from "../../vendor/lit/lit-element.js";
import { lossOf } from "../../store/analysis.js";
import { momentWith, winnableAt } from "../../store/moments.js";
import { number, t } from "../../texts/index.js";
import { seatName } from "../seats.js";

/**
 * @typedef {import("../../store/moments.js").Run} Run
 * @typedef {import("../../store/playback.js").Playback} Playback
 * @typedef {import("../../store/analysis.js").SeatAnalysis} SeatAnalysis
 */

/**
 * What solvers say of a board: of Golf all that can still be had, of Double Solitaire whether it can be won.
 * @param {SeatAnalysis | undefined} one
 * @param {Run} run
 * @param {number} n operations played
 * @returns {import("../../store/race.js").Seat["hope"]}
 */
export function hopeAt(one, run, n) {
  if (!one) return undefined;
  if (one.start.best.removed === undefined) return { n, best: {}, winnable: winnableAt(one, run.operations.map(({ m }) => m), n) };
  const change = one.changes.findLast((found) => found.n <= n);
  const winnable = change ? change.winnable : one.start.verdict === "winnable";
  return { n, best: change?.best ?? one.start.best, ...(winnable != null && { winnable }) };
}

/**
 * @param {Run[]} runs those shown
 * @param {SeatAnalysis[]} analysis
 * @param {Playback} playback
 * @returns {import("./controls.js").Mark[]}
 */
export function marksOf(runs, analysis, { moments }) {
  return runs.flatMap((run, index) => {
    const one = analysis.find(({ seat }) => seat === run.seat);
    if (!one) return [];
    const loss = lossOf(one)?.n;
    const given = one.changes.filter(({ m }) => m !== "u").map(({ n }) => n);
    return [...new Set([...given, ...(loss ? [loss] : [])])].map((n) => ({ index: momentWith(moments, index, n), lost: n === loss }));
  });
}

/**
 * The ways to the moments at which games were lost.
 * @param {Run[]} runs those shown
 * @param {SeatAnalysis[]} analysis
 * @param {Playback} playback
 */
export function waysToLosses(runs, analysis, playback) {
  const ways = runs.flatMap((run, index) => {
    const loss = analysis.filter(({ seat }) => seat === run.seat).map(lossOf)[0];
    if (!loss) return [];
    const go = () => {
      playback.stop();
      playback.go(momentWith(playback.moments, index, loss.n));
    };
    return [html`<button type="button" class="second" data-lost=${run.seat} @click=${go}><span class="flag" aria-hidden="true">⚑</span> ${t().lostHere(seatName(run), number(loss.n))}</button>`];
  });
  return ways.length > 0 ? html`<div class="actions">${ways}</div>` : nothing;
}
