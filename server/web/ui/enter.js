// @ts-check
/** One field for whatever somebody was given: a game code, a link, a race's number. */

import { html } from "../vendor/lit/lit-element.js";
import { FILE, codePath, go, placeTyped, replayPath } from "../route.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";
import "./start.js";

const FIRST = "GO1-E-AAAAAAB";

class EnterCode extends LightElement {
  static properties = { language: { type: String }, typed: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.language = "";
    this.typed = FIRST;
    this.trouble = false;
  }

  /** Whether what stands there leads to a race, and not to a deal. */
  get leadsToRace() {
    const place = placeTyped(this.typed);
    return place !== undefined && !place.startsWith(codePath(""));
  }

  /** @param {SubmitEvent} event */
  enter(event) {
    event.preventDefault();
    const place = placeTyped(this.typed);
    this.trouble = place === undefined;
    if (place) go(place);
  }

  render() {
    const { leadsToRace } = this;
    const typed = (/** @type {Event} */ event) => {
      this.typed = /** @type {HTMLInputElement} */ (event.target).value;
      this.trouble = false;
    };
    return html`<h2>${t().playCode}</h2>
      <p class="quiet">${t().playCodeHint}</p>
      <form class="line wrap" @submit=${this.enter}>
        <label class="grow"
          ><span>${t().codeOrLink}</span
          ><input name="enter" class="code" required spellcheck="false" autocomplete="off" autocapitalize="characters" .value=${this.typed} @input=${typed}
        /></label>
        <button type="submit" class=${leadsToRace ? "main" : "second"}>${leadsToRace ? t().join : t().look}</button>
      </form>
      <p role="alert" class="refusal">${this.trouble ? t().badLink : ""}</p>
      <p><a href=${replayPath(FILE)}>${t().openFile}</a></p>
      ${leadsToRace ? "" : html`<fd-start .code=${this.typed} .language=${this.language}></fd-start>`}`;
  }
}

customElements.define("fd-enter", EnterCode);
