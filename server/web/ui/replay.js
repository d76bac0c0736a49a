// @ts-check
/** A race that is over, stepped through: one board or two in step, where it was lost, files to take or to bring. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { CallRefused, readReplay } from "../net/http.js";
import { FILE, codePath, replayPath, watchPath } from "../route.js";
import { analysisOf } from "../store/analysis.js";
import { momentHash, momentWith, momentsOf, readMoment } from "../store/moments.js";
import { Playback } from "../store/playback.js";
import { Positions } from "../store/positions.js";
import { number, t } from "../texts/index.js";
import { told as toldMove } from "../texts/told.js";
import { hopeText } from "./analysis.js";
import { hopeBar } from "./bar.js";
import { boardOf } from "./board.js";
import "./chart.js";
import { clockFace } from "./countdown.js";
import { LightElement } from "./element.js";
import "./link.js";
import { controls, pressed } from "./replay/controls.js";
import { downloads } from "./replay/files.js";
import { hopeAt, marksOf, waysToLosses } from "./replay/losses.js";
import { scoreText } from "./score.js";
import { seatName } from "./seats.js";

/**
 * @typedef {import("../store/moments.js").Told} Told
 * @typedef {import("../store/moments.js").Run} Run
 * @typedef {import("../store/moments.js").Step} Step
 * @typedef {import("../store/analysis.js").SeatAnalysis} SeatAnalysis
 */

/** As many boards are shown in step. */
const BESIDE = 2;

