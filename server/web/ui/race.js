// @ts-check
/** One race on the page: waiting, playing or watching, and the result. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { codePath, go, playPath, watchPath } from "../route.js";
import { sameCards } from "../store/double.js";
import { TURNED, lively } from "../store/settings.js";
import { raceEnded, seatEnded } from "../store/race.js";
import { RaceSession } from "../store/session.js";
import { milliseconds, t } from "../texts/index.js";
import { BOARDS } from "./board.js";
import { connectionLine } from "./connection.js";
import "./countdown.js";
import { LightElement } from "./element.js";
import { onceText } from "./game.js";
import { eventLog } from "./log.js";
import "./progress.js";
import "./result.js";
import { seatList } from "./seats.js";
import { seriesTable } from "./series.js";
import { sound } from "./sound.js";
import { keysHint, ownTable } from "./table.js";
import { waitingRoom } from "./waiting.js";
import { watchedRace } from "./watch.js";

/** @typedef {import("../store/race.js").RaceState} RaceState */

const SURE_MS = 4_000;
/** From so many seconds before the limit each one is heard, and at these it is said how many are left. */
const LAST_S = 10;
const SAID_S = [60, LAST_S];
/** So long a cleared table stays, where anything may move, before the result takes its place. */
const WON_MS = 450;

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
    /** Seconds to the start, while they are counted. */
    this.counted = 0;
    /** What was heard of last: refusals, and how one's own game stands. */
    this.heard = { refusals: 0, status: "" };
    /** One's own table was just cleared, and is still looked at. */
    this.cheering = false;
    /** @type {RaceSession | undefined} */
    this.session = undefined;
    this.pressed = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.turned = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.pressed);
    addEventListener(TURNED, this.turned);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.pressed);
    removeEventListener(TURNED, this.turned);
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
    this.sayNo();
    this.hearEnd();
  }

  /** A move was refused: its card shakes. */
  sayNo() {
    const { word, times } = this.session?.refused ?? { word: "", times: 0 };
    if (times > this.heard.refusals) {
      sound("refused");
      this.ownBoard?.refuse(word);
    }
    this.heard.refusals = times;
  }

  hearEnd() {
    const status = this.session?.state?.my?.status ?? "";
    if (this.heard.status && status !== this.heard.status && status !== "playing") {
      if (status === "won") sound("won");
      else if (status === "stuck" || seatEnded(status)) sound("over");
    }
    this.heard.status = status;
  }

  /** Let a cleared table be seen before the result takes its place. */
  cheer() {
    if (this.cheering) return;
    this.cheering = true;
    setTimeout(() => {
      this.cheering = false;
      this.requestUpdate();
    }, WON_MS);
  }

  /** @returns {import("./golf.js").GolfBoard | import("./double/board.js").DoubleBoard | null} */
  get ownBoard() {
    return this.querySelector(BOARDS);
  }

  sessionChanged() {
    const { session } = this;
    if (session?.left) go("/");
    else if (session?.rematched) {
      session.rematched = false;
      go(playPath(session.next));
    }
    if (session?.state?.my?.status === "won" && this.heard.status === "playing" && lively()) this.cheer();
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !this.playing()) return;
    if (event.target instanceof Element && event.target.closest("input:not([type=checkbox]), select, textarea, dialog")) return;
    const key = event.key.toLowerCase();
    if (this.ownBoard?.press(key)) {
      if (key.startsWith("arrow")) event.preventDefault();
    } else if (key === "h" && this.session?.state?.my?.hints) this.session.say("hint");
  }

  /** @param {string} word a move of notation.md */
  play(word) {
    const { session } = this;
    const before = session?.board;
    session?.play(word);
    const after = session?.board;
    if (before && after && !sameCards(before, after)) sound("card");
  }

  /** @param {string} text why a move was not even sent */
  remark(text) {
    this.session?.remark(text);
  }

  /**
   * What cannot be taken back asks once more.
   * @param {"done" | "resign"} command
   */
  final(command) {
    const sure = this.sure === command;
    if (sure) this.session?.say(command);
    else setTimeout(() => (this.sure = ""), SURE_MS);
    this.sure = sure ? "" : command;
  }

  /** Whether a move of this viewer can be accepted now. */
  playing() {
    const my = this.session?.state?.my;
    return Boolean(my?.board && !seatEnded(my.status) && this.session?.state && !raceEnded(this.session.state));
  }

  /** @param {RaceState} state */
  over(state) {
    return raceEnded(state) && !this.cheering;
  }

  render() {
    const { session } = this;
    if (!session) return nothing;
    const { state, fault } = session;
    const title = `${state?.card.name || state?.code || t().race} · Fairdeal`;
    document.title = state?.status === "starting" && this.counted > 0 ? `${t().startsIn(this.counted)} · ${title}` : title;
    const table = this.as === "seat" && state?.my?.board && !this.over(state);
    return html`<div class="race ${table ? "table" : ""}" data-status=${state?.status ?? "unknown"} data-seq=${state?.seq ?? 0}>
      <div class="front">
        ${connectionLine(session)} ${fault ? this.faultNotice(fault) : nothing} ${state ? this.front(session, state) : nothing}
      </div>
      ${state
        ? html`<aside class="panel">
            ${seatList(state)}
            ${session.startedLate === undefined ? nothing : html`<p class="quiet" data-started-late=${session.startedLate}>${t().boardsCame(milliseconds(session.startedLate))}</p>`}
            ${state.seats.length > 1 ? html`<fd-race-chart .state=${state} .clock=${session.clock} .language=${this.language}></fd-race-chart>` : nothing}
            ${state.watchers > 0 ? html`<p class="quiet">${t().watchers(state.watchers)}</p>` : nothing}
            ${state.status === "open" ? html`${seriesTable(state)} ${waitingRoom(session, state)}` : nothing} ${eventLog(session.log)}
            ${table && state.my?.board && this.playing() ? keysHint(state.my) : nothing}
          </aside>`
        : nothing}
    </div>`;
  }

  /** @param {{ code: string, message: string }} fault */
  faultNotice(fault) {
    return html`<section class="panel">
      <h1>${t().race}</h1>
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
          ${onceText(state.card.game) && `· ${onceText(state.card.game)}`}
        </p>
        <p class="phase" role="status">${t().raceStatus[state.status] ?? state.status}</p>
        ${this.clockPart(session, state)}
      </div>
      ${this.over(state)
        ? html`<fd-result .state=${state} .session=${session} .seated=${this.as === "seat"} .language=${this.language}></fd-result>`
        : nothing}
      ${this.as === "seat" && !this.over(state)
        ? html`<div class="own-board">${ownTable(session, state, this.playing(), this)}</div>`
        : watchedRace(state)}`;
  }

  /**
   * @param {RaceSession} session
   * @param {RaceState} state
   */
  clockPart(session, state) {
    if (!state.startAt || raceEnded(state)) return nothing;
    if (state.status === "starting") {
      return html`<p class="starting" role="timer">
        <fd-countdown .until=${state.startAt} .clock=${session.clock} .says=${t().startsIn} @second=${this.toStart}></fd-countdown>
      </p>`;
    }
    return html`<p class="limit" role="timer">
      ${t().timeLeft} <fd-countdown .until=${state.deadline ?? 0} .clock=${session.clock} @second=${this.toLimit}></fd-countdown>
    </p>`;
  }

  /** @param {CustomEvent<number>} event */
  toStart({ detail: seconds }) {
    this.counted = seconds;
    sound(seconds > 0 ? "tick" : "go");
    this.requestUpdate();
  }

  /** @param {CustomEvent<number>} event */
  toLimit({ detail: seconds }) {
    if (!this.playing()) return;
    if (seconds > 0 && seconds <= LAST_S) sound("tick");
    if (SAID_S.includes(seconds)) this.session?.note(t().secondsLeft(seconds));
    this.requestUpdate();
  }
}

/** @param {RaceState} state */
function dealName(state) {
  if (state.code) return html`<a class="code" href=${codePath(state.code)}>${state.code}</a>`;
  if (state.sealedUntil) return `${t().daily} · ${t().games[state.card.game.slice(0, 2)] ?? state.card.game}`;
  return `${state.card.game} · ${state.card.sealed ? t().sealedDeal : t().newDeal}`;
}

customElements.define("fd-race", RacePage);
