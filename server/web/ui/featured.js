// @ts-check
/** The live race most worth watching, while there is one. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { readFeatured } from "../net/http.js";
import { t } from "../texts/index.js";
import { FreshElement } from "./fresh.js";
import { raceRow } from "./races.js";

class Featured extends FreshElement {
  static properties = { language: { type: String }, race: { state: true }, watching: { state: true } };

  constructor() {
    super();
    this.language = "";
    /** @type {any} */
    this.race = undefined;
    this.watching = 0;
  }

  async refresh() {
    try {
      const { races, watching } = await readFeatured();
      this.race = races[0];
      this.watching = watching ?? 0;
    } catch {
      // The list of live races beside it says what is wrong.
      this.race = undefined;
    }
  }

  render() {
    if (!this.race) return nothing;
    return html`<section class="panel featured">
      <h2>${t().featured} ${this.watching > 0 ? html`<span class="tag">${t().watchers(this.watching)}</span>` : nothing}</h2>
      <ul class="races">${raceRow(this.race)}</ul>
    </section>`;
  }
}

customElements.define("fd-featured", Featured);
