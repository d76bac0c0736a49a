// @ts-check
/** How a race ended. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { number, t } from "../texts/index.js";
import { scoreText } from "./score.js";
import { seatName } from "./seats.js";

/**
 * @param {import("../store/race.js").RaceState} state
 */
export function standingsTable(state) {
  const rows = state.standings ?? [...state.seats].sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
  return html`<table class="standings">
    <caption>${t().result}</caption>
    <thead>
      <tr><th scope="col">${t().rank}</th><th scope="col">${t().player}</th><th scope="col">${t().score}</th><th scope="col">${t().moves}</th><th scope="col">${t().outcome}</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) => html`<tr class=${row.seat === state.my?.seat ? "own" : ""} data-seat=${row.seat} data-rank=${row.rank ?? nothing}>
          <td>${row.rank == null ? "–" : number(row.rank)}</td>
          <th scope="row">${seatName(row)} ${row.seat === state.my?.seat ? html`<span class="tag">${t().you}</span>` : nothing}
            ${row.kind === "bot" ? html`<span class="tag">${t().bot}</span>` : nothing}</th>
          <td>${row.score == null ? "–" : scoreText(state.card.game, row.score)}</td>
          <td>${row.moves == null ? "–" : number(row.moves)}</td>
          <td>${t().seatStatus[row.status] ?? row.status}${row.hints ? html` · ${t().hintsHad(number(row.hints))}` : nothing}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
