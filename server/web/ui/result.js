// @ts-check
/** How a race ended: standings, how the scores grew, what could have been, and what can be done next. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { createRace, readReplay } from "../net/http.js";
import { codePath, formPath, go, playPath, replayPath } from "../route.js";
import { keepReady } from "../store/player.js";
import { forOneAlone } from "../store/race.js";
import { number, t } from "../texts/index.js";
import { nameOf } from "../texts/names.js";
import "./analysis.js";
import "./chart.js";
import { clockFace } from "./countdown.js";
import { LightElement } from "./element.js";
import "./link.js";
import { scoreText } from "./score.js";
import { seatName } from "./seats.js";
import { seriesTable } from "./series.js";
import { standingsTable } from "./standings.js";
import { commandButton } from "./waiting.js";

/**
 * @typedef {import("../store/race.js").RaceState} RaceState
 * @typedef {import("../store/session.js").RaceSession} RaceSession
 * @typedef {import("../store/moments.js").Told} Told
 * @typedef {import("../store/moments.js").Run} Run
 */

class Result extends LightElement {
  static properties = {
    state: { attribute: false },
    session: { attribute: false, hasChanged: () => true },
    seated: { type: Boolean },
    language: { type: String },
    told: { state: true },
    along: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    /** @type {RaceState | undefined} */
    this.state = undefined;
    /** @type {RaceSession | undefined} */
    this.session = undefined;
    /** Whether the viewer raced: what comes next is for those who did. */
    this.seated = false;
    this.language = "";
    /** The race as it is replayed. @type {Told | undefined} */
    this.told = undefined;
    /** @type {"time" | "moves"} */
    this.along = "time";
    this.trouble = "";
    this.asked = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const { state } = this;
    if (changed.has("state") && state && state.status === "finished" && this.asked !== state.race) this.load(state.race);
  }

  /** @param {string} race */
  async load(race) {
    this.asked = race;
    try {
      this.told = await readReplay(race);
    } catch {
      // The standings stand without it.
      this.told = undefined;
    }
  }

  render() {
    const { state, session } = this;
    if (!state || !session) return nothing;
    if (state.status === "voided") {
      return html`<section class="panel result">
        ${voidedText(state)}
        <a class="button" href="/">${t().lobby}</a>
      </section>`;
    }
    return html`<section class="panel result">
      ${standingsTable(state)} ${seriesTable(state)}
      <p role="status" class="next">${session.next ? t().nextRaceThere : nothing}</p>
      <div class="actions">
        ${this.nextRace(session)}
        <a class="button ${this.seated ? "" : "main"}" data-action="replay" href=${replayPath(state.race)}>${t().replay}</a>
        ${this.sameDeal(state)}
        <a class="button second" href="/">${t().lobby}</a>
      </div>
      <p role="alert" class="refusal">${session.refusal || this.trouble}</p>
      ${this.told ? this.growth(state, this.told) : nothing}
      <fd-analysis .race=${state.race} .language=${this.language}></fd-analysis>
      ${this.ghosts(state)}
      <fd-link .label=${t().replayLink} .path=${replayPath(state.race)} .language=${this.language}></fd-link>
    </section>`;
  }

  /**
   * The way to the race after this one, or to ask for it.
   * @param {RaceSession} session
   */
  nextRace(session) {
    if (!this.seated) return nothing;
    if (session.next) return html`<a class="button main" href=${playPath(session.next)}>${t().nextRace}</a>`;
    if (this.alone) return html`<button type="button" class="main" data-command="rematch" @click=${() => session.nextDeal()}>${t().newDealNow}</button>`;
    return commandButton(session, "rematch", t().rematch, "main");
  }

  /** Whether the viewer raced, and against nobody. */
  get alone() {
    return this.seated && this.state?.card.seats === 1;
  }

  /**
   * The way to the same cards again: for who races alone one press, else the form. A deal that was sealed is raced from
   * the page of its code, which knows the literal code of it: under its own no race may be offered.
   * @param {RaceState} state
   */
  sameDeal({ code, card }) {
    if (!code) return nothing;
    if (card.sealed) return html`<a class="button" href=${codePath(code)}>${t().sameDeal}</a>`;
    if (!this.alone) return html`<a class="button" href=${formPath(code)}>${t().sameDeal}</a>`;
    const { goal, time_limit_s, undo } = card;
    return html`<button type="button" data-action="again" @click=${() => this.race({ code, seats: 1, goal, time_limit_s, undo })}>${t().sameDealAgain}</button>`;
  }

