// @ts-check
/** A player's hand over a Double Solitaire board: taps and keys pick cards up and put them down, as words. */

import { FOUNDATIONS, SUITS, doubleTapWord, heldCard, tapWord, wordFor } from "../../store/double.js";
import { on } from "../../store/settings.js";

/**
 * @typedef {import("../../store/double.js").Board} Board
 * @typedef {import("../../store/double.js").Held} Held
 * @typedef {{ word?: string, remark?: "oneAtATime" }} Deed a move to send, or a text of the page's own to show
 */

const QUICK_MS = 400;

export class Hand {
  constructor() {
    /** @type {Held | undefined} */
    this.held = undefined;
    this.card = "";
    this.pickedAt = 0;
    /** F was pressed: a suit's key is next. */
    this.suitNext = false;
  }

  /**
   * @param {Board} board
   * @param {Held} held
   */
  pick(board, held) {
    const card = heldCard(board, held);
    this.release();
    if (!card) return;
    this.held = held;
    this.card = card;
    this.pickedAt = performance.now();
  }

  release() {
    this.held = undefined;
    this.card = "";
    this.suitNext = false;
  }

  /**
   * Let go of what is not there any more.
   * @param {Board} board
   */
  check(board) {
    if (this.held && heldCard(board, this.held) !== this.card) this.release();
  }

  /**
   * @param {Board} board
   * @param {Held} held the pile tapped, and the cards from the tapped one down
   * @returns {Deed}
   */
  tap(board, held) {
    const before = this.held;
    const target = targetOf(held.pile);
    if (before && before.pile !== held.pile && target) {
      const word = wordFor(board.legal ?? [], before, target);
      // A tap that could not have meant the cards in hand is a tap on this card.
      const own = held.cards === 1 && on("tap_up") ? tapWord(board, held.pile) : undefined;
      if (!own || board.legal?.includes(word)) return this.putDown(board, target);
    }
    if (before && before.pile === held.pile && before.cards === held.cards) return this.tapAgain(board, before);
    return this.tapFirst(board, held);
  }

  /**
   * @param {Board} board
   * @param {Held} held
   * @returns {Deed}
   */
  tapFirst(board, held) {
    const word = held.cards === 1 && on("tap_up") ? tapWord(board, held.pile) : undefined;
    if (word) this.release();
    else this.pick(board, held);
    return { word };
  }

  /**
   * @param {Board} board
   * @param {Held} held
   * @returns {Deed}
   */
  tapAgain(board, held) {
    const quick = on("double_tap") && performance.now() - this.pickedAt < QUICK_MS;
    this.release();
    return { word: quick && held.cards === 1 ? (tapWord(board, held.pile) ?? doubleTapWord(board, held.pile)) : undefined };
  }

  /**
   * @param {Board} board
   * @param {string} target a column, or `f`
   * @returns {Deed}
   */
  putDown(board, target) {
    const { held } = this;
    this.release();
    return held ? drop(board, held, target) : {};
  }

  /**
   * A key: first from where, then where to; the same pile twice is what taps on it do.
   * @param {Board} board
   * @param {string} key in lower case
   * @returns {Deed | undefined} undefined where the key means nothing
   */
  press(board, key) {
    const suit = key.toUpperCase();
    if ((this.suitNext || this.held?.pile.startsWith(FOUNDATIONS)) && SUITS.includes(suit)) {
      this.pick(board, { pile: this.held?.pile === `f${suit}` ? `f${suit}2` : `f${suit}`, cards: 1 });
      return {};
    }
    switch (key) {
      case "d":
      case "r":
      case "u":
        this.release();
        return { word: key };
      case "escape":
        this.release();
        return {};
      case "f":
        if (this.held) return this.putDown(board, FOUNDATIONS);
        this.suitNext = true;
        return {};
      case "w":
        return this.pressPile(board, "w");
      default:
        return /^[1-9]$/.test(key) ? this.pressPile(board, `t${key}`) : undefined;
    }
  }

  /**
   * @param {Board} board
   * @param {string} pile
   * @returns {Deed}
   */
  pressPile(board, pile) {
    const target = targetOf(pile);
    if (this.held?.pile === pile) {
      this.release();
      return { word: tapWord(board, pile) ?? doubleTapWord(board, pile) };
    }
    if (this.held && target) return this.putDown(board, target);
    this.pick(board, { pile, cards: 1 });
    return {};
  }
}

/**
 * @param {Board} board
 * @param {Held} held
 * @param {string} target a column, or `f`
 * @returns {Deed}
 */
export function drop(board, held, target) {
  if (target !== FOUNDATIONS) return { word: wordFor(board.legal ?? [], held, target) };
  if (held.pile.startsWith(FOUNDATIONS)) return {};
  return held.cards > 1 ? { remark: "oneAtATime" } : { word: `${held.pile}-${FOUNDATIONS}` };
}

/**
 * Where a card laid on a pile would go: the foundations are one target, the waste is none.
 * @param {string} pile
 */
function targetOf(pile) {
  if (pile.startsWith("t")) return pile;
  return pile.startsWith(FOUNDATIONS) ? FOUNDATIONS : "";
}
