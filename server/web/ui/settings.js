// @ts-check
/** The switches, behind a button: a dialog of the browser's own, with its focus and its Esc key. */

import { SWITCHES, TURNED, on, turn } from "../store/settings.js";
import { t } from "../texts/index.js";
import { html, nothing } from "../vendor/lit/lit-element.js";
import { LightElement } from "./element.js";

class Settings extends LightElement {
  static properties = { language: { type: String } };

  constructor() {
    super();
    this.language = "";
    this.turned = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener(TURNED, this.turned);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener(TURNED, this.turned);
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
  }

  /**
   * A click beside the dialog closes it: its own content covers all of it.
   * @param {MouseEvent} event
   */
  beside(event) {
    if (event.target === this.dialog) this.dialog.close();
  }

  render() {
    return html`<button type="button" class="second icon" aria-haspopup="dialog" @click=${() => this.dialog.showModal()}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7H13M17 7H21M3 17H7M11 17H21M15 4V10M9 14V20" /></svg>
        <span>${t().settings}</span>
      </button>
      <dialog class="settings" aria-label=${t().settings} @click=${this.beside}>
        <form method="dialog">
          <h2>${t().settings}</h2>
          ${SWITCHES.map((name) => this.line(name))}
          <button type="submit" class="main">${t().close}</button>
        </form>
      </dialog>`;
  }

  /** @param {import("../store/settings.js").Switch} name */
  line(name) {
    const [label, meaning] = t().switches[name];
    const change = (/** @type {Event} */ event) => turn(name, /** @type {HTMLInputElement} */ (event.target).checked);
    return html`<label class="check">
      <input type="checkbox" name=${name} .checked=${on(name)} aria-describedby=${meaning ? `means-${name}` : nothing} @change=${change} />
      <span>${label}${meaning ? html`<small id="means-${name}">${meaning}</small>` : nothing}</span>
    </label>`;
  }
}

customElements.define("fd-settings", Settings);
