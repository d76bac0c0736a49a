// @ts-check
/** What a move did on one's own board, in words for those who listen. */

import { heldCard, readWord } from "../store/double.js";
import { t } from "./index.js";
import { nameOf } from "./names.js";

/**
 * @param {import("../store/race.js").Board} before
 * @param {string} word a move of notation.md
 * @param {{ pile: string, card: string }[]} turned
 */
export function told(before, word, turned) {
  const shown = turned.map(({ card }) => t().card(card)).join(", ");
  if (word === "d") return t().drawn(shown);
  if (word === "r") return t().recycled;
  if (before.game === "GO") return t().taken(t().card(before.columns[Number(word.replace(/^c(\d).*/, "$1")) - 1].at(-1) ?? "--"));
  const read = readWord(word);
  const card = read ? heldCard(before, read) : "--";
  return `${t().moved(t().card(card))}${turned.length > 0 ? ` ${t().turnedUp(shown)}` : ""}`;
}

/**
 * A hint in words.
 * @param {import("../store/race.js").Board} board that it is for
 * @param {string} word a move of notation.md
 */
export function hinted(board, word) {
  if (word === "d") return t().hintDraw;
  if (word === "r") return t().hintRecycle;
  if (board.game === "GO") return t().hintTake(t().card(board.columns[Number(word) - 1].at(-1) ?? "--"), word);
  const read = readWord(word);
  if (!read) return "";
  return t().hintMove(t().card(heldCard(board, read)), read.cards - 1, pileName(read.pile), pileName(read.target));
}

/** @param {string} pile of Double Solitaire: `w`, a column, a foundation */
function pileName(pile) {
  if (pile.startsWith("t")) return t().takingFrom(pile.slice(1));
  return (pile === "w" ? t().waste : t().foundations).toLocaleLowerCase();
}

/**
 * What has come of one's own game with its latest change, in no more than a sentence.
 * @param {import("../store/race.js").RaceState} before
 * @param {import("../store/race.js").RaceState} after
 * @returns {string[]}
 */
export function toldOfOneself(before, after) {
  const status = after.my?.status ?? "";
  const text = t().ownStatus[status];
  return before.my && before.my.status !== status && text ? [text] : [];
}

/** Statuses of others that are worth a word: that they play is not. */
const TOLD = new Set(["ready", "stuck", "won", "done", "resigned", "time", "gone"]);

/**
 * What has changed for the other seats and for the race, one sentence each: who came, went, ended.
 * @param {import("../store/race.js").RaceState} before
 * @param {import("../store/race.js").RaceState} after
 * @returns {string[]}
 */
export function toldOfOthers(before, after) {
  if (before === after) return [];
  const others = after.seats.filter(({ seat }) => seat !== after.my?.seat);
  const seats = others.flatMap((seat) => {
    const was = before.seats.find((one) => one.seat === seat.seat);
    const name = nameOf(seat) || t().seat(seat.seat);
    if (!was) return [t().tells(name, t().seatStatus.seated)];
    const ended = was.status !== seat.status && TOLD.has(seat.status) ? [t().tells(name, t().seatStatus[seat.status])] : [];
    const left = was.present === seat.present || seat.present === undefined ? [] : [t().tells(name, seat.present ? t().back : t().away)];
    return [...ended, ...left];
  });
  return before.status === after.status ? seats : [...seats, `${t().raceStatus[after.status] ?? after.status}.`];
}

/**
 * A word of the notation as players say it; one of Double Solitaire stands for itself.
 * @param {string} game its letters
 * @param {string} word
 */
export function wordText(game, word) {
  if (word === "d") return t().drawing;
  return game === "GO" && /^[1-7]$/.test(word) ? t().takingFrom(word) : word;
}
