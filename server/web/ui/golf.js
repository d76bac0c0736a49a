// @ts-check
/** A Golf board: seven columns, stock and waste. Every card is a button where the viewer may play. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { t } from "../texts/index.js";
import { arrow } from "./arrows.js";
import { cardBack, cardFace, emptyPlace } from "./card.js";
import { Drag } from "./drag.js";
import { LightElement } from "./element.js";
import { cheer, look, moveFrom, shake } from "./motion.js";

/** So many of the waste's last cards are shown, fanned; the rest lies under them. */
const FAN = 5;
/** Two taps on a column within this time are one double tap: the second does not mean the card that came free. */
const TWICE_MS = 250;
const WASTE = "waste";

/** Fires `move` with a word of notation.md. */
export class GolfBoard extends LightElement {
  static properties = { board: { attribute: false }, playable: { type: Boolean }, marks: { attribute: false }, hint: { type: String } };

  constructor() {
    super();
    /** @type {import("../store/race.js").Board | undefined} */
    this.board = undefined;
    this.playable = false;
    /** Whether what fits is marked. */
    this.marks = true;
    /** A word to be pointed out. */
    this.hint = "";
    /** The pile whose button had the focus when the board changed: its next card takes the focus over. */
    this.focusedPile = "";
    /** Where cards lay before the board changed. @type {import("./motion.js").Lying[]} */
    this.lay = [];
    this.tapped = { column: "", at: 0 };
    this.drag = new Drag(
      this,
      ({ pile }) => new Set(this.board?.legal?.includes(pile.slice(1)) ? [WASTE] : []),
      () => {},
      ({ pile }, target) => this.dropped(pile.slice(1), target),
    );
    this.addEventListener("pointermove", (event) => this.drag.move(event));
    this.addEventListener("pointerup", (event) => this.drag.up(event));
    this.addEventListener("pointercancel", () => this.drag.cancel());
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const focused = document.activeElement;
    this.focusedPile = focused && this.contains(focused) ? (focused.closest("[data-pile]")?.getAttribute("data-pile") ?? "") : "";
    this.lay = changed.has("board") ? look(this) : [];
    // A card that was dragged sets out from where it was let go.
    if (changed.has("board")) this.drag.putBack();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    moveFrom(this, this.lay);
    const before = /** @type {import("../store/race.js").Board | undefined} */ (changed.get("board"));
    if (before?.status === "playing" && this.board?.status === "won") cheer(this);
    if (!this.focusedPile || this.contains(document.activeElement)) return;
    const next = this.querySelector(`[data-pile="${this.focusedPile}"] [data-free]`) ?? this.querySelector(`[data-pile="stock"] button`);
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {string} key in lower case */
  press(key) {
    if (/^[1-7du]$/.test(key)) this.move(key);
    else return arrow(this, key);
    return true;
  }

  /** @param {string} word */
  move(word) {
    this.dispatchEvent(new CustomEvent("move", { detail: word }));
  }

  /**
   * @param {string} column
   * @param {string} target
   */
  dropped(column, target) {
    if (target === WASTE) this.move(column);
    return target === WASTE && (this.board?.legal?.includes(column) ?? true);
  }

  /**
   * @param {MouseEvent} event
   * @param {string} column
   * @param {string} word
   */
  tap(event, column, word) {
    const again = event.detail > 1 && column === this.tapped.column && event.timeStamp - this.tapped.at < TWICE_MS;
    this.tapped = { column, at: event.timeStamp };
    if (!again && !this.drag.justDragged) this.move(word);
  }

  /** @param {string} word that was refused: its card says no */
  refuse(word) {
    const [, column = word, row] = /^c(\d)r(\d)$/.exec(word) ?? [];
    const cards = this.querySelectorAll(word === "d" ? ".stock .slot" : `[data-pile="c${column}"] .slot`);
    shake(cards[row ? Number(row) - 1 : cards.length - 1]);
  }

  render() {
    const { board } = this;
    if (!board) return nothing;
    return html`<div class="felt golf" @pointerdown=${(/** @type {PointerEvent} */ event) => this.playable && this.drag.down(event)}>
      <div class="columns">${board.columns.map((cards, index) => this.column(cards, index + 1))}</div>
      <div class="piles">${this.stock(board.stock)} ${this.waste(board.waste)}</div>
    </div>`;
  }

  /**
   * @param {string[]} cards from the covered one down to the free one
   * @param {number} k
   */
  column(cards, k) {
    if (cards.length === 0) {
      return html`<div class="column" role="group" aria-label=${t().emptyColumn(k)} data-pile="c${k}">${emptyPlace()}</div>`;
    }
    const fits = this.playable && this.marks && (this.board?.legal ?? []).includes(String(k));
    return html`<div class="column" role="group" aria-label=${t().column(k)} data-pile="c${k}" ?data-fits=${fits}>
      ${cards.map((card, index) => this.tableauCard(card, k, index + 1, index === cards.length - 1))}
    </div>`;
  }

  /**
   * @param {string} card
   * @param {number} k
   * @param {number} row
   * @param {boolean} free
   */
  tableauCard(card, k, row, free) {
    const spoken = t().card(card);
    const label = free ? t().freeCard(spoken, k) : t().coveredCard(spoken, k, row);
    if (!this.playable) return html`<span class="slot" role="img" aria-label=${label} data-card=${card}>${cardFace(card)}</span>`;
    const hinted = free && this.hint === String(k);
    return html`<button
      type="button"
      class="slot"
      aria-label=${hinted ? t().hinted(label) : label}
      tabindex=${free ? 0 : -1}
      data-card=${card}
      data-cards=${free ? 1 : nothing}
      ?data-free=${free}
      ?data-hinted=${hinted}
      @click=${(/** @type {MouseEvent} */ event) => this.tap(event, String(k), free ? String(k) : `c${k}r${row}`)}
    >
      ${cardFace(card)}
    </button>`;
  }

  /** @param {number} count */
  stock(count) {
    const hinted = this.hint === "d";
    const label = hinted ? t().hinted(t().stockOf(count)) : t().stockOf(count);
    const picture = count > 0 ? cardBack() : emptyPlace();
    const number = html`<span class="count" aria-hidden="true">${count}</span>`;
    return html`<div class="stock" data-pile="stock" data-count=${count}>
      ${this.playable
        ? html`<button type="button" class="slot" aria-label=${label} ?data-hinted=${hinted} @click=${() => this.move("d")}>${picture}${number}</button>`
        : html`<span class="slot" role="img" aria-label=${t().stockCount(count)}>${picture}${number}</span>`}
    </div>`;
  }

  /** @param {string[]} cards from the first one up to the top */
  waste(cards) {
    const shown = cards.slice(-FAN);
    const label = cards.length > 0 ? t().wasteTop(t().card(cards[cards.length - 1])) : t().wasteEmpty;
    return html`<div class="waste" role="img" aria-label=${label} data-pile=${WASTE} data-target=${WASTE} data-top=${cards[cards.length - 1] ?? ""}>
      ${shown.length > 0
        ? shown.map((card) => html`<span class="slot" data-card=${card}>${cardFace(card)}</span>`)
        : html`<span class="slot">${emptyPlace()}</span>`}
    </div>`;
  }
}

customElements.define("fd-golf", GolfBoard);