  /** @param {Record<string, unknown>} card */
  async race(card) {
    this.trouble = "";
    try {
      const { race } = await createRace(card);
      if (forOneAlone(card)) keepReady(race);
      go(playPath(race));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * How each score grew, over time or over moves.
   * @param {RaceState} state
   * @param {Told} told
   */
  growth(state, told) {
    const runs = told.seats.filter(({ operations }) => operations.length > 0);
    if (runs.length === 0) return nothing;
    const time = this.along === "time";
    const start = told.start_at ?? 0;
    const lines = runs.map((run) => ({ name: seatName(run), own: run.seat === state.my?.seat, points: time ? overTime(run, start) : overMoves(run) }));
    return html`<div class="growth">
      <div class="switch" role="group" aria-label=${t().chartAlong}>
        ${this.alongButton("time", t().overTime)} ${this.alongButton("moves", t().overMoves)}
      </div>
      <fd-chart
        .lines=${lines}
        .caption=${time ? t().scoreOverTime : t().scoreOverMoves}
        .along=${time ? t().time : t().moves}
        .says=${time ? (/** @type {number} */ s) => clockFace(Math.round(s)) : number}
        .shows=${(/** @type {number} */ score) => scoreText(state.card.game, score)}
        .language=${this.language}
      ></fd-chart>
    </div>`;
  }

  /**
   * @param {"time" | "moves"} along
   * @param {string} label
   */
  alongButton(along, label) {
    return html`<button type="button" class="second" data-along=${along} aria-pressed=${this.along === along} @click=${() => (this.along = along)}>${label}</button>`;
  }

  /**
   * Anybody may race a run of an open deal again, as a ghost.
   * @param {RaceState} state
   */
  ghosts(state) {
    const runs = state.card.sealed ? [] : (this.told?.seats ?? []).filter(({ operations }) => operations.length > 0);
    if (runs.length === 0) return nothing;
    const { goal, time_limit_s } = state.card;
    return html`<details class="ghosts">
      <summary>${t().ghosts}</summary>
      <p class="quiet">${t().ghostHint}</p>
      <div class="actions">
        ${runs.map((run) => html`<button type="button" data-ghost=${run.seat} @click=${() => this.race({ bots: [{ bot: "ghost", race: state.race, seat: run.seat }], seats: 2, goal, time_limit_s })}>${t().raceGhost(seatName(run))}</button>`)}
      </div>
    </details>`;
  }
}

/**
 * @param {Run} run
 * @param {number} start ms
 * @returns {[number, number][]} seconds, score
 */
function overTime({ start: dealt, operations, score, ended_at: end }, start) {
  /** @type {[number, number][]} */
  const points = [[0, dealt], ...operations.map((one) => /** @type {[number, number]} */ ([Math.max(0, (one.at - start) / 1000), one.score]))];
  return end == null ? points : [...points, [Math.max(0, (end - start) / 1000), score]];
}

/**
 * @param {Run} run
 * @returns {[number, number][]} operations, score
 */
function overMoves({ start, operations, score }) {
  /** @type {[number, number][]} */
  const points = [[0, start], ...operations.map((one, index) => /** @type {[number, number]} */ ([index + 1, one.score]))];
  return [...points, [operations.length, score]];
}

/**
 * Why a race does not count, as far as that is known here.
 * @param {import("../store/race.js").RaceState} state
 */
function voidedText({ reason, declined, creator }) {
  if (declined) return html`<p role="status">${declinedText(declined)}</p>`;
  // Whom the server has paired nobody has invited: one of them has left.
  const why = reason === "cancelled" && !creator ? "left" : reason;
  return why ? html`<p>${t().voidedWhy(t().voidReasons[why] ?? why)}</p>` : nothing;
}

/** @param {{ name: string, kind: string, reason?: string }} declined */
function declinedText(declined) {
  const { reason } = declined;
  return reason ? t().declined(nameOf(declined), t().declines[reason] ?? reason) : t().calledOffBy(nameOf(declined));
}

customElements.define("fd-result", Result);
