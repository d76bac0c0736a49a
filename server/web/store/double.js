// @ts-check
/** Reads a Double Solitaire board's piles and makes its words. Which of them are legal, the server says. */

/**
 * @typedef {import("./race.js").Board} Board
 * @typedef {{ pile: string, cards: number }} Held cards picked up: `w`, a column `t1`…`t9`, or a place `fS`, `fS2`; how many
 */

export const SUITS = ["S", "H", "D", "C"];
export const FOUNDATIONS = "f";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/**
 * @param {string} suit
 * @param {number} height of a place on the foundations, at least 1
 */
export const topOf = (suit, height) => RANKS[height - 1] + suit;

/**
 * The place of a card's suit that has come just below the card: the first where both have.
 * @param {Board} board
 * @param {string} card
 * @returns {number} 0 or 1; -1 where neither has
 */
export const placeFor = (board, card) => (board.foundations?.[card.slice(-1)] ?? []).indexOf(RANKS.indexOf(card.slice(0, -1)));

/**
 * The first (covered) one of cards picked up.
 * @param {Board} board
 * @param {Held} held
 * @returns {string} "" where there are not that many
 */
export function heldCard(board, { pile, cards }) {
  if (pile === "w") return board.waste.at(-1) ?? "";
  if (pile.startsWith("t")) return board.columns[Number(pile.slice(1)) - 1].at(-cards) ?? "";
  const [first, second] = board.foundations?.[pile[1]] ?? [0, 0];
  const height = pile.endsWith("2") ? second : first;
  return height > 0 ? topOf(pile[1], height) : "";
}

/**
 * The word of notation.md for putting cards down. Where only a column's last card was picked up and a longer run of
 * it is what fits, the run is meant. A word that is not legal is made all the same: its refusal explains it.
 * @param {readonly string[]} legal
 * @param {Held} held
 * @param {string} target a column, or `f`
 */
export function wordFor(legal, held, target) {
  const plain = `${held.pile}-${target}`;
  const exact = held.cards > 1 ? `${plain}x${held.cards}` : plain;
  if (held.cards > 1 || legal.includes(exact)) return exact;
  return legal.find((word) => word.startsWith(`${plain}x`)) ?? exact;
}

/**
 * Take a word of the notation apart; the inverse of `wordFor`.
 * @param {string} word
 * @returns {(Held & { target: string }) | undefined} undefined where it names no piles
 */
export function readWord(word) {
  const [, pile, target, cards = "1"] = /^(w|t\d|f[SHDC][12]?)-(t\d|f)(?:x(\d+))?$/.exec(word) ?? [];
  return pile ? { pile, target, cards: Number(cards) } : undefined;
}

/**
 * Where cards picked up may go.
 * @param {readonly string[]} legal
 * @param {Held} held
 * @returns {Set<string>} columns, or `f`
 */
export function targetsOf(legal, held) {
  const targets = ["f", ...Array.from({ length: 9 }, (_, index) => `t${index + 1}`)];
  return new Set(targets.filter((target) => legal.includes(wordFor(legal, held, target))));
}

/**
 * What a tap on a pile does, by the server.
 * @param {Board} board
 * @param {string} pile `stock`, `w` or a column
 * @returns {string | undefined}
 */
export const tapWord = (board, pile) => board.taps?.[pile === "w" ? "waste" : pile];

/**
 * What two quick taps on a pile do where one does nothing.
 * @param {Board} board
 * @param {string} pile `w` or a column
 * @returns {string | undefined}
 */
export const doubleTapWord = (board, pile) => board.double_taps?.[pile === "w" ? "waste" : pile];

/** @param {Board} board */
export function cardsUp(board) {
  return Object.values(board.foundations ?? {}).flat().reduce((sum, height) => sum + height, 0);
}

/**
 * Whether the same cards lie in the same places.
 * @param {Board} a
 * @param {Board} b
 */
export function sameCards(a, b) {
  const cards = (/** @type {Board} */ { columns, waste, stock, foundations }) => JSON.stringify([columns, waste, stock, foundations]);
  return a === b || cards(a) === cards(b);
}
