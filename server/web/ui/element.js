// @ts-check
/** The base of every component: rendered into the light DOM, so that one style sheet and every reader see it. */

import { LitElement } from "../vendor/lit/lit-element.js";

export class LightElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}
