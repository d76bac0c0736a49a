// @ts-check
/** Cards as SVG, drawn for this page: a big index that stays readable when only a card's upper third shows. */

import { html, nothing, svg } from "../vendor/lit/lit-element.js";

/** Shapes in a box of 100 × 100. @type {Record<string, string>} */
const SUITS = {
  S: "M50 5C59 27 92 41 92 64A20 20 0 0 1 56 75C57 85 61 91 67 95H33C39 91 43 85 44 75A20 20 0 0 1 8 64C8 41 41 27 50 5Z",
  H: "M50 92C22 66 7 50 7 31A22 22 0 0 1 50 24A22 22 0 0 1 93 31C93 50 78 66 50 92Z",
  D: "M50 4C60 25 72 39 87 50C72 61 60 75 50 96C40 75 28 61 13 50C28 39 40 25 50 4Z",
  C: "M50 5A21 21 0 0 1 68 37A21 21 0 1 1 56 74C57 85 61 91 67 95H33C39 91 43 85 44 74A21 21 0 1 1 32 37A21 21 0 0 1 50 5Z",
};

/** Head-dress of the court, in a box of 60 × 32. @type {Record<string, string>} */
const COURT = {
  J: "M4 30C2 14 20 8 44 13C48 4 55 0 60 1C60 9 56 15 51 18C54 22 54 26 53 30Z",
  Q: "M8 30L1 11A4 4 0 1 1 6 10L17 18L27 8A4 4 0 1 1 33 8L43 18L54 10A4 4 0 1 1 59 11L52 30Z",
  K: "M6 30L0 6L16 17L27 10V6H23V2H27V-2H33V2H37V6H33V10L44 17L60 6L54 30Z",
};

/** Diamonds over the back of a card: lines from edge to edge, both ways. */
const WEAVE = "M10 30L30 10M10 70L70 10M10 110L90 30M30 130L90 70M70 130L90 110M90 30L70 10M90 70L30 10M90 110L10 30M70 130L10 70M30 130L10 110";

/**
 * @param {string} card as text, e.g. `10S`, `*1`, `--`
 */
export function cardFace(card) {
  if (card === "--") return cardBack();
  if (card.startsWith("*")) return joker(card);
  const rank = card.slice(0, -1);
  const suit = card.slice(-1);
  const colour = suit === "H" || suit === "D" ? "red" : "black";
  return html`<svg class="card ${colour} ${suit}" viewBox="0 0 100 140" aria-hidden="true">
    <rect class="paper" x="0.5" y="0.5" width="99" height="139" rx="9" />
    <text class="index rank" x="7" y="37" textLength=${rank === "10" ? 44 : nothing} lengthAdjust="spacingAndGlyphs">${rank}</text>
    <g class="corner">${pip(suit, 61, 9, 31)}</g>
    <g class="middle">${rank in COURT ? court(rank, suit) : pip(suit, 50 - middle(rank) / 2, 93 - middle(rank) / 2, middle(rank))}</g>
  </svg>`;
}

export function cardBack() {
  return html`<svg class="card back" viewBox="0 0 100 140" aria-hidden="true">
    <rect class="paper" x="0.75" y="0.75" width="98.5" height="138.5" rx="9" />
    <rect class="cloth" x="6" y="6" width="88" height="128" rx="6" />
    <path class="weave" d=${WEAVE} />
    <rect class="edge" x="10" y="10" width="80" height="120" rx="4" />
  </svg>`;
}

/**
 * The mark of a place where a card could lie.
 * @param {string} [suit] whose cards alone may lie there
 */
export function emptyPlace(suit) {
  return html`<svg class="card place" viewBox="0 0 100 140" aria-hidden="true">
    <rect x="3" y="3" width="94" height="134" rx="9" />
    ${suit ? pip(suit, 28, 12, 44) : nothing}
  </svg>`;
}

/** @param {string} rank */
function middle(rank) {
  return rank === "A" ? 74 : 56;
}

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function pip(suit, x, y, size) {
  return svg`<path class="pip" d=${SUITS[suit]} transform="translate(${x} ${y}) scale(${size / 100})" />`;
}

/**
 * @param {string} rank
 * @param {string} suit
 */
function court(rank, suit) {
  return svg`<rect class="frame" x="12" y="49" width="76" height="83" rx="7" /><path class="crown" d=${COURT[rank]} transform="translate(20 56)" />${pip(suit, 27, 88, 46)}`;
}

/** @param {string} card */
function joker(card) {
  return html`<svg class="card joker ${card === "*1" ? "red" : "black"}" viewBox="0 0 100 140" aria-hidden="true">
    <rect class="paper" x="0.75" y="0.75" width="98.5" height="138.5" rx="9" />
    <text class="rank" x="8" y="38">★</text>
    <path class="crown" d="M20 104C12 80 20 66 8 58C26 54 34 64 38 76C38 60 42 52 50 46C58 52 62 60 62 76C66 64 74 54 92 58C80 66 88 80 80 104Z" />
    <path class="pip" d="M18 108H82V118H18Z" />
  </svg>`;
}
