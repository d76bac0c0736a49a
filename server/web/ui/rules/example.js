// @ts-check
/** A position of the rules: to look at, and on a press a board of one's own to go on from there. */

import { html, nothing } from "../../vendor/lit/lit-element.js";
import { createRace, readPositions } from "../../net/http.js";
import { codePath, playPath } from "../../route.js";
import { keepReady } from "../../store/player.js";
import { seatEnded } from "../../store/race.js";
import { RaceSession } from "../../store/session.js";
import { number, t } from "../../texts/index.js";
import { BOARDS, boardOf } from "../board.js";
import { LightElement } from "../element.js";
import { scoreText } from "../score.js";
import { EXAMPLES } from "./examples.js";

class RulesExample extends LightElement {
  static properties = {
    of: { type: String },
    says: { type: String },
    language: { type: String },
    board: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    /** A key of EXAMPLES. */
    this.of = "";
    /** What is to be seen. */
    this.says = "";
    this.language = "";
    /** The position, as the server tells it. @type {import("../../store/race.js").Board | undefined} */
    this.board = undefined;
    this.busy = false;
    this.trouble = "";
    /** A race of one seat, brought to the position. @type {RaceSession | undefined} */
    this.session = undefined;
    /** Whether the words that lead there have been played. */
    this.placed = false;
    this.addEventListener("keydown", (event) => this.key(event));
  }

  /** @returns {string[]} */
  get words() {
    return EXAMPLES[this.of].words.split(" ").filter(Boolean);
  }

  connectedCallback() {
    super.connectedCallback();
    this.attempt(async () => {
      const { code, words } = EXAMPLES[this.of];
      const last = this.words.length;
      this.board = (await readPositions(`${code} ${words}`.trim(), "free", last, last)).positions[0].board;
    });
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    // The server's own words come in the language of the hello.
    if (changed.has("language")) this.session?.restart();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  /** @param {() => Promise<void>} call */
  async attempt(call) {
    this.busy = true;
    this.trouble = "";
    try {
      await call();
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }

  begin() {
    return this.attempt(async () => {
      const { race } = await createRace({ code: EXAMPLES[this.of].code, seats: 1, listed: false });
      if (!this.isConnected) return;
      keepReady(race);
      this.session = new RaceSession(race, "seat", () => this.raceChanged());
      this.session.open();
    });
  }

  stop() {
    this.session?.close();
    this.session = undefined;
    this.placed = false;
    this.requestUpdate();
  }

  raceChanged() {
    const { session } = this;
    const my = session?.state?.my;
    if (session && my?.board && !this.placed) {
      this.placed = true;
      for (const word of this.words) session.play(word);
    }
    this.requestUpdate();
  }

  /** Whether one's own board stands at the position, or later. */
  get ready() {
    return this.placed && (this.session?.state?.my?.lane ?? 0) >= this.words.length;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.ready || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const board = /** @type {import("../golf.js").GolfBoard | null} */ (this.querySelector(BOARDS));
    board?.press(event.key.toLowerCase());
  }

  render() {
    const { session, ready } = this;
    const shown = (ready && session?.board) || this.board;
    const playing = ready && !seatEnded(session?.state?.my?.status ?? "");
    return html`<figure class="example" data-example=${this.of} data-state=${ready ? "ready" : session ? "begun" : "shown"}>
      <figcaption>${this.says} <a class="code" href=${codePath(EXAMPLES[this.of].code)}>${EXAMPLES[this.of].code}</a></figcaption>
      ${shown ? boardOf(shown, playing ? session : undefined) : nothing}
      ${session ? this.underBoard(session, ready) : this.invitation()}
      <p role="alert" class="refusal">${this.trouble || session?.fault?.message || ""}</p>
    </figure>`;
  }

  invitation() {
    return html`<p><button type="button" ?disabled=${this.busy} @click=${this.begin}>${this.words.length > 0 ? t().playFromHere : t().playThis}</button></p>`;
  }

  /**
   * @param {RaceSession} session
   * @param {boolean} ready
   */
  underBoard(session, ready) {
    const board = session.state?.my?.board;
    if (!ready || !board) return html`<p role="status">${t().settingUp}</p>`;
    return html`<p role="status" class="words ${session.refusal ? "refusal" : ""}">${session.refusal || t().yourTurn}</p>
      <p class="tally">
        ${t().score} <b data-tally="score">${scoreText(session.state?.card.game ?? "", board.score)}</b> ${t().moves} <b data-tally="moves">${number(board.moves)}</b>
      </p>
      <div class="actions">
        <button type="button" ?disabled=${board.undoable === 0} @click=${() => session.play("u")}>${t().undo}</button>
        <button type="button" class="second" @click=${this.stop}>${t().backToExample}</button>
        <a class="button second" href=${playPath(session.race)}>${t().openRace}</a>
      </div>`;
  }
}

customElements.define("fd-example", RulesExample);
