// @ts-check
/** A board as it looks while words are on their way: cards only change places, and what nobody here knows stays face down. */

import { heldCard, placeFor, readWord } from "./double.js";

/** @typedef {import("./race.js").Board} Board */

const UNKNOWN = "--";

/**
 * Carry out words that the server has not answered yet, as far as it can be seen from here what they do. Nothing is
 * judged: a word that the server's board does not call legal changes nothing; a word on a board that only this page
 * has seen is shown where its cards are there, and taken back if it is refused.
 * @param {Board} board the server's
 * @param {readonly string[]} words of notation.md, in order
 * @param {readonly Board[]} past the server's boards before it, the newest last: what an undo brings back
 * @param {number} draws cards that a draw turns up
 * @returns {Board} the server's own where no word can be shown
 */
export function show(board, words, past, draws) {
  let shown = board;
  const before = [...past];
  for (const word of words) {
    if (!mayChange(shown, word)) continue;
    const next = word === "u" ? undone(shown, before) : moved(shown, word, draws);
    if (!next) break;
    if (word !== "u") before.push(shown);
    shown = next;
  }
  return shown;
}

/**
 * @param {Board} board
 * @param {string} word
 */
const mayChange = (board, word) => (word === "u" ? board.undoable > 0 : (board.legal?.includes(word) ?? true));

/**
 * @param {Board} board
 * @param {Board[]} before loses the board that comes back
 * @returns {Board | undefined}
 */
function undone(board, before) {
  const back = before.pop();
  // An undo does not count back (rules.md).
  return back && { ...back, moves: board.moves };
}

/**
 * @param {Board} board
 * @param {string} word
 * @param {number} draws
 * @returns {Board | undefined}
 */
function moved(board, word, draws) {
  const after = word === "d" ? drawn(board, draws) : board.game === "GO" ? removed(board, word) : carried(board, word);
  // What is legal now, only the server knows; what a tap did on piles that are as they were, it most likely still does.
  return after && { ...after, legal: undefined, ...tapsLeft(board, word), undoable: board.undoable + 1 };
}

/**
 * @param {Board} board
 * @param {number} draws
 * @returns {Board | undefined}
 */
function drawn(board, draws) {
  const count = Math.min(draws, board.stock);
  if (count === 0) return undefined;
  const known = board.stock_known ?? [];
  const cards = Array.from({ length: count }, (_, index) => known[index] ?? UNKNOWN);
  return { ...board, waste: [...board.waste, ...cards], stock: board.stock - count, stock_known: known.slice(count) };
}

/**
 * @param {Board} board of Golf
 * @param {string} word a column's number
 * @returns {Board | undefined}
 */
function removed(board, word) {
  const card = board.columns[Number(word) - 1]?.at(-1);
  if (!card) return undefined;
  const columns = board.columns.map((cards, index) => (index === Number(word) - 1 ? cards.slice(0, -1) : cards));
  return { ...board, columns, waste: [...board.waste, card] };
}

/**
 * @param {Board} board of Double Solitaire
 * @param {string} word
 * @returns {Board | undefined}
 */
function carried(board, word) {
  if (word === "r") return { ...board, waste: [], stock: board.waste.length, stock_known: board.waste };
  const read = readWord(word);
  if (!read) return undefined;
  const { pile, target, cards } = read;
  const first = heldCard(board, read);
  if (first === "" || first === UNKNOWN) return undefined;
  const taken = pile[0] === "t" ? board.columns[Number(pile[1]) - 1].slice(-cards) : [first];
  return put(without(board, pile, cards), target, taken);
}

/**
 * @param {Board} board
 * @param {string} pile
 * @param {number} cards
 * @returns {Board}
 */
function without(board, pile, cards) {
  if (pile === "w") return { ...board, waste: board.waste.slice(0, -1) };
  if (pile[0] === "f") return { ...board, foundations: raised(board, pile[1], pile.endsWith("2") ? 1 : 0, -1) };
  const columns = board.columns.map((column, index) => (index === Number(pile[1]) - 1 ? column.slice(0, -cards) : column));
  return { ...board, columns };
}

/**
 * @param {Board} board
 * @param {string} target a column, or `f`
 * @param {string[]} cards
 * @returns {Board | undefined} undefined where no foundation waits for the card
 */
function put(board, target, cards) {
  if (target !== "f") {
    const columns = board.columns.map((column, index) => (index === Number(target[1]) - 1 ? [...column, ...cards] : column));
    return { ...board, columns };
  }
  const place = placeFor(board, cards[0]);
  return place < 0 ? undefined : { ...board, foundations: raised(board, cards[0].slice(-1), place, 1) };
}

/**
 * @param {Board} board
 * @param {string} suit
 * @param {number} place 0 or 1
 * @param {number} by
 */
function raised(board, suit, place, by) {
  const heights = [...(board.foundations?.[suit] ?? [0, 0])];
  heights[place] += by;
  return { ...board.foundations, [suit]: heights };
}

/**
 * @param {Board} board
 * @param {string} word
 */
function tapsLeft(board, word) {
  const touched = word === "d" || word === "r" ? ["stock", "waste"] : word.replace(/^w/, "waste").split(/[-x]/);
  const left = (/** @type {Record<string, string> | undefined} */ taps) =>
    taps && Object.fromEntries(Object.entries(taps).filter(([pile]) => !touched.includes(pile)));
  return { taps: left(board.taps), double_taps: left(board.double_taps) };
}
