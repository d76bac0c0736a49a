// @ts-check
/** The page of one ladder: who is rated how in a pool, oneself among them, and the way to the other ladders. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readLadder, readLadders } from "../net/http.js";
import { ladderPath, playerPath } from "../route.js";
import { number, t } from "../texts/index.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";

const ROWS = 50;
/** Ladders that are shown before anybody is rated on them. */
const POOLS = ["GO1-E-people", "DS1-D1N-people"];

class LadderPage extends LightElement {
  static properties = { pool: { type: String }, language: { type: String }, ladder: { state: true }, all: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.pool = "";
    this.language = "";
    /** What `GET /api/ladders/{pool}` says, with the rows of all pages loaded. @type {any} */
    this.ladder = undefined;
    /** @type {any[]} */
    this.all = [];
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("pool")) this.show({});
  }

  /** @param {Record<string, string>} part of the ladder */
  async show(part) {
    const { pool } = this;
    this.trouble = "";
    try {
      const [ladder, { ladders }] = await Promise.all([readLadder(pool, part), readLadders()]);
      if (pool !== this.pool) return;
      this.ladder = ladder;
      this.all = ladders;
    } catch (error) {
      if (pool !== this.pool) return;
      this.ladder = undefined;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  render() {
    const { ladder } = this;
    const name = poolText(ladder?.pool ?? this.pool);
    document.title = `${t().ladder}: ${name} · Fairdeal`;
    return html`<div class="stack">
      <section class="panel">
        <h1>${t().ladder}: ${name}</h1>
        <p class="quiet">${t().ladderHint}</p>
        <p role="alert" class="refusal">${this.trouble}</p>
        ${ladder ? html`${this.own(ladder)} ${ladderTable(ladder.rows, ladder.me?.rank)} ${this.turns(ladder)}` : nothing}
      </section>
      <nav class="panel" aria-label=${t().ladders}>
        <h2>${t().ladders}</h2>
        <ul class="pools">
          ${this.pools().map(({ pool, size }) => html`<li><a href=${ladderPath(pool)} aria-current=${pool === ladder?.pool ? "page" : nothing}>${poolText(pool)}</a> <span class="quiet">${t().ratedPlayers(number(size))}</span></li>`)}
        </ul>
      </nav>
    </div>`;
  }

  pools() {
    const known = new Set(this.all.map(({ pool }) => pool));
    return [...this.all, ...POOLS.filter((pool) => !known.has(pool)).map((pool) => ({ pool, size: 0 }))];
  }

  /** @param {any} ladder */
  own({ me }) {
    if (!me) return nothing;
    return html`<p class="inset">
      ${t().yourRating}: <b>${number(Math.round(me.rating))}</b> ${me.provisional ? t().provisional : html`· ${t().rank} ${number(me.rank)}`}
      ${me.rank ? html`<button type="button" class="second" @click=${() => this.show({ around: "me" })}>${t().aroundMe}</button>` : nothing}
    </p>`;
  }

  /** @param {any} ladder */
  turns({ start, rows, size }) {
    const end = start + rows.length;
    return html`<div class="actions">
      ${start > 0 ? html`<button type="button" class="second" @click=${() => this.show({})}>${t().fromTop}</button>` : nothing}
      ${end < size ? html`<button type="button" class="second" @click=${() => this.show({ start: String(end), limit: String(ROWS) })}>${t().showMore}</button>` : nothing}
    </div>`;
  }
}

/** @param {string} pool e.g. `GO1-C-people` */
export function poolText(pool) {
  const [, game, group] = /^(.*)-(people|bots|all)$/.exec(pool) ?? [];
  return group ? `${gameText(game)} · ${t().groups[group]}` : gameText(pool);
}

/**
 * @param {any[]} rows as `GET /api/ladders/{pool}` gives them
 * @param {number | null | undefined} own one's own rank
 */
function ladderTable(rows, own) {
  if (rows.length === 0) return html`<p class="quiet">${t().ladderEmpty}</p>`;
  return html`<div class="wide"><table class="standings">
    <thead>
      <tr><th scope="col">${t().rank}</th><th scope="col">${t().player}</th><th scope="col">${t().rating}</th><th scope="col">${t().theirRaces}</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ rank, player, name, rating, races }) => html`<tr class=${rank === own ? "own" : ""}>
          <td>${number(rank)}</td>
          <th scope="row"><a href=${playerPath(player)}>${name ?? player}</a></th>
          <td>${number(Math.round(rating))}</td>
          <td>${number(races)}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

customElements.define("fd-ladder", LadderPage);
