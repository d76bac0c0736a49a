// @ts-check
/** Replays as files: taken home from a race, or brought from there to be verified and shown. */

import { html, nothing } from "../../vendor/lit/lit-element.js";
import { verifyFile } from "../../net/http.js";
import { number, t } from "../../texts/index.js";
import { LightElement } from "../element.js";
import { seatName } from "../seats.js";

/**
 * @typedef {import("../../store/moments.js").Told} Told
 * @typedef {import("../../store/moments.js").Run} Run
 * @typedef {{ ok: boolean, race?: string, entries?: number, place?: string, fault?: string, replay?: Told }} Verdict
 */

/** No replay file that the server looks at is longer (server/README.md); its JSON form may be four times as long. */
const MOST_BYTES = 4 << 20;

/** Fires `replay` with a race that a file holds, once the server has verified it. */
class ReplayFile extends LightElement {
  static properties = { language: { type: String }, verdict: { state: true }, name: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.language = "";
    /** @type {Verdict | undefined} */
    this.verdict = undefined;
    this.name = "";
    this.trouble = "";
  }

  /** @param {Event} event */
  async open(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const file = field.files?.[0];
    if (!file) return;
    this.name = file.name;
    this.verdict = undefined;
    this.trouble = file.size > MOST_BYTES ? t().fileTooLong : "";
    if (!this.trouble) await this.verify(file);
    // The same file may be chosen again once it is mended.
    field.value = "";
  }

  /** @param {File} file */
  async verify(file) {
    try {
      const json = (await file.slice(0, 1).text()) === "{";
      this.verdict = /** @type {Verdict} */ (await verifyFile(file, json));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      return;
    }
    if (this.verdict.replay) this.dispatchEvent(new CustomEvent("replay", { detail: this.verdict.replay }));
  }

  render() {
    const { verdict } = this;
    return html`<label class="file"><span>${t().openFile}</span><input type="file" name="file" accept=".fairdeal,.json,application/json" @change=${this.open} /></label>
      <p role="status" class="good">${verdict?.ok ? t().fileHolds(this.name, number(verdict.entries ?? 0)) : nothing}</p>
      <p role="alert" class="refusal">${this.trouble || (verdict && !verdict.ok ? t().fileBroken(this.name, faultText(verdict.place ?? "")) : "")}</p>
      ${verdict && !verdict.ok
        ? html`<details class="fault"><summary>${t().fileDetails}</summary><p lang="en">${verdict.place}: ${verdict.fault}</p></details>`
        : nothing}`;
  }
}

/**
 * Where a file does not hold, in the reader's words; what is wrong there, the server says in English.
 * @param {string} place as `fairdeal verify` names it, e.g. `header.code`, `entry 12.a`, `byte 300`
 */
function faultText(place) {
  const [, byte] = /byte (\d+)$/.exec(place) ?? [];
  if (byte) return t().faultAtByte(number(Number(byte)));
  const [, entry, part] = /^entry (\d+)(?:\.(\w+))?/.exec(place) ?? [];
  if (entry) return part ? t().faultInEntry(number(Number(entry)), t().entryParts[part] ?? part) : t().faultAtEntry(number(Number(entry)));
  const [, field] = /^header\.(\w+)/.exec(place) ?? [];
  if (field) return t().faultInHeader(field);
  return place === "file" ? t().faultNoReplay : t().faultCutOff;
}

/**
 * @param {string} race
 * @param {Run[]} runs
 */
export function downloads(race, runs) {
  const base = `/api/races/${encodeURIComponent(race)}/record`;
  return html`<ul class="downloads">
    <li><a href=${base} download="${race}.fairdeal">${t().downloadFile}</a></li>
    ${runs.map((run) => (run.record ? html`<li><a href="${base}?seat=${run.seat}" download="${race}-${run.seat}.txt">${t().downloadLine(seatName(run))}</a></li>` : nothing))}
  </ul>`;
}

customElements.define("fd-replay-file", ReplayFile);
