// @ts-check
/** One viewer in one race: keeps the connection, the state and the unanswered commands together. */

import { Outbox, RETRY_MS, passes } from "../net/outbox.js";
import { Socket } from "../net/socket.js";
import { language, t } from "../texts/index.js";
import { hinted, told, toldOfOneself, toldOfOthers } from "../texts/told.js";
import { sameCards } from "./double.js";
import { forgetReceipt, forgetToken, keepName, keepPlayerId, keepReady, keepReceipt, keepToken, ownName, receipt, takeReady, token } from "./player.js";
import { MissedFrames, follow } from "./race.js";
import { on } from "./settings.js";
import { show } from "./show.js";

/** @typedef {import("./race.js").RaceState} RaceState */
/** @typedef {import("./race.js").Board} Board */
/** @typedef {import("../net/socket.js").ConnectionState} ConnectionState */

export class RaceSession {
  /**
   * @param {string} race
   * @param {"seat" | "watch"} role
   * @param {() => void} changed called after every change of what follows
   */
  constructor(race, role, changed) {
    this.race = race;
    this.role = role;
    this.changed = changed;
    /** @type {RaceState | undefined} */
    this.state = undefined;
    /** @type {ConnectionState} */
    this.connection = "connecting";
    this.closeCode = 0;
    /** The server's boards of one's own before this one, as far as they were seen here, the newest last. @type {Board[]} */
    this.past = [];
    /** Why the last command was refused, in the reader's language. */
    this.refusal = "";
    /** The word that was refused last, and how many were. */
    this.refused = { word: "", times: 0 };
    /** What has happened, in words for those who listen and those who look back. @type {{ n: number, text: string }[]} */
    this.log = [];
    /** Why this race cannot be shown at all. @type {{ code: string, message: string } | undefined} */
    this.fault = undefined;
    this.left = false;
    /** The race after this one, of a series or a rematch, once this viewer was told of it. */
    this.next = "";
    /** Whether this viewer's own wish for a rematch was just granted. */
    this.rematched = false;
    this.inARow = false;
    /** The seat is given up only to be taken again under another name. */
    this.renaming = false;
    this.draining = false;
    this.catchingUp = true;
    /** How long after the start its boards came, in ms, for who was there. @type {number | undefined} */
    this.startedLate = undefined;
    const ears = {
      hello: () => this.hello(),
      message: (/** @type {any} */ message) => this.hear(message),
      state: (/** @type {ConnectionState} */ state, /** @type {number} */ code) => this.connectionChanged(state, code),
      refused: forgetToken,
    };
    this.socket = new Socket(ears, role === "seat" ? race : "");
    this.outbox = new Outbox(race, (command) => !this.catchingUp && this.socket.send(command), sessionStorage);
  }

  get clock() {
    return this.socket.clock;
  }

  /** One's own board, with what is on its way to the server already done. @returns {Board | undefined} */
  get board() {
    const { my, card } = this.state ?? {};
    if (!my?.board) return undefined;
    const words = this.outbox.plays().filter(({ n = 0 }) => n > my.lane);
    return show(my.board, words.map(({ m = "" }) => m), this.past, drawsOf(card?.game ?? ""));
  }

  /** The move that was told as a hint; "" as soon as one has played on. */
  get hint() {
    const { my } = this.state ?? {};
    return my?.hint && this.outbox.plays().length === 0 ? my.hint : "";
  }

  open() {
    this.socket.open();
  }

  close() {
    this.socket.close();
  }

  /** Connect anew: in another language, or to take the seat back from another window. */
  restart() {
    this.socket.restart();
  }

  /** @param {string} word a move of notation.md */
  play(word) {
    this.refusal = "";
    const before = this.board;
    const command = this.outbox.play(this.state?.my?.lane ?? 0, word);
    const after = this.board;
    if (before && after && sameCards(before, after)) this.outbox.aside.add(command.id);
    this.changed();
  }

  /**
   * Sit down anew under another name: a seat bears the name that it was taken with.
   * @param {string} name
   */
  rename(name) {
    keepName(name);
    this.renaming = true;
    this.say("leave");
  }

  /** @param {string} text why a move was not even sent */
  remark(text) {
    this.refusal = text;
    this.changed();
  }

  /** @param {"ready" | "unready" | "start" | "cancel" | "leave" | "hint" | "done" | "resign" | "rematch"} command */
  say(command) {
    this.refusal = "";
    this.outbox.command(command);
    this.changed();
  }

  /** Whoever races alone leaves this deal as it is and goes on with another. */
  newDeal() {
    this.inARow = true;
    this.say("done");
  }

  /** Whoever raced alone goes on with another deal. */
  nextDeal() {
    this.inARow = true;
    this.say("rematch");
  }

  hello() {
    const kept = receipt(this.race);
    const { state } = this;
    /** @type {import("./player.js").Receipt[]} */
    let resume = [];
    if (kept?.as === this.role) resume = [kept];
    else if (state) resume = [{ race: this.race, as: this.role, seq: state.seq, hash: state.hash }];
    return {
      ...(token() && { token: token() }),
      ...(ownName() && { name: ownName() }),
      lang: language(),
      boards: true,
      resume,
    };
  }

