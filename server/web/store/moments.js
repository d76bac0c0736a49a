// @ts-check
/** The moments of a game that is over, one run or two beside each other: in step by the race's time, or by moves. */

/**
 * @typedef {object} Operation
 * @property {string} m the word
 * @property {number} at ms of the server's clock
 * @property {number} score
 * @property {number} moves
 * @property {number} cleared
 *
 * @typedef {object} Run what one seat played
 * @property {number} seat
 * @property {string} [name]
 * @property {string} [kind]
 * @property {string} status
 * @property {number} start the score of the deal
 * @property {number} score as settled
 * @property {number} [ended_at]
 * @property {string} [record] its one line
 * @property {Operation[]} operations
 *
 * @typedef {object} Told a race that is over, as `GET /api/races/{race}/replay` tells it
 * @property {string} race
 * @property {string} [code]
 * @property {Record<string, any>} card
 * @property {number} [start_at]
 * @property {number} at the time of its last entry
 * @property {Run[]} seats
 * @property {any[]} [standings]
 *
 * @typedef {{ ms: number, n: number[] }} Moment ms since the start; operations done so far, a number for each run
 * @typedef {"time" | "moves"} Step
 */

/**
 * @param {Run[]} runs
 * @param {number} startAt ms of the server's clock
 * @param {Step} step
 * @returns {Moment[]} the first is the deal
 */
export function momentsOf(runs, startAt, step) {
  return step === "time" ? byTime(runs, startAt) : byMoves(runs, startAt);
}

/**
 * @param {Run[]} runs
 * @param {number} startAt
 */
function byTime(runs, startAt) {
  const operations = runs.flatMap((run, index) => run.operations.map(({ at }) => ({ index, ms: Math.max(0, at - startAt) })));
  operations.sort((a, b) => a.ms - b.ms);
  const moments = [{ ms: 0, n: runs.map(() => 0) }];
  for (const { index, ms } of operations) {
    const n = [...moments[moments.length - 1].n];
    n[index] += 1;
    moments.push({ ms, n });
  }
  return moments;
}

/**
 * @param {Run[]} runs
 * @param {number} startAt
 */
function byMoves(runs, startAt) {
  const longest = Math.max(0, ...runs.map(({ operations }) => operations.length));
  let ms = 0;
  return Array.from({ length: longest + 1 }, (_, k) => {
    for (const { operations } of runs) if (k > 0 && k <= operations.length) ms = Math.max(ms, operations[k - 1].at - startAt);
    return { ms, n: runs.map(({ operations }) => Math.min(k, operations.length)) };
  });
}

/**
 * @param {Moment[]} moments
 * @param {number} index of a run
 * @param {number} n
 * @returns {number} the first moment at which that run has come to operation `n`, or the last one
 */
export function momentWith(moments, index, n) {
  const found = moments.findIndex((moment) => (moment.n[index] ?? 0) >= n);
  return found < 0 ? moments.length - 1 : found;
}

/**
 * Whether a position of Double Solitaire could still be won, as far as it is proved: what is lost stays so, and what led
 * to a position that can be won could be won. Of what was taken back it is known only where it was lost before.
 * @param {{ winnable_until?: number | null, lost_from?: number | null }} known
 * @param {string[]} words of the game
 * @param {number} n operations played
 * @returns {boolean | undefined}
 */
export function winnableAt({ winnable_until: until, lost_from: lostFrom }, words, n) {
  const line = [0];
  const reached = [0];
  /** @type {Map<number, number>} */
  const from = new Map();
  words.forEach((word, index) => {
    if (word === "u") line.pop();
    else {
      from.set(index + 1, line[line.length - 1]);
      line.push(index + 1);
    }
    reached.push(line[line.length - 1]);
  });
  let kept = reached[n];
  while (!line.includes(kept)) kept = from.get(kept) ?? 0;
  if (lostFrom != null && kept >= lostFrom) return false;
  return until != null && kept === reached[n] && kept <= until ? true : undefined;
}

/**
 * @param {string} hash of an address, `#seat=1&seat=2&n=35`
 * @returns {{ seats: number[], n: number | undefined }} `n`: operations of the first seat
 */
export function readMoment(hash) {
  const named = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (/** @type {string} */ text) => (/^\d{1,6}$/.test(text) ? [Number(text)] : []);
  return { seats: named.getAll("seat").flatMap(whole), n: whole(named.get("n") ?? "")[0] };
}

/**
 * @param {number[]} seats
 * @param {number} n
 */
export const momentHash = (seats, n) => `#${[...seats.map((seat) => `seat=${seat}`), `n=${n}`].join("&")}`;
