// @ts-check
/** The state of one race as this viewer may see it: a fold over the server's frames. It knows no rules of any game. */

import { cardsUp } from "./double.js";

/**
 * @typedef {object} Board the keys of `fairdeal apply`, cards as text
 * @property {string} game
 * @property {string} status
 * @property {number} score
 * @property {string} [score_text]
 * @property {number} moves
 * @property {number} undoable
 * @property {string[][]} columns
 * @property {string[]} waste
 * @property {number} stock
 * @property {string[]} [stock_known] the stock as it will be drawn, `--` for what this seat has not seen
 * @property {number} [removed]
 * @property {number} [left]
 * @property {string[]} [legal]
 * @property {number[]} [down] face-down cards of each column
 * @property {Record<string, number[]>} [foundations] suit → heights, first place first
 * @property {Record<string, string>} [taps] pile → the word that a tap on it means
 * @property {Record<string, string>} [double_taps]
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {string} [player]
 * @property {string} [name]
 * @property {string} [kind]
 * @property {string} [engine]
 * @property {string} status
 * @property {boolean} [present]
 * @property {number} [cleared]
 * @property {number} [score]
 * @property {number} [moves]
 * @property {number} [rank]
 * @property {Board} [board]
 * @property {{ n: number, best: { removed?: number, placed?: number, score?: number }, winnable?: boolean }} [hope] what solvers
 *   make of the board after operation `n`
 *
 * @typedef {object} OwnSeat
 * @property {number} seat
 * @property {number} lane
 * @property {string} status
 * @property {Board} [board]
 * @property {string} [hint] the move that the seat was told for this board
 * @property {boolean} [hints] whether there are any in this race
 *
 * @typedef {object} RaceState
 * @property {string} race
 * @property {number} seq
 * @property {string} hash
 * @property {Record<string, any>} card
 * @property {string} status
 * @property {string} creator
 * @property {number} [startAt] ms of the server's clock
 * @property {number} [deadline] ms of the server's clock
 * @property {number} [sealedUntil] ms of the server's clock: on a deal of the day, when that is over
 * @property {Seat[]} seats the taken ones, by number
 * @property {OwnSeat} [my]
 * @property {string} [code] the deal's code, as soon as it may be known
 * @property {string} [reason] why it was voided
 * @property {boolean} invited whether nobody else may sit down, and whoever leaves calls the race off
 * @property {{ seat: number, player: string, name: string, kind: string }[]} kept the seats that wait for somebody
 * @property {{ name: string, kind: string, reason?: string }} [declined] who did not want the last seat that was kept, and why,
 *   or called off what was for two alone
 * @property {any[]} [standings]
 * @property {import("../ui/series.js").Series} [series] what the series has come to that this race is one of
 * @property {number} watchers
 * @property {Record<number, number>} lag ms to the player of a seat and back, where the server has measured it
 */

/** Statuses of a seat that never change again (protocol.md). */
const FINAL = new Set(["won", "done", "resigned", "time", "gone"]);

/** @param {string} status */
export const seatEnded = (status) => FINAL.has(status);

/** @param {RaceState} state */
export const raceEnded = (state) => state.status === "finished" || state.status === "voided";

/**
 * Whether a race waits for nobody but the one who makes it.
 * @param {Record<string, any>} card
 */
export const forOneAlone = ({ seats, start }) => seats === 1 && start !== "host";

/** Frames are missing between this one and the state: only a new snapshot helps. */
export class MissedFrames extends Error {}

/**
 * @param {RaceState | undefined} state undefined before the first `snap`
 * @param {any} frame
 * @returns {RaceState | undefined} the same object when the frame says nothing new
 * @throws {MissedFrames}
 */
export function follow(state, frame) {
  // A snapshot is never older than what was told before; where its seq is smaller, history was lost and it says so.
  if (frame.t === "snap") return fromSnap(state, frame);
  if (!state || frame.race !== state.race) return state;
  switch (frame.t) {
    case "ev":
      if (frame.seq <= state.seq) return state;
      if (frame.seq > state.seq + 1) throw new MissedFrames(`expected event ${state.seq + 1}, got ${frame.seq}`);
      return { ...afterEvent(state, frame), seq: frame.seq, hash: frame.hash };
    case "skip":
      if (frame.to <= state.seq) return state;
      if (frame.from > state.seq + 1) throw new MissedFrames(`expected event ${state.seq + 1}, got ${frame.from}`);
      return { ...state, seq: frame.to, hash: frame.hash };
    case "progress":
      return { ...state, seats: state.seats.map((seat) => ({ ...seat, ...numbersOf(frame.seats, seat.seat) })) };
    case "eval":
      return { ...state, seats: state.seats.map((seat) => hoping(seat, frame.seats)) };
    case "crowd":
      return { ...state, watchers: frame.watching };
    default:
      return state;
  }
}

/**
 * @param {RaceState | undefined} state
 * @param {any} snap
 * @returns {RaceState}
 */
