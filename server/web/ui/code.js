// @ts-check
/** The page of one game code. */

import { html } from "../vendor/lit/lit-element.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

class CodePage extends LightElement {
  static properties = { code: { type: String }, language: { type: String } };

  constructor() {
    super();
    this.code = "";
    this.language = "";
  }

  render() {
    document.title = `${this.code} · Fairdeal`;
    return html`<section class="panel">
      <h1>${t().codePage} <span class="code">${this.code}</span></h1>
      <p><a class="button" href="/?code=${encodeURIComponent(this.code)}">${t().raceThisDeal}</a></p>
    </section>`;
  }
}

customElements.define("fd-code", CodePage);
