// @ts-check
/** Shows a board of any game that the page knows. */

import { html } from "../vendor/lit/lit-element.js";
import { t } from "../texts/index.js";
import "./golf.js";

/**
 * @param {import("../store/race.js").Board} board
 * @param {((word: string) => void) | undefined} play undefined where the viewer may only look
 */
export function boardOf(board, play) {
  switch (board.game) {
    case "GO":
      return html`<fd-golf .board=${board} .playable=${play !== undefined} @move=${(/** @type {CustomEvent<string>} */ event) => play?.(event.detail)}></fd-golf>`;
    default:
      return html`<p class="notice">${t().unknownGame(board.game)}</p>`;
  }
}
