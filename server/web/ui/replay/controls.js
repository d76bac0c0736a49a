// @ts-check
/** What a replay is moved by: the scrubber with its marks, steps, play, speed. */

import { html, nothing, svg } from "../../vendor/lit/lit-element.js";
import { SPEEDS } from "../../store/playback.js";
import { number, t } from "../../texts/index.js";
import { clockFace } from "../countdown.js";

/**
 * @typedef {import("../../store/playback.js").Playback} Playback
 * @typedef {{ index: number, lost: boolean }} Mark a moment at which something was given away
 */

/** Moments that Page Up and Page Down leap over. */
const LEAP = 10;
/** Outlines in a box of 20 by 20. */
const SIGNS = {
  start: "M4 3V17M16 3L7 10L16 17Z",
  back: "M14 3L5 10L14 17Z",
  play: "M5 3L16 10L5 17Z",
  pause: "M4 3H8V17H4ZM12 3H16V17H12Z",
  on: "M6 3L15 10L6 17Z",
  end: "M4 3L13 10L4 17ZM16 3V17",
};
const STRIP = 1000;

/**
 * @param {Playback} playback
 * @param {Mark[]} marks
 * @param {string} said the moment in words
 */
export function controls(playback, marks, said) {
  const { index, last, moment, playing, speed } = playback;
  const slide = (/** @type {Event} */ event) => {
    playback.stop();
    playback.go(Number(/** @type {HTMLInputElement} */ (event.target).value));
  };
  const hasten = (/** @type {Event} */ event) => playback.hasten(Number(/** @type {HTMLSelectElement} */ (event.target).value));
  const step = (/** @type {string} */ label, /** @type {keyof typeof SIGNS} */ shape, /** @type {number} */ by, /** @type {boolean} */ can) =>
    html`<button type="button" class="second" aria-label=${label} title=${label} data-action=${shape} ?disabled=${!can} @click=${() => playback.step(by)}>${sign(shape)}</button>`;
  return html`<div class="controls">
    <div class="scrubber">
      ${strip(marks, last)}
      <input type="range" name="moment" min="0" max=${last} .value=${String(index)} aria-label=${t().moment} aria-valuetext=${said} @input=${slide} />
    </div>
    <div class="actions">
      ${step(t().toStart, "start", -last, index > 0)} ${step(t().stepBack, "back", -1, index > 0)}
      <button type="button" class="main" data-action="play" ?disabled=${last === 0} @click=${() => playback.toggle()}>
        ${sign(playing ? "pause" : "play")} ${playing ? t().pause : t().playIt}
      </button>
      ${step(t().stepOn, "on", 1, index < last)} ${step(t().toEnd, "end", last, index < last)}
      <label class="speed"
        ><span class="unseen">${t().speed}</span>
        <select name="speed" @change=${hasten}>
          ${SPEEDS.map((one) => html`<option value=${one} ?selected=${one === speed}>${one === 0 ? t().realTime : `${number(one)}×`}</option>`)}
        </select></label
      >
      <span class="at"><b>${clockFace(Math.floor(moment.ms / 1000))}</b> · ${number(index)}/${number(last)}</span>
    </div>
  </div>`;
}

/** @param {keyof typeof SIGNS} shape */
const sign = (shape) => html`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><path d=${SIGNS[shape]} /></svg>`;

/**
 * @param {Mark[]} marks
 * @param {number} last
 */
function strip(marks, last) {
  if (marks.length === 0 || last === 0) return nothing;
  const x = (/** @type {number} */ index) => (index / last) * STRIP;
  return html`<svg class="marks" viewBox="0 0 ${STRIP} 12" preserveAspectRatio="none" aria-hidden="true">
    ${marks.map(({ index, lost }) => svg`<path class=${lost ? "mark lost" : "mark"} d="M${x(index)} ${lost ? 0 : 5}V12" />`)}
  </svg>`;
}

/**
 * @param {Playback} playback
 * @param {KeyboardEvent} event anywhere on the page
 * @returns {boolean} whether the key was one of a replay's
 */
export function pressed(playback, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (target instanceof Element && target.closest("input, select, textarea, [role=group][tabindex], dialog")) return false;
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -LEAP, PageDown: LEAP, Home: -playback.last, End: playback.last };
  if (event.key in steps) playback.step(steps[/** @type {keyof typeof steps} */ (event.key)]);
  else if (event.key === " " && !(target instanceof Element && target.closest("button, a, summary"))) playback.toggle();
  else return false;
  return true;
}
