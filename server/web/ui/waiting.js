// @ts-check
/** The waiting room of a race: ready or not, a name, the links to share. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { playPath, watchPath } from "../route.js";
import { playerId } from "../store/player.js";
import { language, t } from "../texts/index.js";
import "./link.js";
import { hasRoom } from "./seats.js";

/**
 * @typedef {import("../store/session.js").RaceSession} RaceSession
 * @typedef {import("../store/race.js").RaceState} RaceState
 */

/**
 * @param {RaceSession} session
 * @param {RaceState} state
 */
export function waitingRoom(session, state) {
  const own = state.seats.find((seat) => seat.seat === state.my?.seat);
  const host = state.card.start === "host";
  const creator = state.creator === playerId();
  const daily = state.sealedUntil !== undefined;
  return html`<p class="quiet">${daily ? t().dailyWaits : host ? t().waitingForHost : t().waitingForReady}</p>
    <div class="actions">
      ${own && !host && own.status === "seated" ? commandButton(session, "ready", t().ready, "main") : nothing}
      ${own && own.status === "ready" ? commandButton(session, "unready", t().notReady, "second") : nothing}
      ${host && creator ? commandButton(session, "start", t().startNow, "main") : nothing}
      ${own ? commandButton(session, "leave", t().leave, "second") : nothing}
      ${creator && !daily ? commandButton(session, "cancel", t().cancel, "second") : nothing}
    </div>
    <p role="alert" class="refusal">${session.refusal}</p>
    ${own?.status === "seated" && !state.invited ? nameField(session, own) : nothing}
    ${hasRoom(state) ? html`<fd-link .label=${t().shareLink} .path=${playPath(state.race)} .language=${language()}></fd-link>` : nothing}
    ${state.card.watch === "off" ? nothing : html`<fd-link .label=${t().watchLink} .path=${watchPath(state.race)} .language=${language()}></fd-link>`}`;
}

/**
 * @param {RaceSession} session
 * @param {"ready" | "unready" | "start" | "cancel" | "leave" | "done" | "rematch"} command
 * @param {string} label
 * @param {string} look
 */
export function commandButton(session, command, label, look) {
  return html`<button type="button" class=${look} data-command=${command} @click=${() => session.say(command)}>${label}</button>`;
}

/**
 * Who came by a link has had no chance to say a name.
 * @param {RaceSession} session
 * @param {import("../store/race.js").Seat} own
 */
function nameField(session, own) {
  const save = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    session.rename(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("player_name")));
  };
  return html`<form class="line" @submit=${save}>
    <label class="grow"><span>${t().yourName}</span><input name="player_name" maxlength="40" required autocomplete="nickname" .value=${own.name ?? ""} /></label>
    <button type="submit" class="second">${t().saveName}</button>
  </form>`;
}
