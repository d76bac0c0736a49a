// @ts-check
/** A small line chart, drawn as SVG at the size that it has, with the same numbers as a table for who cannot see it. */

import { html, nothing, svg } from "../vendor/lit/lit-element.js";
import { number, t } from "../texts/index.js";
import { LightElement } from "./element.js";

/** Lines that can be told apart, by colour and by dashes; what is beyond is drawn thin. */
const LINES = 9;
/** Rows of the table: the values at so many places along the axis. */
const ROWS = 12;
const HEIGHT = 220;
const EDGE = { left: 44, right: 12, top: 10, bottom: 26 };

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {[number, number][]} points from left to right; a value holds until the next one
 * @property {boolean} [own]
 */

class Chart extends LightElement {
  static properties = {
    lines: { attribute: false },
    caption: { type: String },
    along: { type: String },
    most: { type: Number },
    marked: { type: Number },
    says: { attribute: false },
    shows: { attribute: false },
    language: { type: String },
    width: { state: true },
  };

  constructor() {
    super();
    /** @type {Line[]} */
    this.lines = [];
    /** What the numbers are. */
    this.caption = "";
    /** What they are counted along: time, moves. */
    this.along = "";
    /** A value that the axis reaches at least. */
    this.most = 0;
    /** A place along the axis to be marked. @type {number | undefined} */
    this.marked = undefined;
    /** A place along the axis in words. @type {(x: number) => string} */
    this.says = number;
    /** A value in words. @type {(y: number) => string} */
    this.shows = number;
    this.language = "";
    this.width = 600;
    this.sized = new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width > 0) this.width = Math.round(contentRect.width);
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.sized.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sized.disconnect();
  }

  render() {
    const { lines } = this;
    if (!lines.some(({ points }) => points.length > 0)) return nothing;
    const right = Math.max(1, ...lines.flatMap(({ points }) => points.map(([x]) => x)));
    const values = lines.flatMap(({ points }) => points.map(([, y]) => y));
    const top = Math.max(1, this.most, ...values);
    const bottom = Math.min(0, ...values);
    const x = (/** @type {number} */ at) => EDGE.left + (at / right) * (this.width - EDGE.left - EDGE.right);
    const y = (/** @type {number} */ value) => HEIGHT - EDGE.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - EDGE.top - EDGE.bottom);
    // One's own line is drawn last, over the others.
    const order = lines.map((line, index) => ({ line, index })).sort((a, b) => Number(a.line.own ?? false) - Number(b.line.own ?? false));
    return html`<figure class="chart">
      <figcaption>${this.caption}</figcaption>
      <svg width=${this.width} height=${HEIGHT} viewBox="0 0 ${this.width} ${HEIGHT}" role="img" aria-label=${this.spoken()}>
        ${ticks(bottom, top, 4).map(
          (value) => svg`<path class="grid" d="M${EDGE.left} ${y(value)}H${this.width - EDGE.right}" />
            <text class="tick" x=${EDGE.left - 6} y=${y(value) + 4} text-anchor="end">${this.shows(value)}</text>`,
        )}
        ${ticks(0, right, this.width < 500 ? 3 : 6).map(
          (at) => svg`<text class="tick" x=${x(at)} y=${HEIGHT - 6} text-anchor=${at === 0 ? "start" : "middle"}>${this.says(at)}</text>`,
        )}
        ${this.marked === undefined ? nothing : svg`<path class="marked" d="M${x(Math.min(this.marked, right))} ${EDGE.top}V${HEIGHT - EDGE.bottom}" />`}
        ${order.map(({ line, index }) => svg`<path class=${look(index, line.own)} d=${path(line.points, x, y)} />`)}
      </svg>
      ${lines.length > 1
        ? html`<ul class="legend">
            ${lines.slice(0, LINES).map(
              ({ name, own }, index) => html`<li>
                <svg width="28" height="10" aria-hidden="true"><path class=${look(index, own)} d="M1 5H27" /></svg>${name}
              </li>`,
            )}
          </ul>`
        : nothing}
      <details>
        <summary>${t().asTable}</summary>
        <div class="scroll" tabindex="0" role="group" aria-label=${this.caption}>${this.table(right)}</div>
      </details>
    </figure>`;
  }

  /** @param {number} right */
  table(right) {
    const whole = this.says === number;
    const places = Array.from({ length: ROWS + 1 }, (_, row) => (whole ? Math.round((right * row) / ROWS) : (right * row) / ROWS));
    return html`<table class="values">
      <thead>
        <tr><th scope="col">${this.along}</th>${this.lines.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${[...new Set(places)].map(
          (at) => html`<tr>
            <th scope="row">${this.says(at)}</th>
            ${this.lines.map(({ points }) => html`<td>${valueText(points, at, this.shows)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** The chart in one sentence: where each line has come to. */
  spoken() {
    const ends = this.lines.filter(({ points }) => points.length > 0).map(({ name, points }) => `${name} ${this.shows(points[points.length - 1][1])}`);
    return `${this.caption}. ${ends.join(", ")}.`;
  }
}

/**
 * @param {number} index
 * @param {boolean} [own]
 */
const look = (index, own) => `line ${index < LINES ? `line-${index}` : "beyond"}${own ? " own" : ""}`;

/**
 * @param {[number, number][]} points
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function path(points, x, y) {
  return points.map(([at, value], index) => (index === 0 ? `M${x(at).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`)).join("");
}

/**
 * @param {[number, number][]} points
 * @param {number} at
 * @param {(value: number) => string} shows
 */
function valueText(points, at, shows) {
  const reached = points.findLast(([x]) => x <= at);
  return reached ? shows(reached[1]) : "–";
}

/**
 * Round numbers between two ends, the ends' own among them where they are round.
 * @param {number} from
 * @param {number} to
 * @param {number} most
 */
export function ticks(from, to, most) {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (/** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * power >= rough))) * power);
  const found = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) found.push(value);
  return found;
}

customElements.define("fd-chart", Chart);
