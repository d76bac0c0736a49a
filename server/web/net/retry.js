// @ts-check
/** What to do when the WebSocket closes, by close code (protocol.md). */

/**
 * @typedef {"again" | "fresh" | "stop"} Retry `again`: reconnect; `fresh`: forget the token, then reconnect; `stop`: say why
 */

const FIRST_MS = 400;
const LONGEST_MS = 15_000;
const RATE_MS = 5_000;

/** Codes after which trying again would only fail again, or throw out whoever is right. */
const FINAL = new Set([1008, 4400, 4403, 4409, 4410, 4426]);

/**
 * @param {number} code
 * @returns {Retry}
 */
export function retryAfter(code) {
  if (code === 4401) return "fresh";
  return FINAL.has(code) ? "stop" : "again";
}

/**
 * @param {number} code
 * @param {number} attempt how many attempts have failed in a row, from 0
 * @param {number} chance in [0, 1): spreads a crowd of clients over the wait
 * @returns {number} ms to wait before the next attempt
 */
export function retryDelay(code, attempt, chance) {
  if (code === 4408 && attempt === 0) return 0;
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  const wait = ceiling * (0.5 + chance / 2);
  return code === 4429 ? RATE_MS + wait : wait;
}
