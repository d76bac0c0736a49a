// @ts-check
/** The form that makes a race: a race card of protocol.md, in a player's words. */

import { html } from "../vendor/lit/lit-element.js";
import { createRace } from "../net/http.js";
import { go } from "../route.js";
import { keepName, ownName } from "../store/player.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

const FIRST_CODE = "GO1-E-AAAAAAB";
const BOTS = ["solver", "greedy", "random"];
const MOST_BOTS = 3;
const PACES = ["", "0.5", "1", "2", "5", "10"];
const MINUTES = [2, 5, 10, 20, 60];

class CreateRace extends LightElement {
  static properties = {
    code: { type: String },
    language: { type: String },
    by: { state: true },
    rule: { state: true },
    sealed: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.code = "";
    this.language = "";
    /** @type {"code" | "game"} */
    this.by = "code";
    this.rule = "E";
    this.sealed = false;
    this.busy = false;
    this.trouble = "";
  }

  /** @param {SubmitEvent} event */
  async create(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    keepName(String(form.get("player_name") ?? ""));
    this.busy = true;
    this.trouble = "";
    try {
      const { race } = await createRace(this.raceCard(form));
      go(`/r/${race}`);
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
    const jokers = Number(form.get("jokers"));
    const options = `${jokers ? `J${jokers}` : ""}${form.has("empty_waste") ? "X" : ""}`;
    return {
      ...(this.by === "code" ? { code: String(form.get("code")).trim() } : { game: `GO1-${this.rule}${options}` }),
      seats: Number(form.get("people")) + bots.length,
      bots,
      goal: form.get("goal"),
      time_limit_s: Number(form.get("minutes")) * 60,
      undo: form.get("undo"),
      start: form.get("start"),
      listed: form.has("listed"),
      sealed: this.by === "game" && this.sealed,
    };
  }

  render() {
    return html`<h2>${t().newRace}</h2>
      <form class="create" @submit=${this.create}>
        <fieldset>
          <legend>${t().deal}</legend>
          <div class="pair">${this.dealChoice("code", t().byCode)} ${this.dealChoice("game", t().byGame)}</div>
          ${this.by === "code" ? this.codeField() : this.gameFields()}
        </fieldset>
        <div class="pair">
          <label><span>${t().people}</span><input name="people" type="number" min="0" max="100" value="1" required /></label>
          ${choice("goal", t().goal, Object.entries(t().goals), "score")}
        </div>
        <fieldset class="bots">
          <legend>${t().bots}</legend>
          ${Array.from({ length: MOST_BOTS }, (_, index) => this.botChoice(index))}
          ${choice("pace", t().pace, PACES.map((pace) => [pace, pace ? t().paceOf(Number(pace)) : t().paceFree]), "1")}
        </fieldset>
        <details>
          <summary>${t().moreOptions}</summary>
          <div class="pair">
            ${choice("minutes", t().timeLimit, MINUTES.map((n) => [String(n), t().minutes(n)]), "10")}
            ${choice("undo", t().undoRule, Object.entries(t().undoRules), "free")}
          </div>
          ${choice("start", t().start, Object.entries(t().starts), "all_ready")}
          <label class="check"><input type="checkbox" name="listed" checked /><span>${t().listed}</span></label>
        </details>
        <label><span>${t().yourName}</span><input name="player_name" maxlength="40" autocomplete="nickname" .value=${ownName()} /><small>${t().nameHint}</small></label>
        <button type="submit" class="main" ?disabled=${this.busy}>${t().create}</button>
        <p role="alert" class="refusal">${this.trouble}</p>
      </form>`;
  }

  /**
   * @param {"code" | "game"} by
   * @param {string} label
   */
  dealChoice(by, label) {
    return html`<label class="check"
      ><input type="radio" name="by" value=${by} .checked=${this.by === by} @change=${() => (this.by = by)} /><span>${label}</span></label
    >`;
  }

  codeField() {
    return html`<label
      ><span>${t().code}</span><input name="code" class="code" required spellcheck="false" autocomplete="off" value=${this.code || FIRST_CODE}
    /></label>`;
  }

  gameFields() {
    const chooseRule = (/** @type {Event} */ event) => (this.rule = /** @type {HTMLSelectElement} */ (event.target).value);
    return html`<div class="pair">
        <label
          ><span>${t().rule}</span
          ><select name="rule" @change=${chooseRule}>
            ${Object.entries(t().rules).map(([letter, name]) => html`<option value=${letter} ?selected=${letter === this.rule}>${name}</option>`)}
          </select></label
        >
        ${choice("jokers", t().jokers, [["0", "0"], ["1", "1"], ["2", "2"]], "0")}
      </div>
      <p class="quiet">${t().rulesMean[this.rule]}</p>
      <label class="check"><input type="checkbox" name="empty_waste" /><span>${t().emptyWaste}</span></label>
      <label class="check"
        ><input type="checkbox" .checked=${this.sealed} @change=${() => (this.sealed = !this.sealed)} /><span>${t().sealed}</span></label
      >`;
  }

  /** @param {number} index */
  botChoice(index) {
    return html`<select name="bot" aria-label="${t().bot} ${index + 1}">
      <option value="" ?selected=${index > 0}>–</option>
      ${BOTS.map((bot) => html`<option value=${bot} ?selected=${index === 0 && bot === "solver"}>${t().botNames[bot]}</option>`)}
    </select>`;
  }
}

/**
 * @param {string} name
 * @param {string} label
 * @param {[string, string][]} values
 * @param {string} chosen
 */
function choice(name, label, values, chosen) {
  return html`<label
    ><span>${label}</span
    ><select name=${name}>
      ${values.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}
    </select></label
  >`;
}

customElements.define("fd-create", CreateRace);
