// @ts-check
/** A quick race: wait for somebody to race with, on a socket of its own, and go to the race. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { Socket } from "../net/socket.js";
import { ACCOUNT, go, playPath } from "../route.js";
import { forgetToken, keepPlayerId, keepToken, ownName, token } from "../store/player.js";
import { language, t } from "../texts/index.js";
import { botName } from "../texts/names.js";
import { LightElement } from "./element.js";
import { gameText } from "./game.js";

const GAMES = ["GO1-E", "GO1-C", "GO1-S", "DS1-D1N", "DS1-D3N"];
const ASKED = "queue";

class QuickRace extends LightElement {
  static properties = { language: { type: String }, game: { state: true }, rated: { state: true }, offer: { state: true }, refusal: { state: true } };

  constructor() {
    super();
    this.language = "";
    /** The game that is waited for; empty: nobody waits. */
    this.game = "";
    this.rated = false;
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
      this.socket.send({ t: "queue", id: ASKED, game: this.game, rated: this.rated });
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
      <form class="stack" @submit=${this.wait}>
        <label
          ><span>${t().game}</span
          ><select name="game">
            ${GAMES.map((game) => html`<option value=${game}>${gameText(game)}</option>`)}
          </select></label
        >
        <label class="check"
          ><input type="checkbox" name="rated" .checked=${this.rated} @change=${() => (this.rated = !this.rated)} /><span>${t().ratedRace}</span></label
        >
        ${this.rated ? html`<p class="quiet">${t().ratedNeeds} <a href=${ACCOUNT}>${t().claimTitle}</a></p>` : nothing}
        <button type="submit" class="main big">${t().quickGo}</button>
      </form>`;
  }

  waiting() {
    const { offer } = this;
    return html`<p role="status">${t().quickWaiting} ${offer ? t().quickOffer(botName(offer.bot)) : this.rated ? nothing : t().quickSoon}</p>
      <div class="actions">
        ${offer ? html`<a class="button" href=${playPath(offer.race)}>${t().quickAccept}</a>` : nothing}
        <button type="button" class="second" @click=${this.stop}>${t().quickStop}</button>
      </div>`;
  }
}

customElements.define("fd-quick", QuickRace);