class ReplayPage extends LightElement {
  static properties = {
    race: { type: String },
    language: { type: String },
    told: { state: true },
    seats: { state: true },
    step: { state: true },
    analysis: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.race = "";
    this.language = "";
    /** @type {Told | undefined} */
    this.told = undefined;
    /** The seats shown, the first of them the one that a link to the moment counts by. @type {number[]} */
    this.seats = [];
    /** @type {Step} */
    this.step = "time";
    /** @type {SeatAnalysis[]} */
    this.analysis = [];
    this.trouble = "";
    /** The boards of each seat. @type {Map<number, Positions>} */
    this.positions = new Map();
    /** The last board that was there, of each seat: it stays until the next one has come. @type {Map<number, import("../store/positions.js").Position>} */
    this.lastShown = new Map();
    this.playback = new Playback(() => this.requestUpdate());
    this.keyed = (/** @type {KeyboardEvent} */ event) => {
      if (this.told && pressed(this.playback, event)) event.preventDefault();
    };
    this.rehashed = () => this.told && this.goTo(location.hash);
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.keyed);
    addEventListener("hashchange", this.rehashed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.keyed);
    removeEventListener("hashchange", this.rehashed);
    this.playback.stop();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("race")) this.load(this.race);
  }

  /** @param {string} race */
  async load(race) {
    this.playback.stop();
    this.told = undefined;
    this.trouble = "";
    if (race === FILE) return;
    try {
      const told = await readReplay(race);
      if (race === this.race) this.show(told);
    } catch (error) {
      if (race !== this.race) return;
      const tooEarly = error instanceof CallRefused && error.status === 409;
      this.trouble = tooEarly ? t().notOverYet : error instanceof Error ? error.message : String(error);
    }
  }

  /** @param {Told} told */
  show(told) {
    this.told = told;
    this.analysis = [];
    this.positions.clear();
    this.lastShown.clear();
    this.goTo(location.hash);
    analysisOf(told.race).then((found) => {
      if (found && this.told === told) this.analysis = found.filter(({ why }) => !why);
    });
  }

  /** The runs that can be shown: a seat that was never dealt to has none. */
  get runs() {
    return this.told?.seats.filter(({ record }) => record) ?? [];
  }

  get shown() {
    return this.seats.flatMap((seat) => this.runs.filter((run) => run.seat === seat));
  }

  /** @param {string} hash of the address: the moment that it names, else the deal of the first two */
  goTo(hash) {
    const { seats, n } = readMoment(hash);
    const there = [...new Set(seats)].filter((seat) => this.runs.some((run) => run.seat === seat)).slice(0, BESIDE);
    this.seats = there.length > 0 ? there : this.runs.slice(0, BESIDE).map(({ seat }) => seat);
    this.lay(n ?? 0);
  }

  /**
   * Lay the moments out anew.
   * @param {number} n operations that the first of the seats has come to
   */
  lay(n) {
    const moments = momentsOf(this.shown, this.told?.start_at ?? 0, this.step);
    this.playback.load(moments, momentWith(moments, 0, n));
  }

  /** @param {number} seat shown from now on, or no more; of three the one chosen first gives way */
  choose(seat) {
    const n = this.playback.moment.n[0] ?? 0;
    const first = this.seats[0];
    if (!this.seats.includes(seat)) this.seats = [...this.seats, seat].slice(-BESIDE);
    else if (this.seats.length > 1) this.seats = this.seats.filter((one) => one !== seat);
    this.lay(this.seats[0] === first ? n : 0);
  }

  /** @param {Step} step */
  inStepBy(step) {
    const n = this.playback.moment.n[0] ?? 0;
    this.step = step;
    this.lay(n);
  }

  /**
   * @param {Run} run
   * @param {number} n
   */
  position(run, n) {
    let positions = this.positions.get(run.seat);
    if (!positions) {
      positions = new Positions(run.record ?? "", this.told?.card.undo ?? "free", () => this.requestUpdate());
      this.positions.set(run.seat, positions);
    }
    const found = positions.at(n);
    if (found) this.lastShown.set(run.seat, found);
    return { position: found ?? this.lastShown.get(run.seat), late: !found, trouble: positions.trouble };
  }

  render() {
    const { told } = this;
    document.title = `${t().replay}${told?.code ? ` · ${told.code}` : ""} · Fairdeal`;
    return html`<div class=${told ? "replay" : "replay empty"} data-moment=${this.playback.index}>
      ${told ? this.replayed(told) : this.untold()}
      <section class="panel"><fd-replay-file .language=${this.language} @replay=${(/** @type {CustomEvent<Told>} */ { detail }) => this.show(detail)}></fd-replay-file></section>
    </div>`;
  }

  /** There is nothing to show yet, or not at all: a race that is still on can be watched. */
  untold() {
    return html`<section class="heading">
      <h1>${t().replay}</h1>
      ${this.race === FILE || this.trouble ? nothing : html`<p role="status">${t().loading}</p>`}
      <p role="alert" class="refusal">${this.trouble}</p>
      ${this.trouble ? html`<p class="actions"><a class="button" href=${watchPath(this.race)}>${t().watch}</a> <a class="button second" href="/">${t().lobby}</a></p>` : nothing}
    </section>`;
  }

  /** @param {Told} told */
  replayed(told) {
    const runs = this.shown;
    const fromServer = told.race === this.race;
    return html`<div class="heading">
        <h1>${t().replay}: ${told.code ? html`<a class="code" href=${codePath(told.code)}>${told.code}</a>` : told.card.game}</h1>
        <p class="terms">${t().goal}: ${t().goals[told.card.goal] ?? told.card.goal} ${fromServer ? html`· <a href=${watchPath(told.race)}>${t().result}</a>` : nothing}</p>
      </div>
      ${runs.length === 0
        ? html`<p class="felt notice">${t().neverDealt}</p>`
        : html`<div class="stage stack">
              ${this.choices()}
              <div class="boards" data-boards=${runs.length}>${runs.map((run, index) => this.board(told, run, this.playback.moment.n[index] ?? 0))}</div>
              <section class="panel">
                ${controls(this.playback, marksOf(runs, this.analysis, this.playback), this.said())} ${waysToLosses(runs, this.analysis, this.playback)}
                <p class="unseen" role="status">${this.playback.playing ? nothing : this.said()}</p>
                <p class="quiet keys">${t().replayKeys}</p>
              </section>
            </div>
            <section class="panel">${this.growth(told)} ${fromServer ? this.toTake(told) : nothing}</section>`}`;
  }

  /** Whose boards are shown, and what keeps two in step. */
  choices() {
    const { runs } = this;
    if (runs.length < 2) return nothing;
    const step = (/** @type {Step} */ by, /** @type {string} */ label) =>
      html`<button type="button" class="second" data-step=${by} aria-pressed=${this.step === by} @click=${() => this.inStepBy(by)}>${label}</button>`;
    return html`<div class="choices">
      <div class="switch" role="group" aria-label=${t().whoseBoards}>
        ${runs.map(
          (run) => html`<button type="button" class="second" data-seat=${run.seat} aria-pressed=${this.seats.includes(run.seat)} @click=${() => this.choose(run.seat)}>${seatName(run)}</button>`,
        )}
      </div>
      ${this.seats.length > 1
        ? html`<div class="switch" role="group" aria-label=${t().inStep}>${step("time", t().byTime)} ${step("moves", t().byMoves)}</div>`
        : nothing}
    </div>`;
  }

  /**
   * @param {Told} told
   * @param {Run} run
   * @param {number} n
   */
  board(told, run, n) {
    const { position, late, trouble } = this.position(run, n);
    const hope = hopeAt(this.analysis.find(({ seat }) => seat === run.seat), run, n);
    const seat = /** @type {import("../store/race.js").Seat} */ ({ seat: run.seat, status: run.status, cleared: run.operations[n - 1]?.cleared ?? 0, hope });
    const state = /** @type {import("../store/race.js").RaceState} */ (/** @type {unknown} */ (told));
    return html`<figure class="watched" data-seat=${run.seat} data-n=${n} aria-busy=${late}>
      <figcaption>
        <b>${seatName(run)}</b> ${run.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}
        <span class="status">${n === run.operations.length ? (t().seatStatus[run.status] ?? run.status) : nothing}</span>
        <span class="numbers">${t().operationOf(number(n), number(run.operations.length))} · ${t().score}: ${scoreText(told.card.game, position?.board.score ?? 0)}</span>
        ${hope ? html`${hopeBar(state, seat)} <span class="hope" title=${hopeText(hope)}>${hopeText(hope)}</span>` : nothing}
      </figcaption>
      ${position ? boardOf(position.board, undefined) : html`<p class="felt notice" role="status">${trouble || t().loading}</p>`}
      ${trouble && position ? html`<p role="alert" class="refusal">${trouble}</p>` : nothing}
    </figure>`;
  }

  /** The moment in words: what the operation before it did. */
  said() {
    const run = this.shown[0];
    const n = this.playback.moment.n[0] ?? 0;
    if (!run) return "";
    const where = t().operationOf(number(n), number(run.operations.length));
    const { position } = this.position(run, n);
    const before = n > 0 ? this.position(run, n - 1).position : undefined;
    if (n === 0 || !position?.m || position.n !== n || before?.n !== n - 1) return where;
    return `${where}: ${position.m === "u" ? t().undone : toldMove(before.board, position.m, position.turned)}`;
  }

  /** @param {Told} told */
  growth(told) {
    const start = told.start_at ?? 0;
    const lines = this.shown.map(({ start: dealt, operations, ...run }) => ({
      name: seatName(run),
      points: /** @type {[number, number][]} */ ([[0, dealt], ...operations.map(({ at, score }) => [Math.max(0, (at - start) / 1000), score])]),
    }));
    return html`<fd-chart
      .lines=${lines}
      .caption=${t().scoreOverTime}
      .along=${t().time}
      .marked=${this.playback.moment.ms / 1000}
      .says=${(/** @type {number} */ s) => clockFace(Math.round(s))}
      .shows=${(/** @type {number} */ score) => scoreText(told.card.game, score)}
      .language=${this.language}
    ></fd-chart>`;
  }

  /** @param {Told} told */
  toTake(told) {
    const here = replayPath(told.race) + momentHash(this.seats, this.playback.moment.n[0] ?? 0);
    return html`<fd-link .label=${t().momentLink} .path=${here} .language=${this.language}></fd-link> ${downloads(told.race, this.runs)}`;
  }
}

customElements.define("fd-replay", ReplayPage);
