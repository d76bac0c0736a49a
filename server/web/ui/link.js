// @ts-check
/** An address to share: copied by a button, or shown as a QR code to somebody in the same room. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";
import "./qr.js";

class ShareLink extends LightElement {
  static properties = {
    label: { type: String },
    path: { type: String },
    language: { type: String },
    copied: { state: true },
    pictured: { state: true },
  };

  constructor() {
    super();
    this.label = "";
    /** An address, or its path on this server. */
    this.path = "";
    this.language = "";
    this.copied = false;
    this.pictured = false;
  }

  get address() {
    return new URL(this.path, location.origin).href;
  }

  async copy() {
    const field = /** @type {HTMLInputElement} */ (this.querySelector("input"));
    field.select();
    // Without https there is no clipboard to write to; the selected text can still be copied by hand.
    await navigator.clipboard?.writeText(field.value);
    this.copied = navigator.clipboard !== undefined;
  }

  render() {
    return html`<div class="line wrap">
        <label class="grow"><span>${this.label}</span><input readonly .value=${this.address} /></label>
        <button type="button" class="second" @click=${this.copy}>${this.copied ? t().copied : t().copy}</button>
        <button type="button" class="second" aria-expanded=${this.pictured} aria-label="${t().qr}: ${this.label}" @click=${() => (this.pictured = !this.pictured)}>
          ${t().qr}
        </button>
      </div>
      ${this.pictured ? html`<fd-qr .text=${this.address} .language=${this.language}></fd-qr>` : nothing}`;
  }
}

customElements.define("fd-link", ShareLink);
