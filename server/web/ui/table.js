// @ts-check
/** One's own table: the board, its numbers, what was refused, and what one can do. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { watchPath } from "../route.js";
import { cardsUp } from "../store/double.js";
import { seatEnded } from "../store/race.js";
import { language, number, t, timeOfDay } from "../texts/index.js";
import { hinted } from "../texts/told.js";
import { boardOf } from "./board.js";
import "./countdown.js";
import { scoreText } from "./score.js";
import { seatName, toClear } from "./seats.js";
import "./settings.js";
import { commandButton } from "./waiting.js";

/**
 * @typedef {import("../store/race.js").RaceState} RaceState
 * @typedef {import("../store/race.js").Board} Board
 * @typedef {import("../store/session.js").RaceSession} RaceSession
 *
 * @typedef {object} Sitter whoever sits at the table
 * @property {string} sure the command that cannot be taken back and has been asked for once
 * @property {(command: "done" | "resign") => void} final
 * @property {(word: string) => void} play
 * @property {(text: string) => void} remark
 */

/** So many others have a bar above the board on a small screen. */
const RIVALS = 3;

/**
 * @param {RaceSession} session
 * @param {RaceState} state
 * @param {boolean} playing whether a move can be accepted now
 * @param {Sitter} sitter
 */
export function ownTable(session, state, playing, sitter) {
  const board = state.my?.board;
  if (!board) return notYetDealt(session, state);
  const shown = session.board ?? board;
  return html`${rivals(state)} ${boardOf(shown, playing ? sitter : undefined, session.hint)}
    <div class="under">
      ${numbers(state, board)} ${words(session, state)}
      ${playing ? actions(session, state, shown, sitter) : watchTheOthers(state)}
    </div>`;
}

/**
 * The empty table, and the seconds to the start in large.
 * @param {RaceSession} session
 * @param {RaceState} state
 */
function notYetDealt(session, state) {
  const seconds = (/** @type {number} */ s) => (s > 0 ? String(s) : "");
  return html`<div class="felt notice">
    <p>${t().notYetDealt}</p>
    ${state.status === "starting"
      ? html`<fd-countdown aria-hidden="true" .until=${state.startAt ?? 0} .clock=${session.clock} .says=${seconds}></fd-countdown>`
      : nothing}
  </div>`;
}

/**
 * How far oneself and those ahead have come, in one line, where the list of seats is out of sight: it says the same in
 * words.
 * @param {RaceState} state
 */
function rivals(state) {
  if (state.seats.length < 2) return nothing;
  const own = state.my?.seat;
  const others = state.seats.filter(({ seat }) => seat !== own).sort((a, b) => (b.cleared ?? 0) - (a.cleared ?? 0));
  const told = new Set([own, ...others.slice(0, RIVALS).map(({ seat }) => seat)]);
  return html`<ol class="rivals" aria-hidden="true">
    ${state.seats.filter(({ seat }) => told.has(seat)).map(
      (seat) => html`<li class=${seat.seat === own ? "own" : ""} data-status=${seat.status}>
        <span>${seatName(seat)}</span><progress max=${toClear(state)} value=${seat.cleared ?? 0}></progress>
      </li>`,
    )}
  </ol>`;
}

/**
 * The server's numbers: what is on its way does not count yet.
 * @param {RaceState} state
 * @param {Board} board
 */
function numbers(state, board) {
  const entry = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ value) =>
    html`<span>${label} <b data-tally=${name}>${value}</b></span>`;
  return html`<p class="tally">
    ${entry("score", t().score, scoreText(state.card.game, board.score))} ${entry("moves", t().moves, number(board.moves))}
    ${board.left === undefined ? entry("up", t().up, number(cardsUp(board))) : entry("left", t().left, number(board.left))}
  </p>`;
}

/**
 * The line on the table: a refusal, the end, or that something is still on its way.
 * @param {RaceSession} session
 * @param {RaceState} state
 */
function words(session, state) {
  const { my } = state;
  const undo = state.card.undo !== "none" && (my?.board?.undoable ?? 0) > 0;
  let text = session.refusal;
  if (!text && my?.status === "stuck") text = `${t().ownStatus.stuck} ${stuckChoice(state, undo)}`;
  if (!text && my?.status === "won") text = t().ownStatus.won;
  if (!text && my && seatEnded(my.status)) text = state.sealedUntil ? t().dailyEnded(timeOfDay(state.sealedUntil)) : t().endedBoard;
  if (!text && session.connection !== "online" && session.outbox.waiting.length > 0) text = t().notSent;
  if (!text && my?.board && session.hint) text = hinted(my.board, session.hint);
  return html`<p role="alert" class="words ${session.refusal ? "refusal" : ""}">${text}</p>`;
}

/**
 * @param {RaceState} state
 * @param {boolean} undo
 */
function stuckChoice(state, undo) {
  if (alone(state)) return undo ? t().stuckAlone : t().stuckAloneNoUndo;
  return undo ? t().stuckUndo : t().stuckNoUndo;
}

/** @param {import("../store/race.js").OwnSeat} my */
export const keysHint = ({ board, hints }) =>
  html`<p class="quiet keys">${board?.game === "DS" ? t().keysHintDouble : t().keysHint} ${hints ? t().keyOfHint : nothing}</p>`;

/** @param {RaceState} state */
const alone = (state) => state.card.seats === 1;

/**
 * @param {RaceSession} session
 * @param {RaceState} state
 * @param {Board} board
 * @param {Sitter} sitter
 */
function actions(session, state, board, sitter) {
  const stuck = state.my?.status === "stuck";
  return html`<div class="actions">
      ${state.card.undo === "none"
        ? nothing
        : html`<button type="button" class=${stuck ? "main" : ""} data-action="undo" ?disabled=${board.undoable === 0} @click=${() => session.play("u")}>${t().undo}</button>`}
      ${state.my?.hints && !stuck ? hintButton(session) : nothing}
      ${stuck && alone(state)
        ? html`<button type="button" class="main" data-action="new-deal" @click=${() => session.newDeal()}>${t().newDealNow}</button>`
        : nothing}
      ${stuck ? commandButton(session, "done", t().settleShort, alone(state) ? "second" : "main") : finalAction("done", t().settleShort, t().settle, sitter)}
      ${finalAction("resign", t().giveUp, t().giveUp, sitter)}
      <fd-settings .language=${language()}></fd-settings>
    </div>`;
}

/** @param {RaceSession} session */
function hintButton(session) {
  return html`<button type="button" class="icon" data-action="hint" title=${t().hint} @click=${() => session.say("hint")}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 18C9 15 6 14 6 9.5A6 6 0 0 1 18 9.5C18 14 15 15 15 18ZM10 21.5H14" /></svg>
    <span>${t().hint}</span>
  </button>`;
}

/**
 * A button for what cannot be taken back: it asks once more.
 * @param {"done" | "resign"} command
 * @param {string} label
 * @param {string} meaning
 * @param {Sitter} sitter
 */
function finalAction(command, label, meaning, sitter) {
  return html`<button type="button" class="second" title=${meaning} data-command=${command} @click=${() => sitter.final(command)}>
    ${sitter.sure === command ? t().sure : label}
  </button>`;
}

/**
 * Whose own game is over may look at those that go on.
 * @param {RaceState} state
 */
function watchTheOthers(state) {
  if (state.card.watch === "off" || state.seats.length < 2) return nothing;
  return html`<div class="actions"><a class="button" href=${watchPath(state.race)}>${t().watchOthers}</a></div>`;
}
