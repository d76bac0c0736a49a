// @ts-check
/** Who sits where, and how far each has come. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { milliseconds, number, t } from "../texts/index.js";
import { botName, nameOf } from "../texts/names.js";
import { scoreText } from "./score.js";

/**
 * @typedef {import("../store/race.js").Seat} Seat
 * @typedef {import("../store/race.js").RaceState} RaceState
 */

/** Cards to clear in each game: the length of its progress bar. @type {Record<string, number>} */
const TO_CLEAR = { GO: 35, DS: 104 };

/** @param {RaceState} state */
export const toClear = (state) => TO_CLEAR[state.card.game.slice(0, 2)] ?? 1;

/** @param {RaceState} state */
export function seatList(state) {
  const dealt = state.status !== "open" && state.status !== "starting";
  return html`<ul class="seats">
    ${state.seats.map((seat) => seatRow(seat, state, dealt ? toClear(state) : 0))}
    ${state.status === "open" ? [...state.kept.map(keptRow), ...emptySeats(state).map(emptyRow)] : nothing}
  </ul>`;
}

/**
 * The seats that nobody has taken yet, nor waits for a player: those of bots on their way by the bot's name, the others "".
 * @param {Pick<RaceState, "card" | "seats"> & Partial<Pick<RaceState, "kept">>} race
 * @returns {string[]}
 */
function emptySeats({ card, seats, kept = [] }) {
  const free = Math.max(0, card.seats - seats.length - kept.length);
  const seatedBots = seats.filter(({ kind }) => kind === "bot").map(({ engine = "" }) => asked(engine));
  /** @type {string[]} */
  const expected = card.bots.map((/** @type {{ bot: string }} */ wish) => wish.bot).filter((/** @type {string} */ bot) => {
    const at = seatedBots.indexOf(bot);
    if (at >= 0) seatedBots.splice(at, 1);
    return at < 0;
  });
  return Array.from({ length: free }, (_, index) => expected[index] ?? "");
}

/**
 * Whether somebody may still come: a seat is free that no bot is on its way to.
 * @param {Pick<RaceState, "card" | "seats"> & Partial<Pick<RaceState, "kept">>} race
 */
export const hasRoom = (race) => emptySeats(race).includes("");

/**
 * What the card asks for where a bot says that it runs on this.
 * @param {string} engine of a worker's bot
 */
const asked = (engine) => engine.replace(/^fairdeal /, "").replace(/^ghost of (\w+) seat (\d+)$/, "ghost:$1:$2");

/**
 * A bot that sits but is not ready yet loads what it needs to play.
 * @param {Seat} seat
 */
function seatStatus(seat) {
  if (seat.kind === "bot" && seat.status === "seated") return t().warmingUp;
  return t().seatStatus[seat.status] ?? seat.status;
}

/** @param {RaceState["kept"][number]} kept */
function keptRow(kept) {
  return html`<li class="seat empty" data-status="kept">
    <span class="who">${seatName(kept)} ${kept.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}</span>
    <span class="status">${t().expected}</span>
  </li>`;
}

/** @param {string} bot */
function emptyRow(bot) {
  return html`<li class="seat empty" data-status=${bot ? "warming" : "free"}>
    <span class="who">${bot ? html`${botName(bot)} <span class="tag">${t().bot}</span>` : t().freeSeat}</span>
    <span class="status">${bot ? t().warmingUp : t().waiting}</span>
  </li>`;
}

/**
 * @param {Seat} seat
 * @param {RaceState} state
 * @param {number} goal 0 before the cards are dealt, when there is no progress to show
 */
function seatRow(seat, state, goal) {
  const own = state.my?.seat === seat.seat;
  const absent = seat.present === false;
  const lag = state.lag[seat.seat];
  return html`<li class="seat ${own ? "own" : ""}" data-seat=${seat.seat} data-status=${seat.status}>
    <span class="who">${seatName(seat)} ${own ? html`<span class="tag">${t().you}</span>` : nothing}
      ${seat.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}
      ${lag === undefined
        ? nothing
        : html`<span class="lag" title=${t().wayToPlayer}><span class="unseen">${t().wayToPlayer}: </span>${milliseconds(lag)}</span>`}</span>
    <span class="status">${seatStatus(seat)}${absent ? html` · ${t().away}` : nothing}</span>
    ${seat.cleared === undefined || goal === 0
      ? nothing
      : html`<progress max=${goal} value=${seat.cleared} aria-label=${t().cleared}></progress>
          <span class="numbers"
            >${number(seat.cleared)}/${goal}${seat.score == null ? nothing : html` · ${t().score} ${scoreText(state.card.game, seat.score)}`}</span
          >`}
  </li>`;
}

/** @param {Pick<Seat, "seat" | "name" | "kind">} seat */
export function seatName(seat) {
  return nameOf(seat) || t().seat(seat.seat);
}
