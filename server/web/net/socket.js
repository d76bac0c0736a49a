// @ts-check
/** One WebSocket to the server that comes back by itself: hello, heartbeat, reconnection. */

import { ServerClock, localNow } from "./clock.js";
import { SUBPROTOCOLS, decode, encode } from "./codec.js";
import { retryAfter, retryDelay } from "./retry.js";

/** A connection on which nothing was heard for this long is dead (protocol.md, Heartbeat). */
const SILENCE_MS = 25_000;

/**
 * @typedef {"connecting" | "online" | "waiting" | "stopped"} ConnectionState
 *
 * @typedef {object} Ears what the socket's owner hears
 * @property {() => object} hello the fields of the first message, asked anew at each connection
 * @property {(message: any) => void} message any message but `pong`
 * @property {(state: ConnectionState, code: number) => void} state `code`: the last close code, 0 if none
 * @property {() => void} refused the token is not valid any more: forget it
 */

export class Socket {
  /**
   * @param {Ears} ears
   * @param {string} race the one to play in, if it is known: the server has its seats in one process then
   */
  constructor(ears, race = "") {
    this.ears = ears;
    this.query = race && `?race=${encodeURIComponent(race)}`;
    this.clock = new ServerClock();
    /** @type {WebSocket | null} */
    this.ws = null;
    this.attempt = 0;
    this.heardAt = 0;
    this.askedAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.pingTimer = undefined;
    this.wake = () => this.hurry();
  }

  /** Connect, and stay connected until `close`. */
  open() {
    globalThis.addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  /** Say goodbye for good. */
  close() {
    globalThis.removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.drop();
  }

  /** Connect anew at once, e.g. in another language or to take a seat back. */
  restart() {
    this.drop();
    this.attempt = 0;
    this.connect();
  }

  /**
   * @param {object} message
   * @returns {boolean} whether it went out; if not, send it again after the next `welcome`
   */
  send(message) {
    if (this.ws?.readyState !== WebSocket.OPEN) return false;
    this.ws.send(encode(this.ws.protocol, message));
    return true;
  }

  connect() {
    this.ears.state("connecting", 0);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const ws = new WebSocket(`${scheme}//${location.host}/ws${this.query}`, SUBPROTOCOLS);
    ws.binaryType = "arraybuffer";
    ws.onopen = () => {
      this.askedAt = this.heardAt = localNow();
      this.send({ t: "hello", v: 1, ...this.ears.hello() });
    };
    ws.onmessage = ({ data }) => this.hear(decode(data));
    ws.onclose = ({ code }) => this.closed(code);
    this.ws = ws;
  }

  /** @param {any} message */
  hear(message) {
    this.heardAt = localNow();
    if (message.t === "pong") {
      this.clock.hear(message.now, message.c);
      return;
    }
    if (message.t === "welcome") {
      this.attempt = 0;
      this.clock.hear(message.now, this.askedAt);
      clearInterval(this.pingTimer);
      this.pingTimer = setInterval(() => this.ping(), message.heartbeat_ms ?? 10_000);
      this.ping();
      this.ears.state("online", 0);
    }
    this.ears.message(message);
  }

  ping() {
    if (localNow() - this.heardAt > SILENCE_MS) {
      this.drop();
      this.closed(1006);
    } else {
      this.send({ t: "ping", c: localNow() });
    }
  }

  /** @param {number} code */
  closed(code) {
    this.drop();
    const retry = retryAfter(code);
    if (retry === "stop") {
      this.ears.state("stopped", code);
      return;
    }
    if (retry === "fresh") this.ears.refused();
    this.ears.state("waiting", code);
    this.retryTimer = setTimeout(() => this.connect(), retryDelay(code, this.attempt, Math.random()));
    this.attempt += 1;
  }

  /** Back online or back in sight: do not sit out the wait, and find out whether the connection still lives. */
  hurry() {
    if (document.visibilityState === "hidden") return;
    if (this.ws) this.ping();
    else if (this.retryTimer !== undefined) this.restart();
  }

  drop() {
    clearInterval(this.pingTimer);
    clearTimeout(this.retryTimer);
    this.pingTimer = this.retryTimer = undefined;
    if (!this.ws) return;
    this.ws.onopen = this.ws.onmessage = this.ws.onclose = null;
    this.ws.close();
    this.ws = null;
  }
}
