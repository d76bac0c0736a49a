// @ts-check
/** One bar for one board: what is cleared, what can still be had as far as solvers know, and how far the leader is. */

import { html, nothing, svg } from "../vendor/lit/lit-element.js";
import { number, t } from "../texts/index.js";
import { hopeText } from "./analysis.js";
import { toClear } from "./seats.js";

const WIDTH = 1000;

/**
 * @param {import("../store/race.js").RaceState} state
 * @param {import("../store/race.js").Seat} seat
 * @param {number} [leads] cards that the leader has cleared
 */
export function hopeBar(state, seat, leads) {
  const most = toClear(state);
  const cleared = seat.cleared ?? 0;
  const { hope } = seat;
  const within = hope?.winnable ? most : (hope?.best.removed ?? hope?.best.placed);
  const x = (/** @type {number} */ cards) => (Math.min(cards, most) / most) * WIDTH;
  const spoken = [t().clearedOf(number(cleared), number(most)), hope ? hopeText(hope) : ""].filter(Boolean).join(". ");
  return html`<svg class="hope-bar" viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" role="img" aria-label=${spoken}>
    <rect class="lost" width=${WIDTH} height="20" />
    ${within === undefined ? nothing : svg`<rect class="within" width=${x(within)} height="20" />`}
    <rect class="cleared" width=${x(cleared)} height="20" />
    ${leads === undefined ? nothing : svg`<path class="leads" d="M${Math.max(4, Math.min(WIDTH - 4, x(leads)))} 0V20" />`}
  </svg>`;
}
