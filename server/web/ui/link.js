// @ts-check
/** An address to share, with a button that copies it. */

import { html } from "../vendor/lit/lit-element.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

class ShareLink extends LightElement {
  static properties = { label: { type: String }, path: { type: String }, language: { type: String }, copied: { state: true } };

  constructor() {
    super();
    this.label = "";
    this.path = "";
    this.language = "";
    this.copied = false;
  }

  async copy() {
    const field = /** @type {HTMLInputElement} */ (this.querySelector("input"));
    field.select();
    // Without https there is no clipboard to write to; the selected text can still be copied by hand.
    await navigator.clipboard?.writeText(field.value);
    this.copied = navigator.clipboard !== undefined;
  }

  render() {
    return html`<div class="line">
      <label class="grow"><span>${this.label}</span><input readonly .value=${location.origin + this.path} /></label>
      <button type="button" class="second" @click=${this.copy}>${this.copied ? t().copied : t().copy}</button>
    </div>`;
  }
}

customElements.define("fd-link", ShareLink);
