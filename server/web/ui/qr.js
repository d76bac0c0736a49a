// @ts-check
/** An address as a QR code, for the camera of another device. The library comes when the first one is shown. */

import { html, nothing, svg } from "../vendor/lit/lit-element.js";
import { t } from "../texts/index.js";
import { LightElement } from "./element.js";

/** So many empty squares around it are what cameras want. */
const MARGIN = 4;

class QrCode extends LightElement {
  static properties = { text: { type: String }, language: { type: String }, squares: { state: true } };

  constructor() {
    super();
    this.text = "";
    this.language = "";
    /** @type {import("../vendor/lean-qr/lean-qr.js").Bitmap2D | undefined} */
    this.squares = undefined;
  }

  /** @param {Map<string, unknown>} changed */
  async willUpdate(changed) {
    if (!changed.has("text")) return;
    const { generate } = await import("../vendor/lean-qr/lean-qr.js");
    this.squares = generate(this.text);
  }

  render() {
    const { squares } = this;
    if (!squares) return nothing;
    const side = squares.size + 2 * MARGIN;
    return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label=${t().qrOf} shape-rendering="crispEdges">
      <rect class="light" width=${side} height=${side} />${svg`<path class="dark" d=${outline(squares)} />`}
    </svg>`;
  }
}

/**
 * Each row's dark squares as strips, one unit high.
 * @param {import("../vendor/lean-qr/lean-qr.js").Bitmap2D} squares
 */
function outline(squares) {
  let path = "";
  for (let y = 0; y < squares.size; y++) {
    for (let x = 0; x < squares.size; x++) {
      const from = x;
      while (squares.get(x, y)) x++;
      if (x > from) path += `M${from + MARGIN} ${y + MARGIN}h${x - from}v1H${from + MARGIN}z`;
    }
  }
  return path;
}

customElements.define("fd-qr", QrCode);
