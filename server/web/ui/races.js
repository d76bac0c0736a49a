// @ts-check
/** A list of races that keeps itself fresh. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { listRaces } from "../net/http.js";
import { playPath, watchPath } from "../route.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

const REFRESH_MS = 5_000;

class Races extends LightElement {
  static properties = {
    status: { type: String },
    player: { type: String },
    language: { type: String },
    races: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.status = "";
    this.player = "";
    this.language = "";
    /** @type {any[]} */
    this.races = [];
    this.trouble = "";
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    this.refresh();
    this.timer = setInterval(() => document.visibilityState === "visible" && this.refresh(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async refresh() {
    try {
      const filter = { ...(this.status && { status: this.status }), ...(this.player && { player: this.player }) };
      this.races = (await listRaces(filter)).races;
      this.trouble = "";
    } catch (error) {
      this.trouble = `${t().cannotLoad} ${error instanceof Error ? error.message : error}`;
    }
  }

  render() {
    const titles = { open: t().openRaces, live: t().liveRaces, finished: t().finishedRaces };
    return html`<h2>${titles[/** @type {keyof typeof titles} */ (this.status)] ?? t().theirRaces}</h2>
      ${this.trouble ? html`<p class="refusal">${this.trouble}</p>` : nothing}
      ${this.races.length === 0 && !this.trouble ? html`<p class="quiet">${t().noRaces}</p>` : nothing}
      <ul class="races">${this.races.map(raceRow)}</ul>`;
  }
}

/** @param {any} race as `GET /api/races` gives it */
function raceRow(race) {
  const { card } = race;
  const taken = race.seats.filter((/** @type {any} */ seat) => seat.player || seat.name);
  const names = taken.map((/** @type {any} */ seat) => seat.name).join(", ");
  return html`<li data-race=${race.race}>
    <span class="what"><strong>${card.name || card.code || card.game}</strong> · ${t().goals[card.goal] ?? card.goal}
      · ${t().minutes(Math.round(card.time_limit_s / 60))}<br /><span class="quiet">${t().seatsTaken(taken.length, card.seats)}${names ? `: ${names}` : ""}</span></span>
    ${race.status === "open" ? html`<a class="button" href=${playPath(race.race)}>${t().join}</a>` : nothing}
    ${card.watch === "off" && race.status !== "finished" ? nothing : html`<a class="button second" href=${watchPath(race.race)}>${t().watch}</a>`}
  </li>`;
}

customElements.define("fd-races", Races);
