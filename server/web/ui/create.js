// @ts-check
/** The form that makes a race: a race card of protocol.md, in a player's words. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { repeat } from "../vendor/lit/repeat.js";
import { challengePlayer, createRace } from "../net/http.js";
import { go, playPath } from "../route.js";
import { keepName, keepReady, ownName } from "../store/player.js";
import { forOneAlone } from "../store/race.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

/**
 * What the form offers for each game: a code to begin with, the server's bots, the usual time limit in minutes.
 * @type {Record<string, { code: string, bots: string[], minutes: string }>}
 */
const GAMES = {
  GO: { code: "GO1-E-AAAAAAB", bots: ["solver", "steady", "level-6", "level-5", "level-4", "level-3", "level-2", "level-1", "greedy", "random"], minutes: "10" },
  DS: { code: "DS1-D1N-AAAAAAB", bots: ["steady", "solver", "level-6", "level-5", "level-4", "level-3", "level-2", "level-1", "greedy", "random"], minutes: "30" },
};
const PACES = ["", "0.5", "1", "2", "5", "10"];
const SERIES = [1, 3, 5, 7, 9];
/** How much later spectators are told, in seconds. */
const DELAYS = [0, 10, 30, 60, 300];
const MINUTES = [2, 5, 10, 20, 30, 60];

