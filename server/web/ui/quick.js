// @ts-check
/** A quick race: wait for somebody to race with, on a socket of its own, and go to the race. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { Socket } from "../net/socket.js";
import { go, playPath } from "../route.js";
import { forgetToken, keepPlayerId, keepToken, ownName, token } from "../store/player.js";
import { language, t } from "../texts/index.js";
import { LightElement } from "./element.js";

/** What is raced: the game of each choice, by what it is called in the texts. */
const QUICK = [
  { game: "GO1-E", name: () => `${t().games.GO} · ${t().rules.E}` },
  { game: "GO1-C", name: () => `${t().games.GO} · ${t().rules.C}` },
  { game: "GO1-S", name: () => `${t().games.GO} · ${t().rules.S}` },
  { game: "DS1-D1N", name: () => `${t().games.DS} · ${t().drawRules[1]}` },
  { game: "DS1-D3N", name: () => `${t().games.DS} · ${t().drawRules[3]}` },
];
const ASKED = "queue";

class QuickRace extends LightElement {
  static properties = { language: { type: String }, game: { state: true }, offer: { state: true }, refusal: { state: true } };

  constructor() {
    super();
    this.language = "";
    /** The game that is waited for; empty: nobody waits. */
    this.game = "";
    /** A race against a bot, offered while no person is there. @type {{ race: string, bot: string } | undefined} */
    this.offer = undefined;
    this.refusal = "";
    this.socket = new Socket({
      hello: () => ({ ...(token() && { token: token() }), ...(ownName() && { name: ownName() }), lang: language() }),
      message: (message) => this.hear(message),
      state: () => {},
      refused: forgetToken,
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  /** @param {SubmitEvent} event */
  wait(event) {
    event.preventDefault();
    this.game = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("game"));
    this.refusal = "";
    this.socket.open();
  }

  /** Wait no longer: the connection's end takes the ticket back. */
  stop() {
    this.socket.close();
    this.game = "";
    this.offer = undefined;
  }

  /** @param {any} message */
  hear(message) {
    if (message.t === "welcome") {
      keepToken(message.token);
      keepPlayerId(message.player);
      this.socket.send({ t: "queue", id: ASKED, game: this.game });
    } else if (message.t === "res" && message.id === ASKED && !message.ok) {
      this.refusal = message.message ?? message.code;
      this.stop();
    } else if (message.t === "matched" && message.bot) {
      this.offer = message;
    } else if (message.t === "matched" && !message.previous) {
      go(playPath(message.race));
    }
  }

  render() {
    return html`<h2>${t().quickRace}</h2>
      ${this.game ? this.waiting() : this.form()}
      <p role="alert" class="refusal">${this.refusal}</p>`;
  }

  form() {
    return html`<p class="quiet">${t().quickHint}</p>
      <form class="line" @submit=${this.wait}>
        <label class="grow"
          ><span>${t().game}</span
          ><select name="game">
            ${QUICK.map(({ game, name }) => html`<option value=${game}>${name()}</option>`)}
          </select></label
        >
        <button type="submit">${t().quickRace}</button>
      </form>`;
  }

  waiting() {
    const { offer } = this;
    return html`<p role="status">${t().quickWaiting} ${offer ? t().quickOffer(t().botNames[offer.bot] ?? offer.bot) : nothing}</p>
      <div class="actions">
        ${offer ? html`<a class="button" href=${playPath(offer.race)}>${t().quickAccept}</a>` : nothing}
        <button type="button" class="second" @click=${this.stop}>${t().quickStop}</button>
      </div>`;
  }
}

customElements.define("fd-quick", QuickRace);
