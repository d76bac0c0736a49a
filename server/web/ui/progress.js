// @ts-check
/** How far each seat of a race has come, over time, as long as one looks on: the race chart. */

import { html, nothing } from "../vendor/lit/lit-element.js";
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
    for (const { seat, cleared } of state.seats) {
      if (cleared === undefined) continue;
      const points = this.seen.get(seat) ?? [];
      if (points.length === 0) this.seen.set(seat, points);
      if (points.at(-1)?.[1] === cleared) continue;
      if (points.length > 1 && s - points[points.length - 2][0] < s * NEAR) points.pop();
      points.push([s, cleared]);
    }
    this.timer ??= setTimeout(() => this.draw(), this.drawn.length > 0 ? REDRAW_MS : 0);
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

customElements.define("fd-race-chart", RaceChart);
