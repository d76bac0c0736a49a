// @ts-check
/** Begins a race on a code with one press: against a bot, or alone. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { createRace } from "../net/http.js";
import { formPath, go, playPath } from "../route.js";
import { keepReady } from "../store/player.js";
import { forOneAlone } from "../store/race.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

/** A bot that most people can beat now and then, at a pace that can be followed. */
const OPPONENT = { bot: "level-3", pace: 1 };

class StartRace extends LightElement {
  static properties = { code: { type: String }, form: { type: Boolean }, language: { type: String }, busy: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.code = "";
    /** Whether the way to the form with all options is shown too. */
    this.form = false;
    this.language = "";
    this.busy = false;
    this.trouble = "";
  }

  /** @param {Record<string, unknown>} card what the race card says besides the code */
  async start(card) {
    this.busy = true;
    this.trouble = "";
    try {
      const { race } = await createRace({ code: this.code.trim(), ...card });
      if (forOneAlone(card)) keepReady(race);
      go(playPath(race));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }

  render() {
    return html`<div class="actions">
        <button type="button" class="main big" data-start="bot" ?disabled=${this.busy} @click=${() => this.start({ seats: 2, bots: [OPPONENT] })}>
          ${t().raceBot}
        </button>
        <button type="button" class="big" data-start="alone" ?disabled=${this.busy} @click=${() => this.start({ seats: 1 })}>${t().playAlone}</button>
        ${this.form ? html`<a class="button second big" href=${formPath(this.code)}>${t().moreOptions}</a>` : nothing}
      </div>
      <p role="alert" class="refusal">${this.trouble}</p>`;
  }
}

customElements.define("fd-start", StartRace);
