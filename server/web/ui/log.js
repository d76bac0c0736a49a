// @ts-check
/** What has happened in a race, line by line: read out as it comes, the newest first to be read again. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { repeat } from "../vendor/lit/repeat.js";
import { t } from "../texts/index.js";

/** @param {{ n: number, text: string }[]} lines the newest last */
export function eventLog(lines) {
  return html`<section class="log" ?data-empty=${lines.length === 0}>
    <h2>${lines.length > 0 ? t().log : nothing}</h2>
    <div role="log" tabindex="0" aria-label=${t().log}>
      <ol>
        ${repeat(
          lines.toReversed(),
          ({ n }) => n,
          ({ text }) => html`<li>${text}</li>`,
        )}
      </ol>
    </div>
  </section>`;
}
