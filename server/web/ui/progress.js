// @ts-check
/** How far each seat of a race has come, over time: the race chart. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readProgress } from "../net/http.js";
import { raceEnded } from "../store/race.js";
import { t } from "../texts/index.js";
import "./chart.js";
import { clockFace } from "./countdown.js";
import { LightElement } from "./element.js";
import { seatName, toClear } from "./seats.js";

/** Points that lie nearer than this part of the whole are one point: a long race has no more than a short one. */
const NEAR = 1 / 200;
/** The chart is drawn anew at most so often, whatever the number of events. */
const REDRAW_MS = 1_000;
/** What was missed of a longer log would cost the server more than a chart is worth: that chart begins when one comes. */
const LONGEST_READ = 4_000;

/** @typedef {import("../store/race.js").RaceState} RaceState */

class RaceChart extends LightElement {
  static properties = { state: { attribute: false, hasChanged: () => true }, clock: { attribute: false }, language: { type: String }, drawn: { state: true } };

  constructor() {
    super();
    /** @type {RaceState | undefined} */
    this.state = undefined;
    /** @type {import("../net/clock.js").ServerClock | undefined} */
    this.clock = undefined;
    this.language = "";
    /** The lines as they are drawn. @type {import("./chart.js").Line[]} */
    this.drawn = [];
    /** What was seen of each seat: seconds since the start, cards cleared. @type {Map<number, [number, number][]>} */
    this.seen = new Map();
    /** The race whose past has been asked for, or was seen. */
    this.known = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("state") && this.state) this.note(this.state);
  }

  /** @param {RaceState} state */
  note(state) {
    const now = this.clock?.now();
    if (!state.startAt || now === undefined || now < state.startAt) return;
    const s = (now - state.startAt) / 1000;
    if (this.known !== state.race) this.begin(state);
    for (const { seat, cleared } of state.seats) if (cleared !== undefined) add(this.pointsOf(seat), s, cleared);
    this.timer ??= setTimeout(() => this.draw(), this.drawn.length > 0 ? REDRAW_MS : 0);
  }

  /** @param {RaceState} state of which some has been missed, where cards are cleared already */
  begin({ race, seq, seats }) {
    this.known = race;
    this.seen.clear();
    if (seats.some(({ cleared = 0 }) => cleared > 0) && seq <= LONGEST_READ) this.read(race);
  }

  /** @param {string} race whose past is read, and put before what has been seen meanwhile */
  async read(race) {
    try {
      const { seats } = await readProgress(race);
      if (race !== this.known) return;
      for (const { seat, points } of seats) {
        /** @type {[number, number][]} */
        const whole = [];
        for (const [ms, cleared] of points) add(whole, ms / 1000, cleared);
        const [from] = whole.at(-1) ?? [0];
        for (const [s, cleared] of this.pointsOf(seat)) if (s > from) add(whole, s, cleared);
        this.seen.set(seat, whole);
      }
      this.timer ??= setTimeout(() => this.draw(), 0);
    } catch {
      // The chart is as good from here on.
    }
  }

  /** @param {number} seat */
  pointsOf(seat) {
    const points = this.seen.get(seat) ?? [];
    this.seen.set(seat, points);
    return points;
  }

  draw() {
    this.timer = undefined;
    const { state } = this;
    if (!state?.startAt) return;
    const now = ((this.clock?.now() ?? state.startAt) - state.startAt) / 1000;
    this.drawn = state.seats.map((seat) => {
      const points = this.seen.get(seat.seat) ?? [];
      const last = points.at(-1);
      return { name: seatName(seat), own: seat.seat === state.my?.seat, points: last ? [...points, [now, last[1]]] : [] };
    });
  }

  render() {
    if (!this.state || raceEnded(this.state) || this.drawn.length === 0) return nothing;
    return html`<fd-chart
      .lines=${this.drawn}
      .caption=${t().clearedOverTime}
      .along=${t().time}
      .most=${toClear(this.state)}
      .says=${(/** @type {number} */ s) => clockFace(Math.round(s))}
      .language=${this.language}
    ></fd-chart>`;
  }
}

/**
 * @param {[number, number][]} points
 * @param {number} s
 * @param {number} cleared
 */
function add(points, s, cleared) {
  if (points.at(-1)?.[1] === cleared) return;
  if (points.length > 1 && s - points[points.length - 2][0] < s * NEAR) points.pop();
  points.push([s, cleared]);
}

customElements.define("fd-race-chart", RaceChart);
