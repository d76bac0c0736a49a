// @ts-check
/** What this browser remembers of its player, and of the races it has seen. */

const TOKEN = "fairdeal.token";
const PLAYER = "fairdeal.player";
const NAME = "fairdeal.name";
const RECEIPTS = "fairdeal.receipts";
const RECEIPTS_KEPT = 20;
const READY = "fairdeal.ready";

/** @typedef {{ race: string, as: "seat" | "watch", seq: number, hash: string, sig?: string }} Receipt */

export const token = () => localStorage.getItem(TOKEN);
/** @param {string} value */
export function keepToken(value) {
  localStorage.setItem(TOKEN, value);
  dispatchEvent(new Event("fd-token"));
}
export const forgetToken = () => localStorage.removeItem(TOKEN);

export const playerId = () => localStorage.getItem(PLAYER);
/** @param {string} value */
export const keepPlayerId = (value) => localStorage.setItem(PLAYER, value);

export const ownName = () => localStorage.getItem(NAME) ?? "";
/** @param {string} value */
export function keepName(value) {
  localStorage.setItem(NAME, value.trim());
  dispatchEvent(new Event("fd-name"));
}

/** Become nobody: the next call makes a new guest. */
export function forgetPlayer() {
  for (const key of [TOKEN, PLAYER, RECEIPTS]) localStorage.removeItem(key);
  keepName("");
  dispatchEvent(new Event("fd-token"));
}

/**
 * @param {string} race
 * @returns {Receipt | undefined} the newest confirmed point of that race that this browser was shown
 */
export function receipt(race) {
  return receipts().find((kept) => kept.race === race);
}

/** @param {Receipt} newest */
export function keepReceipt(newest) {
  const others = receipts().filter((kept) => kept.race !== newest.race);
  localStorage.setItem(RECEIPTS, JSON.stringify([newest, ...others].slice(0, RECEIPTS_KEPT)));
}

/** @param {string} race */
export function forgetReceipt(race) {
  localStorage.setItem(RECEIPTS, JSON.stringify(receipts().filter((kept) => kept.race !== race)));
}

/**
 * Be ready for a race before one has come there, in this tab.
 * @param {string} race
 */
export const keepReady = (race) => sessionStorage.setItem(READY, race);

/**
 * @param {string} race
 * @returns {boolean} whether one was to be ready for it; once
 */
export function takeReady(race) {
  const ready = sessionStorage.getItem(READY) === race;
  if (ready) sessionStorage.removeItem(READY);
  return ready;
}

/** @returns {Receipt[]} newest first */
function receipts() {
  return JSON.parse(localStorage.getItem(RECEIPTS) ?? "[]");
}
