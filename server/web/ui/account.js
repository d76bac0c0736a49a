// @ts-check
/** Who one is here: a name of one's own, the way to other devices, and signing out. */

import { html, nothing } from "../vendor/lit/lit-element.js";
import { CallRefused, claimName, makeLink, readAccount, signOut, useLink } from "../net/http.js";
import { ACCOUNT, go, playerPath } from "../route.js";
import { forgetPlayer, keepName, keepPlayerId, keepToken, ownName, playerId, token } from "../store/player.js";
import { day, number, t } from "../texts/index.js";
import { LightElement } from "./element.js";
import "./link.js";

class AccountPage extends LightElement {
  static properties = {
    link: { type: String },
    language: { type: String },
    account: { state: true },
    device: { state: true },
    sure: { state: true },
    done: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    /** The secret of a one-time link that led here. */
    this.link = "";
    this.language = "";
    /** What `GET /api/account` says; undefined for who has no token yet. @type {any} */
    this.account = undefined;
    /** A link for another device. @type {{ url: string, expires_s: number } | undefined} */
    this.device = undefined;
    /** Whether leaving this browser has been asked for once. */
    this.sure = false;
    this.done = "";
    this.trouble = "";
  }

  connectedCallback() {
    super.connectedCallback();
    if (!token()) return;
    this.attempt(async () => {
      try {
        this.know(await readAccount());
      } catch (error) {
        // A token that the server knows no more is none: the next call makes a new guest.
        if (!(error instanceof CallRefused) || error.status !== 401) throw error;
      }
    });
  }

  /** @param {any} account */
  know(account) {
    this.account = account;
    keepPlayerId(account.player);
    if (account.account) keepName(account.name);
  }

  /** @param {() => Promise<void>} call */
  async attempt(call) {
    this.trouble = this.done = "";
    try {
      await call();
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** @param {SubmitEvent} event */
  claim(event) {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("player_name")).trim();
    this.attempt(async () => {
      const claimed = await claimName(name).catch(nameRefused);
      keepToken(claimed.token);
      this.know(claimed);
      this.done = t().claimed(claimed.name);
    });
  }

  linkDevice() {
    this.attempt(async () => {
      this.device = await makeLink();
    });
  }

  useLink() {
    this.attempt(async () => {
      const { player, name, token: fresh } = await useLink(this.link);
      forgetPlayer();
      keepToken(fresh);
      keepPlayerId(player);
      history.replaceState(null, "", ACCOUNT);
      this.know(await readAccount());
      this.done = t().linked(name);
      dispatchEvent(new PopStateEvent("popstate"));
    });
  }

  signOutElsewhere() {
    this.attempt(async () => {
      keepToken((await signOut()).token);
      this.done = t().signedOut;
    });
  }

  leave() {
    if (!this.sure) {
      this.sure = true;
      return;
    }
    forgetPlayer();
    this.account = this.device = undefined;
    this.sure = false;
    this.trouble = "";
    this.done = t().leftHere;
  }

  render() {
    const { account } = this;
    document.title = `${account?.name ?? t().account} · Fairdeal`;
    return html`<div class="narrow">
      ${this.link ? this.invitation() : nothing}
      <section class="panel">
        <h1>${account?.name || ownName() || t().account}</h1>
        ${account ? html`<p class="quiet">${account.account ? t().accountSince(day(account.since)) : t().guest}</p>` : html`<p class="quiet">${t().nobodyYet}</p>`}
        <p role="status" class="good">${this.done}</p>
        <p role="alert" class="refusal">${this.trouble}</p>
        ${playerId() ? html`<p><a class="button" href=${playerPath(playerId() ?? "")}>${t().ownResults}</a></p>` : nothing}
      </section>
      <section class="panel">
        <h2>${account?.account ? t().otherName : t().claimTitle}</h2>
        <p>${account?.account ? t().otherNameHint : t().claimHint}</p>
        <form class="line" @submit=${this.claim}>
          <label class="grow"><span>${t().yourName}</span><input name="player_name" maxlength="40" required autocomplete="nickname" .value=${account?.account ? account.name : ownName()} /></label>
          <button type="submit" class="main">${account?.account ? t().saveName : t().claim}</button>
        </form>
      </section>
      ${account ? this.devices() : nothing} ${account ? this.leaving() : nothing}
    </div>`;
  }

  /** Somebody may have been sent the link by somebody else: it is used only by a press. */
  invitation() {
    return html`<section class="panel">
      <h2>${t().linkTitle}</h2>
      <p>${t().linkUseHint}</p>
      <div class="actions">
        <button type="button" class="main" data-link="use" @click=${this.useLink}>${t().linkUse}</button>
        <button type="button" class="second" @click=${() => go("/")}>${t().linkIgnore}</button>
      </div>
    </section>`;
  }

  devices() {
    const { device } = this;
    return html`<section class="panel">
      <h2>${t().devices}</h2>
      <p>${t().devicesHint}</p>
      ${device
        ? html`<fd-link .label=${t().deviceLink(number(Math.round(device.expires_s / 60)))} .path=${device.url} .pictured=${true} .language=${this.language}></fd-link>`
        : html`<p><button type="button" data-link="make" @click=${this.linkDevice}>${t().linkDevice}</button></p>`}
    </section>`;
  }

  leaving() {
    return html`<section class="panel">
      <h2>${t().signOut}</h2>
      <p class="quiet">${t().signOutHint}</p>
      <div class="actions">
        <button type="button" class="second" @click=${this.signOutElsewhere}>${t().signOutElsewhere}</button>
        <button type="button" class="second" data-leave @click=${this.leave}>${this.sure ? t().sure : t().leaveHere}</button>
      </div>
      ${this.sure ? html`<p role="alert" class="refusal">${this.account?.account ? t().leaveHereHint : t().leaveGuestHint}</p>` : nothing}
    </section>`;
  }
}

/**
 * Say that a name is not to be had, in the reader's language and with what to do.
 * @param {unknown} error
 * @returns {never}
 */
function nameRefused(error) {
  throw error instanceof CallRefused && [400, 409].includes(error.status) ? new Error(t().nameRefused) : error;
}

customElements.define("fd-account", AccountPage);