class CreateRace extends LightElement {
  static properties = {
    code: { type: String },
    rival: { type: String },
    language: { type: String },
    by: { state: true },
    game: { state: true },
    typed: { state: true },
    rule: { state: true },
    draw: { state: true },
    scoring: { state: true },
    sealed: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.code = "";
    /** The player who is challenged; "": the race is for whoever comes. */
    this.rival = "";
    this.language = "";
    /** @type {"code" | "game"} */
    this.by = "code";
    this.game = "GO";
    this.typed = GAMES.GO.code;
    this.rule = "E";
    this.draw = "1";
    this.scoring = "N";
    this.sealed = false;
    this.busy = false;
    this.trouble = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("code") && this.code) this.type(this.code);
    // A challenge is on a deal that neither has seen, unless it is to be a known one.
    if (changed.has("rival") && this.rival) this.by = "game";
  }

  /**
   * A code says which game it is for.
   * @param {string} code
   */
  type(code) {
    this.typed = code;
    const letters = code.trim().slice(0, 2).toUpperCase();
    if (letters in GAMES) this.game = letters;
  }

  /** @param {string} game */
  chooseGame(game) {
    this.game = game;
    this.typed = GAMES[game].code;
  }

  /** @param {SubmitEvent} event */
  async create(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    keepName(String(form.get("player_name") ?? ""));
    this.busy = true;
    this.trouble = "";
    try {
      const card = this.raceCard(form);
      const { race } = await (this.rival ? challengePlayer(this.rival, card) : createRace(card));
      if (forOneAlone(card)) keepReady(race);
      go(playPath(race));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }

  /**
   * @param {FormData} form
   * @returns {Record<string, unknown>}
   */
  raceCard(form) {
    const pace = Number(form.get("pace"));
    const bots = form.getAll("bot").filter((bot) => bot !== "").map((bot) => ({ bot, ...(pace > 0 && { pace }) }));
    return {
      ...(this.by === "code" ? { code: this.typed.trim() } : { game: this.rules(form) }),
      seats: (this.rival ? 2 : Number(form.get("people"))) + bots.length,
      bots,
      goal: form.get("goal"),
      time_limit_s: Number(form.get("minutes")) * 60,
      undo: form.get("undo"),
      start: form.get("start"),
      series: Number(form.get("series")),
      delay_s: Number(form.get("delay")),
      listed: form.has("listed"),
      watch: form.get("watch"),
      sealed: this.by === "game" && this.sealed,
      winnable: form.has("winnable"),
      ...(form.get("race_name") && { name: form.get("race_name") }),
    };
  }

  /**
   * The game with its rule letters, of codes.md.
   * @param {FormData} form
   */
  rules(form) {
    if (this.game === "DS") return `DS1-D${this.draw}${this.scoring}`;
    const jokers = Number(form.get("jokers"));
    return `GO1-${this.rule}${jokers ? `J${jokers}` : ""}${form.has("empty_waste") ? "X" : ""}`;
  }

  render() {
    const { bots, minutes } = GAMES[this.game];
    return html`<h2>${this.rival ? t().challengeTitle : t().newRace}</h2>
      <form class="create" @submit=${this.create}>
        <fieldset>
          <legend>${t().deal}</legend>
          <div class="pair">
            ${Object.entries(t().games).map(([game, name]) => radio("game", game, name, this.game === game, () => this.chooseGame(game)))}
            ${radio("by", "code", t().byCode, this.by === "code", () => (this.by = "code"))}
            ${radio("by", "game", t().byGame, this.by === "game", () => (this.by = "game"))}
          </div>
          ${this.by === "code" ? this.codeField() : this.gameFields()}
          ${this.game === "DS" ? html`<p class="quiet" data-once>${t().onceAdded}</p>` : nothing}
        </fieldset>
        <div class=${this.rival ? "pair" : "pair few"}>
          ${this.rival ? nothing : html`<label><span>${t().people}</span><input name="people" type="number" min="0" max="100" value="1" required /></label>`}
          ${choice("goal", t().goal, Object.entries(t().goals), "score")}
        </div>
        <fieldset class="bots">
          <legend>${t().bots}</legend>
          ${repeat([0, 1, 2], (index) => this.game + index, (index) => botChoice(bots, index, this.rival ? "" : bots[0]))}
          ${choice("pace", t().pace, PACES.map((pace) => [pace, pace ? t().paceOf(Number(pace)) : t().paceFree]), "1")}
        </fieldset>
        <details>
          <summary>${t().moreOptions}</summary>
          <div class="pair">
            ${repeat([minutes], (usual) => usual, (usual) => choice("minutes", t().timeLimit, MINUTES.map((n) => [String(n), t().minutes(n)]), usual))}
            ${choice("undo", t().undoRule, Object.entries(t().undoRules), "free")}
          </div>
          <div class="pair">
            ${choice("start", t().start, Object.entries(t().starts), "all_ready")}
            ${repeat([this.sealed ? "numbers" : "boards"], (usual) => usual, (usual) => choice("watch", t().watchRule, Object.entries(t().watchRules), usual))}
          </div>
          <div class="pair">
            ${choice("series", t().series, SERIES.map((n) => [String(n), t().seriesOf(n)]), "1")}
            ${choice("delay", t().delay, DELAYS.map((s) => [String(s), t().delayOf(s)]), "0")}
          </div>
          <label><span>${t().raceName}</span><input name="race_name" maxlength="60" autocomplete="off" /></label>
          <p class="quiet">${t().ratedHint}</p>
          <label class="check"><input type="checkbox" name="listed" checked /><span>${t().listed}</span></label>
        </details>
        <label><span>${t().yourName}</span><input name="player_name" maxlength="40" autocomplete="nickname" .value=${ownName()} /><small>${t().nameHint}</small></label>
        <button type="submit" class="main" ?disabled=${this.busy}>${this.rival ? t().challenge : t().create}</button>
        <p role="alert" class="refusal">${this.trouble}</p>
      </form>`;
  }

  codeField() {
    const typed = (/** @type {Event} */ event) => this.type(/** @type {HTMLInputElement} */ (event.target).value);
    return html`<label
      ><span>${t().code}</span
      ><input name="code" class="code" required spellcheck="false" autocomplete="off" .value=${this.typed} @input=${typed}
    /></label>`;
  }

  gameFields() {
    return html`${this.game === "DS" ? this.doubleFields() : this.golfFields()}
      <label class="check"
        ><input type="checkbox" .checked=${this.sealed} @change=${() => (this.sealed = !this.sealed)} /><span>${t().sealed}</span></label
      >
      <label class="check"><input type="checkbox" name="winnable" /><span>${t().winnable}</span></label>`;
  }

  golfFields() {
    return html`<div class="pair">
        ${choice("rule", t().rule, Object.entries(t().rules), this.rule, (rule) => (this.rule = rule))}
        ${choice("jokers", t().jokers, [["0", "0"], ["1", "1"], ["2", "2"]], "0")}
      </div>
      <p class="quiet">${t().rulesMean[this.rule]}</p>
      <label class="check"><input type="checkbox" name="empty_waste" /><span>${t().emptyWaste}</span></label>`;
  }

  doubleFields() {
    return html`<div class="pair">
        ${choice("draw", t().drawRule, Object.entries(t().drawRules), this.draw, (draw) => (this.draw = draw))}
        ${choice("scoring", t().scoring, Object.entries(t().scorings), this.scoring, (scoring) => (this.scoring = scoring))}
      </div>
      <p class="quiet">${t().scoringsMean[this.scoring]}</p>`;
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} label
 * @param {boolean} chosen
 * @param {() => void} choose
 */
function radio(name, value, label, chosen, choose) {
  return html`<label class="check"
    ><input type="radio" name=${name} value=${value} .checked=${chosen} @change=${choose} /><span>${label}</span></label
  >`;
}

/**
 * @param {string[]} bots the one to begin with first
 * @param {number} index
 * @param {string} first who is chosen to begin with, as the first of them; "": nobody
 */
function botChoice(bots, index, first) {
  return html`<select name="bot" aria-label="${t().bot} ${index + 1}">
    <option value="" ?selected=${index > 0 || !first}>–</option>
    ${bots.map((bot) => html`<option value=${bot} ?selected=${index === 0 && bot === first}>${t().botNames[bot]}</option>`)}
  </select>`;
}

/**
 * @param {string} name
 * @param {string} label
 * @param {[string, string][]} values
 * @param {string} chosen
 * @param {(value: string) => void} [choose]
 */
function choice(name, label, values, chosen, choose) {
  return html`<label
    ><span>${label}</span
    ><select name=${name} @change=${(/** @type {Event} */ event) => choose?.(/** @type {HTMLSelectElement} */ (event.target).value)}>
      ${values.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}
    </select></label
  >`;
}

customElements.define("fd-create", CreateRace);
