// @ts-check
/** A game with its rules in words. */

import { t } from "../texts/index.js";

const GOLF = /^GO\d*-?([ECSN])(?:J([12]))?(X)?/;
const DOUBLE = /^DS\d*-?D([13])([NV])(O)?/;

/**
 * @param {string} game of a race card, a code or a pool, e.g. `GO1-E`, `GO1-CJ2X`, `DS1-D3VO`
 * @returns {string} e.g. `Golf · Classic`; letters that say nothing here are left as they are
 */
export function gameText(game) {
  const golf = GOLF.exec(game);
  if (golf) {
    const [, rule, jokers, empty] = golf;
    return [t().games.GO, t().rules[rule === "N" ? "E" : rule], jokers && `${t().jokers}: ${jokers}`, empty && t().emptyWaste].filter(Boolean).join(" · ");
  }
  const double = DOUBLE.exec(game);
  if (double) return [t().games.DS, t().drawRules[double[1]], t().scorings[double[2]]].join(" · ");
  return game;
}

/**
 * What a letter says that the game's name leaves out: whoever typed a code without it wants to know.
 * @param {string} game of a race card or a code
 * @returns {string}
 */
export const onceText = (game) => (DOUBLE.exec(game)?.[3] ? t().once : "");
