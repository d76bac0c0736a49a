// @ts-check
/** Challenges to whoever is at this page: told on every part of it, to be accepted or declined. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { repeat } from "../vendor/lit/repeat.js";
import { Socket } from "../net/socket.js";
import { playPath } from "../route.js";
import { keepPlayerId, keepToken, ownName, playerId, token } from "../store/player.js";
import { language, t } from "../texts/index.js";
import { nameOf } from "../texts/names.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";

/** @typedef {{ race: string, by: { player: string, name: string, kind: string }, card: Record<string, any>, left_ms: number }} Challenge */

/** Parts of the page that have a socket of their own, over which a challenge comes as well. */
const CONNECTED = new Set(["play", "watch"]);

/** How long a part is shown before it gets a socket: whoever creates a race goes on to that at once. */
const SETTLED_MS = 500;

class Challenges extends LightElement {
  static properties = { page: { type: String }, race: { type: String }, language: { type: String }, waiting: { state: true } };

  constructor() {
    super();
    this.page = "";
    /** The race that is shown: whoever is there needs no notice of it. */
    this.race = "";
    this.language = "";
    /** Those that wait for an answer. @type {Challenge[]} */
    this.waiting = [];
    /** Whose challenge is over without a word from here. */
    this.lapsed = "";
    /** Races that were declined, and why, until the server knows. @type {Map<string, string>} */
    this.declined = new Map();
    this.open = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.opening = undefined;
    /** Whose challenges these are, as soon as that is known. */
    this.player = "";
    /** The token of the last greeting. @type {string | null} */
    this.greetedWith = null;
    /** The token that counts no more. @type {string | null} */
    this.outdated = null;
    this.told = (/** @type {Event} */ event) => this.take(/** @type {CustomEvent<Challenge>} */ (event).detail);
    this.tokenKept = () => this.requestUpdate();
    this.answered = (/** @type {Event} */ event) => this.lapse(/** @type {CustomEvent<string>} */ (event).detail);
    this.socket = new Socket({
      hello: () => this.hello(),
      message: (message) => this.hear(message),
      state: () => {},
      refused: () => {
        // What the token is good for, whatever needs one finds out.
        this.outdated = this.greetedWith;
        this.connect(false);
        this.requestUpdate();
      },
    });
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("fd-token", this.tokenKept);
    addEventListener("fd-challenged", this.told);
    addEventListener("fd-answered", this.answered);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("fd-token", this.tokenKept);
    removeEventListener("fd-challenged", this.told);
    removeEventListener("fd-answered", this.answered);
    this.connect(false);
  }

  hello() {
    this.greetedWith = token();
    return { ...(token() && { token: token() }), ...(ownName() && { name: ownName() }), lang: language() };
  }

  willUpdate() {
    if (this.player && playerId() !== this.player) this.beNobody();
    // Nobody knows a visitor without a token, so nobody challenges one.
    const known = token() !== null && token() !== this.outdated;
    this.connect(known && (!CONNECTED.has(this.page) || this.declined.size > 0));
  }

  /** Another player is at this page: what was told is not for him. */
  beNobody() {
    this.player = this.lapsed = "";
    this.waiting = [];
    this.declined.clear();
    this.connect(false);
  }

  /** @param {boolean} wanted */
  connect(wanted) {
    if (wanted === this.open) return;
    this.open = wanted;
    clearTimeout(this.opening);
    if (wanted) this.opening = setTimeout(() => this.socket.open(), SETTLED_MS);
    else this.socket.close();
  }

  /** @param {any} message */
  hear(message) {
    if (message.t === "welcome") {
      this.player = message.player;
      keepToken(message.token);
      keepPlayerId(message.player);
      for (const race of this.declined.keys()) this.sayNo(race);
    } else if (message.t === "challenged") {
      this.take({ ...message, left_ms: message.expires_at - this.socket.clock.now() });
    } else if (message.t === "answered") {
      this.lapse(message.race);
    } else if (message.t === "res") {
      this.declined.delete(message.id);
      this.requestUpdate();
    }
  }

  /** @param {Challenge} challenge */
  take(challenge) {
    if (this.declined.has(challenge.race) || this.waiting.some(({ race }) => race === challenge.race)) return;
    this.waiting = [...this.waiting, challenge];
    this.lapsed = "";
    setTimeout(() => this.lapse(challenge.race), Math.max(0, challenge.left_ms));
  }

  /**
   * A challenge waits no more: it was answered elsewhere, called off, or its time is over.
   * @param {string} race
   */
  lapse(race) {
    const one = this.waiting.find((waiting) => waiting.race === race);
    if (!one) return;
    if (race !== this.race) this.lapsed = nameOf(one.by);
    const focused = this.querySelector(`[data-race="${race}"]`)?.contains(document.activeElement);
    this.forget(race);
    if (focused) document.querySelector("main")?.focus({ preventScroll: true });
  }

  /** @param {string} race */
  forget(race) {
    this.waiting = this.waiting.filter((one) => one.race !== race);
  }

  /**
   * @param {SubmitEvent} event
   * @param {string} race
   */
  decline(event, race) {
    event.preventDefault();
    this.declined.set(race, String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("reason")));
    this.forget(race);
    this.sayNo(race);
    document.querySelector("main")?.focus({ preventScroll: true });
  }

  /** @param {string} race */
  sayNo(race) {
    this.socket.send({ t: "leave", id: race, race, reason: this.declined.get(race) });
  }

  render() {
    const shown = this.waiting.filter(({ race }) => race !== this.race);
    const newest = shown.at(-1);
    const told = this.lapsed ? t().challengeOver(this.lapsed) : newest ? t().challengedBy(nameOf(newest.by)) : nothing;
    return html`<p class="unseen" role="status">${told}</p>
      ${repeat(shown, ({ race }) => race, (one) => this.notice(one))}`;
  }

  /** @param {Challenge} challenge */
  notice({ race, by, card }) {
    const name = nameOf(by);
    const terms = [gameText(card.code ?? card.game), t().goals[card.goal] ?? card.goal, t().minutes(Math.ceil(card.time_limit_s / 60))];
    return html`<section class="panel challenge" aria-label=${t().challengedBy(name)} data-race=${race}>
      <p><b>${t().challengedBy(name)}</b> <span class="quiet">${terms.join(" · ")}</span></p>
      <form class="actions" @submit=${(/** @type {SubmitEvent} */ event) => this.decline(event, race)}>
        <a class="button main" href=${playPath(race)} @click=${() => this.forget(race)}>${t().accept}</a>
        <select name="reason" aria-label=${t().declineWhy}>
          ${Object.entries(t().declines).map(([reason, text]) => html`<option value=${reason}>${text}</option>`)}
        </select>
        <button type="submit" class="second">${t().decline}</button>
      </form>
    </section>`;
  }
}

customElements.define("fd-challenges", Challenges);
