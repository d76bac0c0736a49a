// @ts-check
/** What a series has come to: which race of it this is, and everybody's total so far. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { number, t } from "../texts/index.js";
import { scoreText } from "./score.js";
import { seatName } from "./seats.js";

/**
 * @typedef {import("../store/race.js").RaceState} RaceState
 * @typedef {{ rank: number, seat: number, name?: string, kind?: string, strokes: number, score: number, moves: number, won: number, cleared: number }} Total
 * @typedef {{ leg: number, of: number, finished: number, par?: number, totals: Total[] }} Series as a `snap` has it
 */

/**
 * What a series is decided by, the deciding number first, as its goal says.
 * @type {Record<string, { name: () => string, of: (total: Total, game: string) => string }[]>}
 */
const COLUMNS = {
  score: [{ name: () => t().score, of: ({ score }, game) => scoreText(game, score) }],
  strokes: [{ name: () => t().left, of: ({ strokes }) => number(strokes) }],
  first: [
    { name: () => t().firsts, of: ({ won }) => number(won) },
    { name: () => t().score, of: ({ score }, game) => scoreText(game, score) },
  ],
  moves: [
    { name: () => t().clearedRaces, of: ({ cleared }) => number(cleared) },
    { name: () => t().moves, of: ({ moves }) => number(moves) },
  ],
};

/** @param {RaceState} state of any race; one that stands alone has no series */
export function seriesTable({ series, card, my }) {
  if (!series) return nothing;
  const columns = COLUMNS[card.goal] ?? COLUMNS.score;
  return html`<section class="series">
    <h2>${t().seriesTotals} <span class="tag">${t().seriesLeg(number(series.leg), number(series.of))}</span></h2>
    ${series.par === undefined ? nothing : html`<p class="quiet">${t().seriesPar(number(series.par))}</p>`}
    ${series.totals.length === 0
      ? nothing
      : html`<table class="totals">
          <thead>
            <tr><th scope="col">${t().rank}</th><th scope="col">${t().player}</th>${columns.map(({ name }) => html`<th scope="col">${name()}</th>`)}</tr>
          </thead>
          <tbody>
            ${series.totals.map(
              (total) => html`<tr class=${total.seat === my?.seat ? "own" : ""} data-total=${total.seat}>
                <td>${number(total.rank)}</td>
                <th scope="row">${seatName({ seat: total.seat, name: total.name })}</th>
                ${columns.map((column) => html`<td>${column.of(total, card.game)}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>`}
  </section>`;
}