  /** @param {any} message */
  hear(message) {
    switch (message.t) {
      case "welcome":
        keepToken(message.token);
        keepPlayerId(message.player);
        this.draining = false;
        // A receipt alone brings the missed events, but a page just loaded has nothing to add them to.
        if (!this.state) this.ask();
        break;
      case "resumed":
        if (this.state) this.caughtUp();
        break;
      case "res":
        this.answered(message);
        break;
      case "matched":
        if (message.previous === this.race) this.next = message.race;
        break;
      case "challenged":
        dispatchEvent(new CustomEvent("fd-challenged", { detail: { ...message, left_ms: message.expires_at - this.clock.now() } }));
        break;
      case "answered":
        dispatchEvent(new CustomEvent("fd-answered", { detail: message.race }));
        break;
      case "drain":
        this.draining = true;
        break;
      case "error":
        if (message.race && message.race !== this.race) break;
        if (this.catchingUp && passes(message)) this.askAgain(message);
        else if (this.state) this.refusal = message.message;
        else this.fault = message;
        break;
      default:
        this.follow(message);
    }
    this.changed();
  }

  /** Ask for the whole state. Not through the outbox: it is to go out at once, ahead of what waits there. */
  ask() {
    this.catchingUp = true;
    this.socket.send({ t: this.role === "seat" ? "join" : "watch", id: ASKING, race: this.race });
  }

  /** @param {{ retry_ms?: number }} refusal */
  askAgain({ retry_ms }) {
    setTimeout(() => this.ask(), retry_ms ?? RETRY_MS);
  }

  /** @param {any} frame */
  follow(frame) {
    const before = this.state;
    try {
      this.state = follow(this.state, frame);
    } catch (error) {
      if (!(error instanceof MissedFrames)) throw error;
      this.ask();
      return;
    }
    if (frame.race !== this.race || !this.state) return;
    if (frame.t === "snap") {
      this.past = [];
      if (frame.reason === "start" && !this.catchingUp) this.startedLate = Math.max(0, Math.round(this.clock.now() - frame.start_at));
      this.caughtUp();
      // Whoever races alone, or has asked for a new deal, need not say so again.
      if (this.role === "seat" && takeReady(this.race)) this.say("ready");
    }
    if ((frame.t === "ev" || frame.t === "snap") && frame.sig) this.keep(frame.seq, frame.hash, frame.sig);
    if (frame.t === "ev" && frame.s === this.state.my?.seat) this.tell(frame, before?.my?.board);
    if (before) for (const text of [...toldOfOneself(before, this.state), ...toldOfOthers(before, this.state)]) this.note(text);
    if (this.inARow && before?.status === "live" && this.state.status === "finished") this.say("rematch");
  }

  /** @param {string} text */
  note(text) {
    const n = (this.log.at(-1)?.n ?? 0) + 1;
    this.log = [...this.log.slice(1 - LINES_KEPT), { n, text }];
  }

  caughtUp() {
    if (!this.catchingUp) return;
    this.catchingUp = false;
    this.outbox.resend(this.state?.my?.lane ?? 0);
  }

  /** @param {import("../net/outbox.js").Answer & { race?: string, seq?: number, hash?: string, sig?: string }} answer */
  answered(answer) {
    if (answer.id === ASKING) {
      if (answer.ok) this.fault = undefined;
      else if (passes(answer)) this.askAgain(answer);
      else this.fault = { code: answer.code ?? "", message: answer.message ?? "" };
      return;
    }
    const command = this.outbox.settle(answer);
    if (!command) return;
    if (answer.ok) {
      if (answer.sig && answer.hash && answer.seq) this.keep(answer.seq, answer.hash, answer.sig);
      if (command.t === "leave") this.seatLeft();
      if (command.t === "rematch" && answer.race) {
        if (this.inARow) keepReady(answer.race);
        this.next = answer.race;
        this.rematched = true;
      }
      return;
    }
    if (answer.code === "stale_lane") {
      // The server counts otherwise (another window played): what it has is right.
      this.outbox.dropPlays();
      this.ask();
      return;
    }
    if (command.t === "play") this.refused = { word: command.m ?? "", times: this.refused.times + 1 };
    if (answer.code === "illegal" && !on("explain")) return;
    this.refusal = answer.message ?? answer.reason ?? answer.code ?? "";
  }

  seatLeft() {
    if (!this.renaming) {
      this.left = true;
      return;
    }
    this.renaming = false;
    forgetReceipt(this.race);
    this.state = undefined;
    this.restart();
  }

  /**
   * @param {{ k: string, d?: any }} ev an event of one's own seat
   * @param {Board | undefined} before one's own board before it
   */
  tell(ev, before) {
    if (ev.k === "seat.undone") {
      this.past.pop();
      this.note(t().undone);
    } else if (ev.k === "seat.played" && before) {
      this.past.push(before);
      this.note(told(before, ev.d.m, ev.d.turned));
    } else if (ev.k === "seat.hinted" && before) this.note(hinted(before, ev.d.m));
    this.refusal = "";
  }

  /**
   * @param {number} seq
   * @param {string} hash
   * @param {string} sig
   */
  keep(seq, hash, sig) {
    keepReceipt({ race: this.race, as: this.role, seq, hash, sig });
  }

  /**
   * @param {ConnectionState} connection
   * @param {number} code
   */
  connectionChanged(connection, code) {
    this.connection = connection;
    if (code) this.closeCode = code;
    if (connection !== "online") this.catchingUp = true;
    this.changed();
  }
}

/** The id of the command that asks for the state; its answer is only worth reading when it is a refusal. */
const ASKING = "state";
const LINES_KEPT = 50;

/**
 * How many cards a draw turns up: Double Solitaire's rule letters say it, Golf turns one.
 * @param {string} game a race card's
 */
const drawsOf = (game) => Number(/^DS\d+-D(\d)/.exec(game)?.[1] ?? 1);