function fromSnap(state, snap) {
  return {
    race: snap.race,
    seq: snap.seq,
    hash: snap.hash,
    card: snap.card,
    status: snap.status,
    creator: snap.creator,
    startAt: snap.start_at,
    deadline: snap.deadline,
    sealedUntil: snap.sealed_until,
    seats: snap.seats,
    my: snap.my,
    code: snap.card.code ?? state?.code,
    reason: snap.voided?.reason ?? state?.reason,
    invited: snap.private ?? false,
    kept: snap.kept ?? [],
    declined: snap.voided?.by ? { ...snap.voided.by, reason: snap.voided.why } : state?.declined,
    standings: snap.standings ?? state?.standings,
    series: snap.series,
    watchers: state?.watchers ?? 0,
    // Who is not connected any more is told of no more; what was known stays.
    lag: { ...state?.lag, ...Object.fromEntries((snap.lag ?? []).map((/** @type {any} */ one) => [one.seat, one.rtt_ms])) },
  };
}

/**
 * @param {RaceState} state
 * @param {any} ev
 * @returns {RaceState}
 */
function afterEvent(state, ev) {
  const d = ev.d ?? {};
  switch (ev.k) {
    case "race.joined":
      return withSeat({ ...state, kept: keptBut(state, ev.s) }, ev.s, { status: "seated", present: true, ...d });
    case "race.left":
      return afterLeaving(state, ev.s, d.reason);
    case "race.ready":
      return withSeat(state, ev.s, { status: "ready" });
    case "race.unready":
      return withSeat(state, ev.s, { status: "seated" });
    case "race.started":
      return { ...state, status: "starting", startAt: d.start_at, deadline: d.deadline };
    case "seat.played":
    case "seat.undone":
      return afterMove(state, ev.s, d);
    case "seat.hinted":
      return state.my && state.my.seat === ev.s ? { ...state, my: { ...state.my, hint: d.m } } : state;
    case "seat.done":
    case "seat.resigned": {
      const status = ev.k.slice("seat.".length);
      // What it is settled with, where the viewer may know that.
      const settled = Object.fromEntries(["score", "moves", "cleared"].filter((key) => key in d).map((key) => [key, d[key]]));
      const ended = withSeat(state, ev.s, { status, ...settled });
      return ended.my && ended.my.seat === ev.s ? { ...ended, my: { ...ended.my, status } } : ended;
    }
    case "seat.absent":
      return withSeat(state, ev.s, { present: false });
    case "seat.back":
      return withSeat(state, ev.s, { present: true });
    case "race.finished":
      return { ...state, status: "finished", code: d.code ?? state.code, standings: d.standings ?? state.standings };
    case "race.voided":
      return { ...state, status: "voided", code: d.code ?? state.code, reason: d.reason };
    default:
      return state;
  }
}

/**
 * @param {RaceState} state
 * @param {number} seat
 */
const keptBut = (state, seat) => state.kept.filter((one) => one.seat !== seat);

/**
 * A seat is given back, declined or freed; who says why has declined, and a race for two alone is over without either.
 * @param {RaceState} state
 * @param {number} number
 * @param {string} [reason]
 * @returns {RaceState}
 */
function afterLeaving(state, number, reason) {
  const who = [...state.kept, ...state.seats].find(({ seat }) => seat === number);
  return {
    ...state,
    seats: state.seats.filter(({ seat }) => seat !== number),
    kept: keptBut(state, number),
    ...((reason || state.invited) && who && { declined: { name: who.name ?? "", kind: who.kind ?? "person", reason } }),
    ...(state.my?.seat === number && { my: undefined }),
  };
}

/**
 * @param {RaceState} state
 * @param {number} seat
 * @param {any} d the event's data: own move, or a move on a board this viewer sees
 * @returns {RaceState}
 */
function afterMove(state, seat, d) {
  const numbers = {
    status: d.status,
    score: d.score,
    moves: d.moves,
    ...(d.board && { cleared: d.board.removed ?? cardsUp(d.board) }),
  };
  if (!state.my || state.my.seat !== seat) return withSeat(state, seat, { ...numbers, ...(d.board && { board: d.board }) });
  const my = { ...state.my, lane: d.n, status: d.status, board: d.board ?? state.my.board, hint: undefined };
  return { ...withSeat(state, seat, numbers), my };
}

/**
 * @param {RaceState} state
 * @param {number} number
 * @param {Partial<Seat>} change
 * @returns {RaceState}
 */
function withSeat(state, number, change) {
  if (!state.seats.some((seat) => seat.seat === number)) {
    const added = /** @type {Seat} */ ({ seat: number, ...change });
    return { ...state, seats: [...state.seats, added].sort((a, b) => a.seat - b.seat) };
  }
  return { ...state, seats: state.seats.map((seat) => (seat.seat === number ? { ...seat, ...change } : seat)) };
}

/**
 * @param {any[]} numbers
 * @param {number} seat
 */
function numbersOf(numbers, seat) {
  return numbers.find((entry) => entry.seat === seat) ?? {};
}

/**
 * @param {Seat} seat
 * @param {any[]} evals
 * @returns {Seat}
 */
function hoping(seat, evals) {
  const hope = evals.find((entry) => entry.seat === seat.seat);
  return hope ? { ...seat, hope } : seat;
}
