// @ts-check
/** A list of races that keeps itself fresh. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { listRaces } from "../net/http.js";
import { playPath, watchPath } from "../route.js";
import { playerId } from "../store/player.js";
import { t } from "../texts/index.js";
import { nameOf } from "../texts/names.js";
import { FreshElement } from "./fresh.js";
import { gameText } from "./game.js";
import { hasRoom } from "./seats.js";

class Races extends FreshElement {
  static properties = {
    status: { type: String },
    limit: { type: Number },
    language: { type: String },
    races: { state: true },
    more: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    /** @type {"open" | "live"} */
    this.status = "open";
    /** At most so many are shown at first. */
    this.limit = 10;
    this.language = "";
    /** @type {any[]} */
    this.races = [];
    /** Whether there are more than are shown. */
    this.more = false;
    this.trouble = "";
  }

  async refresh() {
    try {
      const { races, cursor } = await listRaces({ status: this.status, limit: String(this.limit) });
      this.races = races;
      this.more = cursor !== undefined;
      this.trouble = "";
    } catch (error) {
      this.trouble = `${t().cannotLoad} ${error instanceof Error ? error.message : error}`;
    }
  }

  showMore() {
    // A page of the lobby has no more than 100.
    this.limit = Math.min(100, 3 * this.limit);
    this.refresh();
  }

  render() {
    const titles = { open: t().openRaces, live: t().liveRaces };
    return html`<h2>${titles[this.status]}</h2>
      ${this.trouble ? html`<p class="refusal">${this.trouble}</p>` : nothing}
      ${this.races.length === 0 && !this.trouble ? html`<p class="quiet">${t().noRaces}</p>` : nothing}
      <ul class="races">${this.races.map(raceRow)}</ul>
      ${this.more && this.limit < 100 ? html`<p><button type="button" class="second" @click=${this.showMore}>${t().showMore}</button></p>` : nothing}`;
  }
}

/** @param {any} race as `GET /api/races` gives it, open or live */
export function raceRow(race) {
  const { card } = race;
  const taken = race.seats.filter((/** @type {any} */ seat) => seat.player || seat.name);
  const names = taken.map(nameOf).join(", ");
  const own = taken.some((/** @type {any} */ seat) => seat.player === playerId());
  const facts = [card.code, t().goals[card.goal] ?? card.goal, t().minutes(Math.round(card.time_limit_s / 60)), card.series > 1 ? t().seriesOf(card.series) : ""];
  const title = card.name || gameText(card.game);
  return html`<li data-race=${race.race}>
    <span class="what"
      ><strong>${title}</strong> ${card.rated ? html`<span class="tag">${t().rated}</span>` : nothing} ${card.sealed ? html`<span class="tag">${t().sealedTag}</span>` : nothing}
      <span class="quiet">${facts.filter(Boolean).join(" · ")}</span><br /><span class="quiet"
        >${t().seatsTaken(taken.length, card.seats)}${names ? `: ${names}` : ""}</span
      ></span
    >
    ${own || (race.status === "open" && hasRoom(race)) ? html`<a class="button" href=${playPath(race.race)} aria-label="${own ? t().backToRace : t().join}: ${title}">${own ? t().backToRace : t().join}</a>` : nothing}
    ${own || card.watch === "off" ? nothing : html`<a class="button second" href=${watchPath(race.race)} aria-label="${t().watch}: ${title}">${t().watch}</a>`}
  </li>`;
}

customElements.define("fd-races", Races);
