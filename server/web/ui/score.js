// @ts-check
/** Scores as each game shows them. */

import { number } from "../texts/index.js";

/**
 * @param {string} game a race card's, e.g. `GO1-E`, `DS1-D3VO`: Vegas counts dollars
 * @param {number} score
 * @returns {string}
 */
export function scoreText(game, score) {
  if (!/^DS\d-D\dV/.test(game)) return number(score);
  return score < 0 ? `-$${-score}` : `$${score}`;
}
