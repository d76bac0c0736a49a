// @ts-check
/** The page's language: the browser's, until somebody chooses another. */

import { texts as en } from "./en.js";
import { texts as hu } from "./hu.js";
import { texts as vi } from "./vi.js";

/** @typedef {"en" | "hu" | "vi"} Language */
/** @typedef {typeof en} Texts */

/** @type {Record<Language, Texts>} */
const ALL = { en, hu, vi };
const CHOSEN = "fairdeal.lang";

/** Each language by its own name, for the switch. */
export const LANGUAGES = /** @type {[Language, string][]} */ ([
  ["en", "English"],
  ["hu", "Magyar"],
  ["vi", "Tiếng Việt"],
]);

let current = firstKnown([localStorage.getItem(CHOSEN) ?? "", ...navigator.languages]);

/** @returns {Language} */
export const language = () => current;

/** @returns {Texts} */
export const t = () => ALL[current];

/** @param {string} chosen */
export function choose(chosen) {
  current = firstKnown([chosen]);
  localStorage.setItem(CHOSEN, current);
}

/** The reader's own kind of the language, for numbers and dates: a Briton's day has 24 hours. */
const locale = () => navigator.languages.find((tag) => tag.toLowerCase().startsWith(current)) ?? current;

/** @param {number} value */
export const number = (value) => new Intl.NumberFormat(locale()).format(value);

/** @param {number} value ms */
export const milliseconds = (value) =>
  new Intl.NumberFormat(locale(), { style: "unit", unit: "millisecond", maximumFractionDigits: 0 }).format(value);

/** @param {number} at ms since 1970 */
export const day = (at) => new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(at);

/** @param {number} at ms since 1970 */
export const timeOfDay = (at) => new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(at);

/** @param {number} at ms since 1970 */
export const moment = (at) => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(at);

/**
 * @param {readonly string[]} wanted language tags, the dearest first
 * @returns {Language}
 */
function firstKnown(wanted) {
  const found = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in ALL);
  return /** @type {Language} */ (found ?? "en");
}
