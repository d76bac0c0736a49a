// @ts-check
/** Cards that are seen to move, turn and shake: each from where it lay to where it lies, within 200 ms. */

import { lively } from "../store/settings.js";

const MOVE_MS = 160;
const TURN_MS = 160;
const SHAKE_MS = 180;
const WIN_MS = 200;
/** Shorter ways (px) are not worth a movement. */
const SLIGHT = 2;
const UNKNOWN = "--";
/** Where more boards than these are on the screen, nobody follows single cards, and measuring them all would cost too much. */
const BOARDS_MOVED = 2;

/** @typedef {{ slot: HTMLElement, card: string, pile: string, box: DOMRect }} Lying a card on the screen */

/**
 * @param {Element} board holds `[data-pile]` with `[data-card]` in them, and the stock
 * @returns {Lying[]} empty where nothing may move
 */
export function look(board) {
  if (!lively() || document.getElementsByTagName(board.tagName).length > BOARDS_MOVED) return [];
  return [...board.querySelectorAll("[data-card]")].map((slot) => ({
    slot: /** @type {HTMLElement} */ (slot),
    card: slot.getAttribute("data-card") ?? "",
    pile: slot.closest("[data-pile]")?.getAttribute("data-pile") ?? "",
    box: slot.getBoundingClientRect(),
  }));
}

/**
 * Let the cards of a board that was drawn anew come from where they lay before.
 * @param {Element} board
 * @param {Lying[]} before what `look` saw
 */
export function moveFrom(board, before) {
  if (before.length === 0) return;
  const after = look(board);
  const left = new Set(before);
  const claim = (/** @type {Lying} */ now, /** @type {boolean} */ samePile) => {
    const from = [...left].find((then) => then.card === now.card && (then.pile === now.pile) === samePile);
    if (from) left.delete(from);
    return from;
  };
  // Two packs have every card twice: what stayed in its pile stayed, only then a card is looked for elsewhere.
  const stayed = after.map((now) => claim(now, true));
  after.forEach((now, index) => {
    const from = stayed[index] ?? (now.card === UNKNOWN ? undefined : claim(now, false));
    if (from) glide(now.slot, from.box, now.box);
    else appear(board, now, left);
  });
}

/**
 * A card that nobody saw before: turned up where it lay, or come from the stock.
 * @param {Element} board
 * @param {Lying} now
 * @param {Set<Lying>} left
 */
function appear(board, now, left) {
  if (now.card !== UNKNOWN) flip(now.slot);
  const faceDown = [...left].find((then) => then.card === UNKNOWN && then.pile === now.pile);
  if (faceDown) {
    left.delete(faceDown);
    glide(now.slot, faceDown.box, now.box);
  } else {
    const stock = now.slot.closest(".waste") && board.querySelector(".stock .slot");
    if (stock) glide(now.slot, stock.getBoundingClientRect(), now.box);
  }
}

/**
 * @param {HTMLElement} slot
 * @param {DOMRect} from
 * @param {DOMRect} to
 */
function glide(slot, from, to) {
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.hypot(x, y) < SLIGHT) return;
  const start = { transform: `translate(${x}px, ${y}px)`, zIndex: 4 };
  slot.classList.add("moving");
  const move = slot.animate([start, { transform: "none", zIndex: 4 }], { duration: MOVE_MS, easing: "cubic-bezier(.2,.7,.3,1)" });
  move.onfinish = move.oncancel = () => slot.classList.remove("moving");
}

/** @param {HTMLElement} slot */
function flip(slot) {
  slot.querySelector(".card")?.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: TURN_MS, easing: "ease-out" });
}

/**
 * Let a card that was let go where it cannot lie go home.
 * @param {HTMLElement} slot
 */
export function home(slot) {
  const { transform } = slot.style;
  slot.style.transform = "";
  if (transform && lively()) slot.animate([{ transform, zIndex: 4 }, { transform: "none", zIndex: 4 }], { duration: MOVE_MS, easing: "ease-out" });
}

/** @param {Element | null | undefined} slot of the card that was refused */
export function shake(slot) {
  if (!slot || !lively()) return;
  const steps = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  slot.animate(steps, { duration: SHAKE_MS });
}

/**
 * The table is cleared: all that lies there jumps once.
 * @param {Element} board
 */
export function cheer(board) {
  for (const { slot } of look(board)) {
    slot.animate([{ transform: "none" }, { transform: "translateY(-14px) scale(1.06)" }, { transform: "none" }], { duration: WIN_MS, easing: "ease-in-out" });
  }
}
