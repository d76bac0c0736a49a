// @ts-check
/** The base of what is asked for anew every few seconds, as long as somebody looks. */

import { LightElement } from "./element.js";

const REFRESH_MS = 5_000;

/** @abstract */
export class FreshElement extends LightElement {
  constructor() {
    super();
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    this.refresh();
    this.timer = setInterval(() => document.visibilityState === "visible" && this.refresh(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  /** Ask for what is shown. @returns {Promise<void>} */
  async refresh() {
    throw new Error(`${this.localName} does not say what to ask for`);
  }
}
