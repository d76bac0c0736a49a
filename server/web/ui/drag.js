// @ts-check
/** Dragging cards of a board with a mouse, a finger or a pen: a run moves together. */

import { home } from "./motion.js";

/**
 * @typedef {import("../store/double.js").Held} Held
 * @typedef {{ held: Held, slots: HTMLElement[], id: number, x: number, y: number, moving: boolean }} Grip
 */

/** How far (px) a pointer goes before a tap becomes a drag. */
const SLIP = 6;
/** How much dearer a pile that takes the cards is than one that does not, where both lie under them. */
const FITS = 3;
/** So long dropped cards wait for the board that has them in their new place. */
const PATIENCE_MS = 1_000;

export class Drag {
  /**
   * @param {HTMLElement} host holds the piles: `[data-pile]` with `[data-cards]` in them, and `[data-target]`
   * @param {(held: Held) => Set<string>} fits the targets that take the cards
   * @param {(held: Held) => void} lifted
   * @param {(held: Held, target: string) => boolean} dropped tells whether the move can be legal; "" where nothing was under the cards
   */
  constructor(host, fits, lifted, dropped) {
    this.host = host;
    this.fits = fits;
    this.lifted = lifted;
    this.dropped = dropped;
    /** @type {Grip | undefined} */
    this.grip = undefined;
    /** The click that follows a drag is none. */
    this.justDragged = false;
    /** @type {HTMLElement[]} */
    this.away = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.patience = undefined;
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.justDragged = false;
    if (this.grip || !event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    const slot = event.target.closest("[data-cards]");
    const pile = slot?.closest("[data-pile]")?.getAttribute("data-pile");
    if (!(slot instanceof HTMLElement) || !pile) return;
    const slots = [slot];
    for (let next = slot.nextElementSibling; next instanceof HTMLElement; next = next.nextElementSibling) slots.push(next);
    const held = { pile, cards: Number(slot.dataset.cards) };
    this.grip = { held, slots: slots.slice(0, held.cards), id: event.pointerId, x: event.clientX, y: event.clientY, moving: false };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.id) return;
    const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moving && Math.hypot(x, y) < SLIP) return;
    if (!grip.moving) {
      grip.moving = true;
      this.putBack();
      this.host.setPointerCapture(event.pointerId);
      this.lifted(grip.held);
      for (const slot of grip.slots) slot.classList.add("lifted");
    }
    for (const slot of grip.slots) slot.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.id) return;
    this.grip = undefined;
    if (!grip.moving) return;
    this.justDragged = true;
    this.away = grip.slots;
    const waits = this.dropped(grip.held, this.under(grip));
    if (waits) this.patience = setTimeout(() => this.putBack(home), PATIENCE_MS);
    else this.putBack(home);
  }

  cancel() {
    if (!this.grip) return;
    this.away = this.grip.slots;
    this.grip = undefined;
    this.putBack(home);
  }

  /**
   * Let cards lie where the board has them.
   * @param {(slot: HTMLElement) => void} [how] at once, if it is not said
   */
  putBack(how = drop) {
    clearTimeout(this.patience);
    for (const slot of this.away) {
      slot.classList.remove("lifted");
      how(slot);
    }
    this.away = [];
  }

  /**
   * The pile that most of the first card lies on, those that take it before those that do not.
   * @param {Grip} grip
   * @returns {string} a target; "" where it lies on none, or on its own
   */
  under(grip) {
    const card = (grip.slots[0].querySelector("svg") ?? grip.slots[0]).getBoundingClientRect();
    const fitting = this.fits(grip.held);
    let [best, most] = ["", 0];
    for (const pile of this.host.querySelectorAll("[data-target]")) {
      const target = pile.getAttribute("data-target") ?? "";
      const covered = shared(card, pile.getBoundingClientRect()) * (fitting.has(target) ? FITS : 1);
      if (covered > most) [best, most] = [target, covered];
    }
    return best === grip.held.pile ? "" : best;
  }
}

/** @param {HTMLElement} slot */
function drop(slot) {
  slot.style.transform = "";
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 * @returns {number} the area that both cover, px²
 */
function shared(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}
