// @ts-check
/** A time that runs: to the start, or to the limit. Ticks by itself, by the server's clock. */

import { html } from "../vendor/lit/lit-element.js";
import { LightElement } from "./element.js";

const TICK_MS = 200;

/** Fires `second` with the seconds left, each time that they have changed. */
export class Countdown extends LightElement {
  static properties = { until: { type: Number }, clock: { attribute: false }, says: { attribute: false } };

  constructor() {
    super();
    /** ms of the server's clock */
    this.until = 0;
    /** @type {import("../net/clock.js").ServerClock | undefined} */
    this.clock = undefined;
    /** @type {(seconds: number) => string} */
    this.says = clockFace;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.seconds = -1;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  tick() {
    const seconds = this.left();
    if (seconds === this.seconds) return;
    this.seconds = seconds;
    this.dispatchEvent(new CustomEvent("second", { detail: seconds }));
    this.requestUpdate();
  }

  /** @returns {number} whole seconds */
  left() {
    return Math.ceil(Math.max(0, this.until - (this.clock?.now() ?? this.until)) / 1000);
  }

  render() {
    return html`<span class="time">${this.says(this.left())}</span>`;
  }
}

/** @param {number} seconds */
export function clockFace(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

customElements.define("fd-countdown", Countdown);
