// @ts-check
/** What solvers say of a race that is over: asked for until they have answered, once for all who show it. */

import { readAnalysis } from "../net/http.js";

/** How often it is asked for before it is given up: solvers may be busy, or not there. */
const TRIES = 30;
/** So many races' analyses are kept. */
const KEPT = 8;

/**
 * @typedef {{ removed?: number, placed?: number, score?: number }} Best an end within reach
 * @typedef {{ n: number, m: string, best: Best, winnable?: boolean, better?: string }} Change an operation after which other
 *   ends were within reach than before it
 * @typedef {object} SeatAnalysis
 * @property {number} seat
 * @property {string} [name]
 * @property {string} [kind]
 * @property {string} [why] there is none, and why
 * @property {{ verdict: string, best: Best, exact: boolean }} start
 * @property {number | null} regret
 * @property {number | null} lost_at
 * @property {number | null} [winnable_until]
 * @property {number | null} [lost_from]
 * @property {Change[]} changes
 */

/** @type {Map<string, Promise<SeatAnalysis[] | undefined>>} */
const known = new Map();

/**
 * @param {string} race
 * @returns {Promise<SeatAnalysis[] | undefined>} undefined where nobody answers
 */
export function analysisOf(race) {
  const asked = known.get(race) ?? ask(race);
  known.delete(race);
  known.set(race, asked);
  if (known.size > KEPT) known.delete(/** @type {string} */ (known.keys().next().value));
  return asked;
}

/** @param {string} race */
async function ask(race) {
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await readAnalysis(race);
      if (found.seats) return /** @type {SeatAnalysis[]} */ (found.seats);
      await new Promise((resolve) => setTimeout(resolve, found.retry_ms));
    }
  } catch {
    // Nobody can say, or this server has no such race.
  }
  known.delete(race);
  return undefined;
}

/**
 * The operation that lost a game, as closely as it is known.
 * @param {SeatAnalysis} one
 * @returns {{ after: number, n: number } | undefined} it lies after `after` and is `n` at the latest
 */
export function lossOf({ lost_at: lostAt, lost_from: lostFrom, winnable_until: until }) {
  if (lostAt != null) return { after: lostAt - 1, n: lostAt };
  if (lostFrom != null && until != null && lostFrom > 0) return { after: until, n: lostFrom };
  return undefined;
}
