// @ts-check
/** A race that is looked at: who leads, the boards side by side with what can still be had of each, and how late it is. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { raceEnded, seatEnded } from "../store/race.js";
import { number, t } from "../texts/index.js";
import { hopeText } from "./analysis.js";
import { hopeBar } from "./bar.js";
import { boardOf } from "./board.js";
import { scoreText } from "./score.js";
import { seatName } from "./seats.js";

/**
 * @typedef {import("../store/race.js").RaceState} RaceState
 * @typedef {import("../store/race.js").Seat} Seat
 */

/** More boards than this are not shown at once: those of the first seats, by how they stand. */
const BOARDS_SHOWN = 9;

/** @param {RaceState} state */
export function watchedRace(state) {
  const shown = state.seats
    .map((seat) => ({ seat, board: seat.seat === state.my?.seat ? state.my.board : seat.board }))
    .filter(({ board }) => board);
  const dealt = state.status !== "open" && state.status !== "starting";
  const { measure, seats, most } = leaders(state);
  return html`${dealt && !raceEnded(state) ? html`${leaderLine(state, measure, seats, most)}` : nothing}
    ${state.card.delay_s > 0 && !raceEnded(state) ? html`<p class="delay">${t().shownLate(number(state.card.delay_s))}</p>` : nothing}
    ${shown.length === 0
      ? html`<p class="felt notice">${dealt ? t().boardsHidden : t().notYetDealt}</p>`
      : html`<div class="boards" data-boards=${Math.min(shown.length, BOARDS_SHOWN)}>
          ${leading(shown, measure).map(({ seat, board }) => (board ? watchedBoard(state, seat, board, measure === "cleared" ? most : undefined) : nothing))}
        </div>
        ${shown.length > BOARDS_SHOWN ? html`<p class="quiet">${t().boardsMore(number(shown.length - BOARDS_SHOWN))}</p>` : nothing}`}`;
}

/**
 * By what it is told who leads while a race is on: points where they decide and may be known, else cards cleared.
 * @param {RaceState} state
 * @returns {{ measure: "score" | "cleared", seats: Seat[], most: number }}
 */
function leaders(state) {
  const scored = state.card.goal === "score" && state.seats.every(({ score }) => score != null);
  const measure = scored ? "score" : "cleared";
  const most = Math.max(...state.seats.map((seat) => seat[measure] ?? -Infinity));
  return { measure, most, seats: state.seats.filter((seat) => seat[measure] === most) };
}

/**
 * Who leads is said when it changes, by how much is only shown: that changes with every move.
 * @param {RaceState} state
 * @param {"score" | "cleared"} measure
 * @param {Seat[]} seats who lead
 * @param {number} most
 */
function leaderLine(state, measure, seats, most) {
  if (seats.length === 0 || state.seats.length < 2) return nothing;
  const names = seats.map(seatName).join(", ");
  const who = seats.length === state.seats.length ? t().allLevel : seats.length > 1 ? t().leadTogether(names) : t().leads(names);
  return html`<p class="leader">
    <span role="status">${who}</span> · ${measure === "score" ? t().points(scoreText(state.card.game, most)) : t().cards(number(most))}
  </p>`;
}

/**
 * The boards to be shown, in the order of their seats: of too many those that stand best.
 * @param {{ seat: Seat, board: import("../store/race.js").Board | undefined }[]} shown
 * @param {"score" | "cleared"} measure
 */
function leading(shown, measure) {
  if (shown.length <= BOARDS_SHOWN) return shown;
  const best = [...shown].sort((a, b) => (b.seat[measure] ?? 0) - (a.seat[measure] ?? 0)).slice(0, BOARDS_SHOWN);
  return best.sort((a, b) => a.seat.seat - b.seat.seat);
}

/**
 * @param {RaceState} state
 * @param {Seat} seat
 * @param {import("../store/race.js").Board} board
 * @param {number | undefined} leads cards that the leader has cleared, where those decide
 */
function watchedBoard(state, seat, board, leads) {
  const open = !seatEnded(seat.status) && !raceEnded(state);
  const hope = open && seat.hope ? hopeText(seat.hope) : "";
  return html`<figure class="watched" data-seat=${seat.seat} data-status=${seat.status}>
    <figcaption>
      <b>${seatName(seat)}</b> ${seat.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}
      <span class="status">${t().seatStatus[seat.status] ?? seat.status}</span>
      <span class="numbers">${t().score}: ${scoreText(state.card.game, seat.score ?? board.score)} · ${t().moves}: ${number(board.moves)}</span>
      ${hopeBar(state, open ? seat : { ...seat, hope: undefined }, open ? leads : undefined)}
      <span class="hope" title=${hope}>${hope}</span>
    </figcaption>
    ${boardOf(board, undefined)}
  </figure>`;
}
