// @ts-check
/** The switches of whoever plays in this browser: kept in it, and told to all who asked. */

/** Each switch, and how it stands at first. */
const FIRST = {
  tap_up: true,
  double_tap: true,
  highlight: true,
  explain: true,
  four_colours: false,
  big_index: false,
  sound: true,
  animations: true,
};

/** @typedef {keyof typeof FIRST} Switch */

export const SWITCHES = /** @type {Switch[]} */ (Object.keys(FIRST));

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Switch} name */
export function on(name) {
  const kept = localStorage.getItem(keyOf(name));
  return kept === null ? FIRST[name] : kept === "on";
}

/**
 * @param {Switch} name
 * @param {boolean} value
 */
export function turn(name, value) {
  localStorage.setItem(keyOf(name), value ? "on" : "off");
  wear();
  dispatchEvent(new Event(TURNED));
}

/** Fired on the window after a switch was turned. */
export const TURNED = "fairdeal-settings";

/** Whether anything may move: the system's own wish goes before the switch. */
export const lively = () => on("animations") && !STILL.matches;

/** The looks of cards are the style sheet's alone: it goes by these classes of the document. */
function wear() {
  const { classList } = document.documentElement;
  classList.toggle("four-colours", on("four_colours"));
  classList.toggle("big-index", on("big_index"));
}

/** @param {Switch} name */
const keyOf = (name) => `fairdeal.${name}`;

wear();
