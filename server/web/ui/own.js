// @ts-check
/** One's own races of late: back to those that go on, and how the others ended. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { listRaces } from "../net/http.js";
import { playPath, playerPath, watchPath } from "../route.js";
import { playerId } from "../store/player.js";
import { moment, number, t } from "../texts/index.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";
import { scoreText } from "./score.js";

const SHOWN = "5";

class OwnRaces extends LightElement {
  static properties = { language: { type: String }, races: { state: true } };

  constructor() {
    super();
    this.language = "";
    /** The newest first. @type {any[]} */
    this.races = [];
  }

  async connectedCallback() {
    super.connectedCallback();
    const player = playerId();
    if (!player) return;
    try {
      this.races = (await listRaces({ player, limit: SHOWN })).races;
    } catch {
      // The lobby is as good without; the lists beside it say what is wrong.
      this.races = [];
    }
  }

  render() {
    const player = playerId();
    if (!player || this.races.length === 0) return nothing;
    return html`<section class="panel">
      <h2>${t().ownRaces}</h2>
      <ul class="races">${this.races.map((race) => ownRow(race, player))}</ul>
      <p><a class="button second" href=${playerPath(player)}>${t().ownResults}</a></p>
    </section>`;
  }
}

/**
 * @param {any} race as `GET /api/races` gives it
 * @param {string} player
 */
function ownRow({ race, card, status, standings, created_at: created }, player) {
  const own = standings?.find((/** @type {any} */ one) => one.player === player);
  return html`<li data-own=${race}>
    <span class="what"
      ><strong>${card.name || gameText(card.game)}</strong> <span class="quiet">${moment(created)}</span><br />
      ${own
        ? html`${t().rankOf(number(own.rank), number(standings.length))} · ${scoreText(card.game, own.score)} <span class="quiet">${t().seatStatus[own.status] ?? own.status}</span>`
        : html`<span class="quiet">${t().raceStatus[status] ?? status}</span>`}</span
    >
    ${status === "finished" ? html`<a class="button second" href=${watchPath(race)}>${t().result}</a>` : html`<a class="button main" href=${playPath(race)}>${t().backToRace}</a>`}
  </li>`;
}

customElements.define("fd-own", OwnRaces);
