// @ts-check
/** A Double Solitaire board: nine columns, stock, waste, and the foundations in their suits' rows. */

import { html, nothing } from "../../vendor/lit/lit-element.js";
import { FOUNDATIONS, SUITS, readWord, sameCards, tapWord, targetsOf, topOf } from "../../store/double.js";
import { t } from "../../texts/index.js";
import { arrow } from "../arrows.js";
import { cardBack, cardFace, emptyPlace } from "../card.js";
import { Drag } from "../drag.js";
import { LightElement } from "../element.js";
import { cheer, look, moveFrom, shake } from "../motion.js";
import { Hand, drop } from "./hand.js";

/**
 * @typedef {import("../../store/double.js").Board} Board
 * @typedef {import("../../store/double.js").Held} Held
 * @typedef {import("./hand.js").Deed} Deed
 */

/** So many of the waste's last cards are shown, fanned. */
const FAN = 3;
/** What a word without piles moves: it draws, or recycles. */
const STOCK = { pile: "stock", cards: 1, target: "" };

/** Fires `move` with a word of notation.md, and `remark` with a text to show. */
export class DoubleBoard extends LightElement {
  static properties = { board: { attribute: false }, playable: { type: Boolean }, marks: { attribute: false }, hint: { type: String } };

  constructor() {
    super();
    /** @type {Board | undefined} */
    this.board = undefined;
    this.playable = false;
    /** Whether what fits is marked. */
    this.marks = true;
    /** A word to be pointed out. */
    this.hint = "";
    this.hand = new Hand();
    this.drag = new Drag(
      this,
      (held) => targetsOf(this.board?.legal ?? [], held),
      (held) => this.lifted(held),
      (held, target) => this.dropped(held, target),
    );
    /** The pile whose button had the focus when the board changed: its next card takes the focus over. */
    this.focusedPile = "";
    /** Where cards lay before the board changed. @type {import("../motion.js").Lying[]} */
    this.lay = [];
    this.addEventListener("pointermove", (event) => this.drag.move(event));
    this.addEventListener("pointerup", (event) => this.drag.up(event));
    this.addEventListener("pointercancel", () => this.drag.cancel());
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const focused = document.activeElement;
    this.focusedPile = focused && this.contains(focused) ? (focused.closest("[data-pile]")?.getAttribute("data-pile") ?? "") : "";
    this.lay = [];
    const before = /** @type {Board | undefined} */ (changed.get("board"));
    if (!before || !this.board || sameCards(before, this.board)) return;
    // Cards that were dragged set out from where they were let go.
    this.lay = look(this);
    this.drag.putBack();
    this.hand.check(this.board);
    if (this.drag.grip?.moving && !this.hand.held) this.drag.cancel();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    moveFrom(this, this.lay);
    const before = /** @type {Board | undefined} */ (changed.get("board"));
    if (before?.status === "playing" && this.board?.status === "won") cheer(this);
    if (!this.focusedPile || this.contains(document.activeElement)) return;
    const next = this.querySelector(`[data-pile="${this.focusedPile}"] [tabindex="0"]`) ?? this.querySelector(`[data-pile="stock"] button`);
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {Deed} deed */
  act({ word, remark }) {
    if (word) this.dispatchEvent(new CustomEvent("move", { detail: word }));
    if (remark) this.dispatchEvent(new CustomEvent("remark", { detail: t()[remark] }));
    this.requestUpdate();
  }

  /** @param {string} key */
  press(key) {
    const deed = this.board && this.hand.press(this.board, key);
    if (!deed) return arrow(this, key);
    this.act(deed);
    return true;
  }

  /** @param {string} word that was refused: its cards say no */
  refuse(word) {
    const { pile, cards } = readWord(word) ?? STOCK;
    const slots = [...this.querySelectorAll(`[data-pile="${pile}"] .slot`)];
    for (const slot of slots.slice(-cards)) shake(slot);
  }

  /** @param {Held} held */
  tap(held) {
    if (this.board && !this.drag.justDragged) this.act(this.hand.tap(this.board, held));
  }

  tapStock() {
    const { board } = this;
    if (!board) return;
    this.hand.release();
    this.act({ word: tapWord(board, "stock") ?? (board.stock > 0 ? "d" : "r") });
  }

  /** @param {Held} held */
  lifted(held) {
    if (this.board) this.hand.pick(this.board, held);
    this.requestUpdate();
  }

  /**
   * @param {Held} held
   * @param {string} target
   */
  dropped(held, target) {
    this.hand.release();
    const deed = this.board && target ? drop(this.board, held, target) : {};
    this.act(deed);
    return deed.word !== undefined && (this.board?.legal?.includes(deed.word) ?? true);
  }

  /** The piles of the word to be pointed out. */
  get hinted() {
    return this.hint ? (readWord(this.hint) ?? STOCK) : undefined;
  }

  render() {
    const { board } = this;
    if (!board) return nothing;
    const { held, card } = this.hand;
    const fits = held && this.marks ? targetsOf(board.legal ?? [], held) : new Set();
    const words = held ? t().picked(t().card(card), held.cards - 1) : this.hand.suitNext ? t().whichSuit : "";
    return html`<div class="felt double" @pointerdown=${(/** @type {PointerEvent} */ event) => this.playable && this.drag.down(event)}>
      <div class="draws">${this.stock(board)} ${this.waste(board.waste)}</div>
      <div class="columns">${board.columns.map((cards, index) => this.column(cards, board.down?.[index] ?? 0, index + 1, fits))}</div>
      <div class="foundations" role="group" aria-label=${t().foundations} data-target=${FOUNDATIONS} ?data-fits=${fits.has(FOUNDATIONS)} ?data-hinted=${this.hinted?.target === FOUNDATIONS}>
        ${SUITS.map((suit) => (board.foundations?.[suit] ?? [0, 0]).map((height, place) => this.foundation(suit, place + 1, height)))}
      </div>
      ${this.playable ? html`<p class="unseen" role="status">${words}</p>` : nothing}
    </div>`;
  }

  /**
   * @param {string[]} cards from the covered one down to the free one
   * @param {number} down how many lie face down
   * @param {number} k
   * @param {Set<string>} fits where cards in hand may go
   */
  column(cards, down, k, fits) {
    const pile = `t${k}`;
    return html`<div class="column" role="group" aria-label=${t().columnOf(k, down)} data-pile=${pile} data-target=${pile} ?data-fits=${fits.has(pile)} ?data-hinted=${this.hinted?.target === pile}>
      ${cards.length === 0 ? this.place(t().emptyColumn(k), "", { pile, cards: 1 }) : nothing}
      ${cards.map((card, index) => {
        const count = cards.length - index;
        if (index < down) return this.faceDown(k, index + 1, { pile, cards: count });
        const label = count === 1 ? t().freeCard(t().card(card), k) : t().runCard(t().card(card), k, count - 1);
        return this.faceUp(card, label, { pile, cards: count });
      })}
    </div>`;
  }

  /**
   * @param {number} k
   * @param {number} row
   * @param {Held} held
   */
  faceDown(k, row, { pile, cards }) {
    const label = t().faceDownCard(k, row);
    if (!this.playable) return html`<span class="slot down" role="img" aria-label=${label} data-card="--">${cardBack()}</span>`;
    // It cannot be moved; the server says so in a player's words.
    const ask = () => (this.hand.held && this.hand.held.pile !== pile ? this.tap({ pile, cards }) : this.act({ word: `${pile}-${pile}x${cards}` }));
    return html`<button type="button" class="slot down" tabindex="-1" aria-label=${label} data-card="--" @click=${ask}>${cardBack()}</button>`;
  }

  /**
   * A card that can be picked up.
   * @param {string} card
   * @param {string} label
   * @param {Held} held
   */
  faceUp(card, label, held) {
    if (!this.playable) return html`<span class="slot" role="img" aria-label=${label} data-card=${card}>${cardFace(card)}</span>`;
    const hinted = this.hinted?.pile === held.pile && held.cards <= this.hinted.cards;
    const inHand = this.hand.held?.pile === held.pile && held.cards <= this.hand.held.cards;
    return html`<button
      type="button"
      class="slot"
      tabindex=${held.cards === 1 ? 0 : -1}
      aria-label=${hinted ? t().hinted(label) : label}
      aria-pressed=${inHand}
      data-card=${card}
      data-cards=${held.cards}
      ?data-hinted=${hinted}
      @click=${() => this.tap(held)}
    >
      ${cardFace(card)}
    </button>`;
  }

  /**
   * An empty place, where cards in hand can be put down.
   * @param {string} label
   * @param {string} suit
   * @param {Held} held
   */
  place(label, suit, held) {
    if (!this.playable) return html`<span class="slot" role="img" aria-label=${label}>${emptyPlace(suit)}</span>`;
    return html`<button type="button" class="slot" tabindex="0" aria-label=${label} @click=${() => this.tap(held)}>${emptyPlace(suit)}</button>`;
  }

  /** @param {Board} board */
  stock(board) {
    const picture = board.stock > 0 ? cardBack() : emptyPlace();
    const number = html`<span class="count" aria-hidden="true">${board.stock}</span>`;
    const does = tapWord(board, "stock") === "r" ? t().stockRecycles : t().stockOf(board.stock);
    const hinted = this.hinted === STOCK;
    return html`<div class="stock" data-pile="stock" data-count=${board.stock}>
      ${this.playable
        ? html`<button type="button" class="slot" tabindex="0" aria-label=${hinted ? t().hinted(does) : does} ?data-hinted=${hinted} @click=${() => this.tapStock()}>${picture}${number}</button>`
        : html`<span class="slot" role="img" aria-label=${t().stockCount(board.stock)}>${picture}${number}</span>`}
    </div>`;
  }

  /** @param {string[]} cards from the first one up to the playable one */
  waste(cards) {
    const shown = cards.slice(-FAN);
    return html`<div class="waste" role="group" aria-label=${t().waste} data-pile="w" data-top=${cards.at(-1) ?? ""}>
      ${shown.length === 0 ? html`<span class="slot" role="img" aria-label=${t().wasteEmpty}>${emptyPlace()}</span>` : nothing}
      ${shown.map((card, index) => {
        if (index === shown.length - 1) return this.faceUp(card, t().wasteTop(t().card(card)), { pile: "w", cards: 1 });
        return html`<span class="slot" role="img" aria-label=${t().wasteUnder(t().card(card))} data-card=${card}>${cardFace(card)}</span>`;
      })}
    </div>`;
  }

  /**
   * @param {string} suit
   * @param {number} place 1 or 2
   * @param {number} height
   */
  foundation(suit, place, height) {
    const pile = `f${suit}${place === 2 ? "2" : ""}`;
    const card = height > 0 ? topOf(suit, height) : "";
    const label = t().foundationOf(suit, place, card && t().card(card));
    const held = { pile, cards: 1 };
    return html`<div class="foundation" data-pile=${pile} data-height=${height}>
      ${card ? this.faceUp(card, label, held) : this.place(label, suit, held)}
    </div>`;
  }
}

customElements.define("fd-double", DoubleBoard);
