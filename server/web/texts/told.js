// @ts-check
/** What a move did on one's own board, in words for those who listen. */

import { heldCard } from "../store/double.js";
import { t } from "./index.js";

/**
 * @param {import("../store/race.js").Board} before
 * @param {string} word a move of notation.md
 * @param {{ pile: string, card: string }[]} turned
 */
export function told(before, word, turned) {
  const shown = turned.map(({ card }) => t().card(card)).join(", ");
  if (word === "d") return t().drawn(shown);
  if (word === "r") return t().recycled;
  if (before.game === "GO") return t().taken(t().card(before.columns[Number(word.replace(/^c(\d).*/, "$1")) - 1].at(-1) ?? "--"));
  const [pile, target] = word.split("-");
  const card = heldCard(before, { pile, cards: Number(target.split("x")[1] ?? 1) });
  return `${t().moved(t().card(card))}${turned.length > 0 ? ` ${t().turnedUp(shown)}` : ""}`;
}
