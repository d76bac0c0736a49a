// @ts-check
/** Arrow keys on a board: the focus goes to the nearest card that way, covered ones too. */

/** @type {Record<string, [number, number]>} */
const WAYS = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] };
/** So much dearer is a way aside than one ahead. */
const ASIDE = 3;

/**
 * @param {Element} board
 * @param {string} key in lower case
 * @returns {boolean} whether it was an arrow
 */
export function arrow(board, key) {
  const way = WAYS[key];
  if (!way) return false;
  const here = document.activeElement;
  const cards = [...board.querySelectorAll("button.slot")].filter((card) => card !== here);
  if (!here || !board.contains(here)) {
    focus(board.querySelector('button.slot[tabindex="0"]'));
    return true;
  }
  const costs = cards.map((card) => /** @type {[Element, number]} */ ([card, cost(here, card, way)]));
  const [nearest, least] = costs.reduce((a, b) => (b[1] < a[1] ? b : a));
  if (least < Infinity) focus(nearest);
  return true;
}

/**
 * @param {Element} from
 * @param {Element} to
 * @param {[number, number]} way
 * @returns {number} px; endless where `to` lies another way
 */
function cost(from, to, [x, y]) {
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  // Cards overlap from the top left: their corners tell where they lie.
  const [right, down] = [b.left - a.left, b.top - a.top];
  const ahead = right * x + down * y;
  const aside = Math.abs(right * y) + Math.abs(down * x);
  return ahead > 1 ? ahead + ASIDE * aside : Infinity;
}

/** @param {Element | null} card */
function focus(card) {
  if (card instanceof HTMLElement) card.focus();
}
