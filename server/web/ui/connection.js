// @ts-check
/** The state of the connection, in words. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { milliseconds, t } from "../texts/index.js";

/** @param {import("../store/session.js").RaceSession} session */
export function connectionLine(session) {
  const { connection, closeCode, draining } = session;
  const { best } = session.clock;
  const stopped = connection === "stopped";
  const words = stopped ? (t().closed[closeCode] ?? t().connection.stopped) : draining ? t().serverLeaving : t().connection[connection];
  return html`<p class="connection ${connection}" role="status" data-connection=${connection}>
    <span>${words}</span>
    ${connection === "online" && best ? html`<span class="lag" title=${t().wayToServer}>${milliseconds(best.roundTrip)}</span>` : nothing}
    ${stopped
      ? html`<button type="button" class="second" @click=${() => session.restart()}>${closeCode === 4409 ? t().playHere : t().reconnect}</button>`
      : nothing}
  </p>`;
}
