// @ts-check
/** One race on the page: waiting, playing or watching, and the result. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { codePath, go, playPath, watchPath } from "../route.js";
import { cardsUp } from "../store/double.js";
import { doubleTap, keepDoubleTap } from "../store/player.js";
import { raceEnded, seatEnded } from "../store/race.js";
import { RaceSession } from "../store/session.js";
import { number, t } from "../texts/index.js";
import { hopeText } from "./analysis.js";
import { BOARDS, boardOf } from "./board.js";
import { connectionLine } from "./connection.js";
import "./countdown.js";
import { LightElement } from "./element.js";
import { scoreText } from "./score.js";
import { seatList, seatName } from "./seats.js";
import { standingsTable } from "./standings.js";
import { commandButton, waitingRoom } from "./waiting.js";

/** @typedef {import("../store/race.js").RaceState} RaceState */

const SURE_MS = 4_000;

class RacePage extends LightElement {
  static properties = { race: { type: String }, as: { attribute: false }, language: { type: String }, sure: { state: true } };

  constructor() {
    super();
    this.race = "";
    /** @type {"seat" | "watch"} */
    this.as = "seat";
    this.language = "";
    /** Whether the board that fills the window was shown last. */
    this.atTable = false;
    /** The final command that has been asked once. */
    this.sure = "";
    /** @type {RaceSession | undefined} */
    this.session = undefined;
    this.pressed = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.pressed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.pressed);
    this.session?.close();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("race") || changed.has("as")) {
      this.session?.close();
      this.session = new RaceSession(this.race, this.as, () => this.sessionChanged());
      this.session.open();
    } else if (changed.has("language")) {
      // The server's own words come in the language of the hello.
      this.session?.restart();
    }
  }

  updated() {
    const table = this.querySelector(".table") !== null;
    // The board fills the window from its top, wherever the ready button was pressed.
    if (table && !this.atTable) scrollTo(0, 0);
    this.atTable = table;
  }

  sessionChanged() {
    const { session } = this;
    if (session?.left) go("/");
    else if (session?.rematched) {
      session.rematched = false;
      go(playPath(session.next));
    }
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !this.playing()) return;
    if (event.target instanceof Element && event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const board = /** @type {import("./golf.js").GolfBoard | null} */ (this.querySelector(BOARDS));
    board?.press(event.key.toLowerCase());
  }

  /** Whether a move of this viewer can be accepted now. */
  playing() {
    const my = this.session?.state?.my;
    return Boolean(my?.board && !seatEnded(my.status) && this.session?.state && !raceEnded(this.session.state));
  }

  render() {
    const { session } = this;
    if (!session) return nothing;
    const { state, fault } = session;
    document.title = `${state?.card.name || state?.code || t().race} · Fairdeal`;
    const table = this.as === "seat" && state?.my?.board?.game === "DS" && !raceEnded(state);
    return html`<div class="race ${table ? "table" : ""}" data-status=${state?.status ?? "unknown"} data-seq=${state?.seq ?? 0}>
      <div class="front">
        ${connectionLine(session)} ${fault ? this.faultNotice(fault) : nothing} ${state ? this.front(session, state) : nothing}
      </div>
      ${state
        ? html`<aside class="panel">
            ${seatList(state)} ${state.watchers > 0 ? html`<p class="quiet">${t().watchers(state.watchers)}</p>` : nothing}
            ${state.status === "open" ? waitingRoom(session, state) : nothing}
          </aside>`
        : nothing}
    </div>`;
  }

  /** @param {{ code: string, message: string }} fault */
  faultNotice(fault) {
    return html`<section class="panel">
      <p role="alert" class="refusal">${fault.message || fault.code}</p>
      ${this.as === "seat" && fault.code !== "unknown_race" ? html`<a class="button" href=${watchPath(this.race)}>${t().watch}</a>` : nothing}
      <a class="button second" href="/">${t().lobby}</a>
    </section>`;
  }

  /**
   * @param {RaceSession} session
   * @param {RaceState} state
   */
  front(session, state) {
    return html`<div class="heading">
        <h1>${state.card.name ? html`${state.card.name} · ` : nothing}${dealName(state)}</h1>
        <p class="terms">
          ${t().goal}: ${t().goals[state.card.goal] ?? state.card.goal} · ${t().undo}: ${t().undoRules[state.card.undo] ?? state.card.undo}
        </p>
        <p class="phase" role="status">${t().raceStatus[state.status] ?? state.status}</p>
        ${this.clockPart(session, state)}
      </div>
      ${raceEnded(state) ? this.result(session, state) : nothing}
      ${this.as === "seat" && !raceEnded(state)
        ? html`<div class="own-board">${this.ownBoard(session, state)}</div>`
        : html`<div class="boards">${this.allBoards(state)}</div>`}`;
  }

  /**
   * @param {RaceSession} session
   * @param {RaceState} state
   */
  clockPart(session, state) {
    if (!state.startAt || raceEnded(state)) return nothing;
    if (state.status === "starting") {
      return html`<p class="starting" role="timer">
        <fd-countdown .until=${state.startAt} .clock=${session.clock} .says=${t().startsIn}></fd-countdown>
      </p>`;
    }
    return html`<p class="limit" role="timer">${t().timeLeft} <fd-countdown .until=${state.deadline ?? 0} .clock=${session.clock}></fd-countdown></p>`;
  }

  /**
   * @param {RaceSession} session
   * @param {RaceState} state
   */
  ownBoard(session, state) {
    const board = state.my?.board;
    if (!board) return html`<p class="felt notice">${t().notYetDealt}</p>`;
    const playing = this.playing();
    return html`${boardOf(board, playing ? session : undefined)}
      <div class="under">
        <p class="tally">
          ${t().score}: <b data-tally="score">${scoreText(state.card.game, board.score)}</b> · ${t().moves}:
          <b data-tally="moves">${number(board.moves)}</b> ·
          ${board.left === undefined
            ? html`${t().up}: <b data-tally="up">${number(cardsUp(board))}</b>`
            : html`${t().left}: <b data-tally="left">${number(board.left)}</b>`}
        </p>
        ${this.ownWords(session, state)}
        ${playing ? this.ownActions(session, state, board) : this.watchTheOthers(state)}
        <p class="unseen" role="status">${session.news}</p>
      </div>`;
  }

  /**
   * The line under the board: a refusal, the end, or that something is still on its way.
   * @param {RaceSession} session
   * @param {RaceState} state
   */
  ownWords(session, state) {
    const my = state.my;
    const undo = state.card.undo !== "none" && (my?.board?.undoable ?? 0) > 0;
    let words = session.refusal;
    if (!words && my?.status === "stuck") words = `${t().stuck}. ${undo ? t().stuckUndo : t().stuckNoUndo}`;
    if (!words && my?.status === "won") words = t().wonBoard;
    if (!words && my && seatEnded(my.status)) words = t().endedBoard;
    if (!words && session.connection !== "online" && session.outbox.waiting.length > 0) words = t().notSent;
    return html`<p role="alert" class="words ${session.refusal ? "refusal" : ""}">${words}</p>`;
  }

  /**
   * @param {RaceSession} session
   * @param {RaceState} state
   * @param {import("../store/race.js").Board} board
   */
  ownActions(session, state, board) {
    const stuck = state.my?.status === "stuck";
    return html`<div class="actions">
        ${state.card.undo === "none"
          ? nothing
          : html`<button type="button" class=${stuck ? "main" : ""} ?disabled=${board.undoable === 0} @click=${() => session.play("u")}>${t().undo}</button>`}
        ${stuck ? commandButton(session, "done", t().settle, "main") : this.finalAction("done", t().settle)} ${this.finalAction("resign", t().giveUp)}
        ${board.game === "DS" ? doubleTapSwitch() : nothing}
      </div>
      <p class="quiet keys">${board.game === "DS" ? t().keysHintDouble : t().keysHint}</p>`;
  }

  /**
   * Whose own game is over may look at those that go on.
   * @param {RaceState} state
   */
  watchTheOthers(state) {
    if (state.card.watch === "off" || state.seats.length < 2) return nothing;
    return html`<div class="actions"><a class="button" href=${watchPath(state.race)}>${t().watchOthers}</a></div>`;
  }

  /**
   * A button for what cannot be taken back: it asks once more.
   * @param {"done" | "resign"} command
   * @param {string} label
   */
  finalAction(command, label) {
    const sure = this.sure === command;
    const press = () => {
      if (sure) this.session?.say(command);
      else setTimeout(() => (this.sure = ""), SURE_MS);
      this.sure = sure ? "" : command;
    };
    return html`<button type="button" class="second" data-command=${command} @click=${press}>${sure ? t().sure : label}</button>`;
  }

  /** @param {RaceState} state */
  allBoards(state) {
    const boards = state.seats
      .map((seat) => ({ seat, board: seat.seat === state.my?.seat ? state.my.board : seat.board }))
      .filter(({ board }) => board);
    if (boards.length === 0) {
      const waiting = state.status === "open" || state.status === "starting";
      return html`<p class="felt notice">${waiting ? t().notYetDealt : t().boardsHidden}</p>`;
    }
    return boards.map(({ seat, board }) =>
      board
        ? html`<figure class="watched" data-seat=${seat.seat}>
            <figcaption>
              <b>${seatName(seat)}</b> · ${t().seatStatus[seat.status] ?? seat.status}
              <span>${t().score}: ${scoreText(state.card.game, board.score)} · ${t().moves}: ${number(board.moves)}</span>
              ${seat.hope && !seatEnded(seat.status) ? html`<span class="hope">${hopeText(seat.hope)}</span>` : nothing}
            </figcaption>
            ${boardOf(board, undefined)}
          </figure>`
        : nothing,
    );
  }

  /**
   * @param {RaceSession} session
   * @param {RaceState} state
   */
  result(session, state) {
    if (state.status === "voided") {
      return html`<section class="panel result">
        ${state.reason ? html`<p>${t().voidedWhy(t().voidReasons[state.reason] ?? state.reason)}</p>` : nothing}
        <a class="button" href="/">${t().lobby}</a>
      </section>`;
    }
    return html`<section class="panel result">
      ${standingsTable(state)}
      <fd-analysis .race=${state.race} .language=${this.language}></fd-analysis>
      <p role="status" class="next">${session.next ? t().nextRaceThere : nothing}</p>
      <div class="actions">
        ${this.nextRace(session)}
        ${state.code ? html`<a class="button" href="/?code=${encodeURIComponent(state.code)}">${t().sameDeal}</a>` : nothing}
        <a class="button second" href="/">${t().lobby}</a>
      </div>
      <p role="alert" class="refusal">${session.refusal}</p>
    </section>`;
  }

  /**
   * The way to the race after this one, or to ask for it: both are for those who raced.
   * @param {RaceSession} session
   */
  nextRace(session) {
    if (this.as !== "seat") return nothing;
    if (session.next) return html`<a class="button main" href=${playPath(session.next)}>${t().nextRace}</a>`;
    return commandButton(session, "rematch", t().rematch, "main");
  }
}

function doubleTapSwitch() {
  const keep = (/** @type {Event} */ event) => keepDoubleTap(/** @type {HTMLInputElement} */ (event.target).checked);
  return html`<label class="check"><input type="checkbox" name="double_tap" .checked=${doubleTap()} @change=${keep} /><span>${t().doubleTap}</span></label>`;
}

/** @param {RaceState} state */
function dealName(state) {
  if (state.code) return html`<a class="code" href=${codePath(state.code)}>${state.code}</a>`;
  return `${state.card.game} · ${state.card.sealed ? t().sealedDeal : t().newDeal}`;
}

customElements.define("fd-race", RacePage);
