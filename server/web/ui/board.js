// @ts-check
/** Shows a board of any game that the page knows. */

import { html } from "../vendor/lit/lit-element.js";
import { on } from "../store/settings.js";
import { t } from "../texts/index.js";
import "./double/board.js";
import "./golf.js";

/** The elements that boardOf makes: each has `press(key)`. */
export const BOARDS = "fd-golf, fd-double";

/** @typedef {{ play(word: string): void, remark(text: string): void }} Player what a board is played through */

/**
 * @param {import("../store/race.js").Board} board
 * @param {Player | undefined} player undefined where the viewer may only look
 * @param {string} hint a word to be pointed out
 */
export function boardOf(board, player, hint = "") {
  const move = (/** @type {CustomEvent<string>} */ event) => player?.play(event.detail);
  const remark = (/** @type {CustomEvent<string>} */ event) => player?.remark(event.detail);
  const marks = on("highlight");
  switch (board.game) {
    case "GO":
      return html`<fd-golf .board=${board} .playable=${player !== undefined} .marks=${marks} .hint=${hint} @move=${move}></fd-golf>`;
    case "DS":
      return html`<fd-double .board=${board} .playable=${player !== undefined} .marks=${marks} .hint=${hint} @move=${move} @remark=${remark}></fd-double>`;
    default:
      return html`<p class="notice">${t().unknownGame(board.game)}</p>`;
  }
}
