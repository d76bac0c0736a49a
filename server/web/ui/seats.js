// @ts-check
/** Who sits where, and how far each has come. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { number, t } from "../texts/index.js";

/** @typedef {import("../store/race.js").Seat} Seat */

/** Cards to clear in each game: the length of its progress bar. @type {Record<string, number>} */
const TO_CLEAR = { GO: 35, DS: 104 };

/**
 * @param {import("../store/race.js").RaceState} state
 */
export function seatList(state) {
  const game = String(state.card.code ?? state.card.game ?? "GO").slice(0, 2);
  return html`<ol class="seats">
    ${state.seats.map((seat) => seatRow(seat, state.my?.seat === seat.seat, TO_CLEAR[game] ?? 35))}
  </ol>`;
}

/**
 * @param {Seat} seat
 * @param {boolean} own
 * @param {number} toClear
 */
function seatRow(seat, own, toClear) {
  const absent = seat.present === false && Boolean(seat.player);
  return html`<li class="seat ${own ? "own" : ""}" data-seat=${seat.seat} data-status=${seat.status}>
    <span class="who">${seatName(seat)} ${own ? html`<span class="tag">${t().you}</span>` : nothing}
      ${seat.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}</span>
    <span class="status">${t().seatStatus[seat.status] ?? seat.status}${absent ? html` · ${t().away}` : nothing}</span>
    ${seat.cleared === undefined
      ? nothing
      : html`<progress max=${toClear} value=${seat.cleared} aria-label=${t().cleared}></progress>
          <span class="numbers"
            >${number(seat.cleared)}/${toClear}${seat.score == null ? nothing : html` · ${t().score} ${number(seat.score)}`}</span
          >`}
  </li>`;
}

/** @param {Pick<Seat, "seat" | "name" | "player">} seat */
export function seatName(seat) {
  return seat.name || (seat.player ? t().seat(seat.seat) : `${t().seat(seat.seat)}: ${t().freeSeat}`);
}
