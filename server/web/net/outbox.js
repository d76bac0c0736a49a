// @ts-check
/** Commands that the server has not answered yet: kept, and sent again as they were, until it does. */

/**
 * @typedef {{ t: string, id: string, race: string, n?: number, m?: string }} Command
 * @typedef {{ id: string, ok: boolean, code?: string, reason?: string, message?: string, lane?: number, retry_ms?: number }} Answer
 */

/** When to try again where the server does not say. */
export const RETRY_MS = 500;

/** Answers that mean "the same again, later". */
const PASSING = new Set(["rate", "busy", "unavailable"]);

/** @param {{ code?: string }} refusal */
export const passes = (refusal) => PASSING.has(refusal.code ?? "");

export class Outbox {
  /**
   * @param {string} race
   * @param {(command: Command) => boolean} send
   * @param {Storage} storage where unanswered plays outlive a reload; sessionStorage, so that tabs do not share them
   */
  constructor(race, send, storage) {
    this.race = race;
    this.send = send;
    this.storage = storage;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    this.key = `fairdeal.outbox.${race}`;
    /** Ids of plays that changed nothing when they were made: nothing after them counts on them. @type {Set<string>} */
    this.aside = new Set();
    /** @type {Command[]} */
    this.waiting = JSON.parse(storage.getItem(this.key) ?? "[]");
  }

  /** @param {string} t a command without further fields: join, watch, ready, done, … */
  command(t) {
    if (!this.waiting.some((command) => command.t === t)) this.post({ t, id: newId(), race: this.race });
  }

  /**
   * Send one move, as the operation after all those accepted or on their way.
   * @param {number} lane operations accepted so far
   * @param {string} m a word of notation.md
   * @returns {Command}
   */
  play(lane, m) {
    const n = 1 + this.plays().reduce((last, command) => Math.max(last, command.n ?? 0), lane);
    const command = { t: "play", id: newId(), race: this.race, n, m };
    this.post(command);
    return command;
  }

  /**
   * Take the answer to a command off the list.
   * @param {Answer} answer
   * @returns {Command | undefined} the command, if it is settled now and was not given up before
   */
  settle(answer) {
    const command = this.waiting.find(({ id }) => id === answer.id);
    if (!command) return undefined;
    if (!answer.ok && (passes(answer) || (answer.code === "stale_lane" && this.overtook(command)))) {
      this.retryTimer ??= setTimeout(() => this.retry(), answer.retry_ms ?? RETRY_MS);
      return undefined;
    }
    this.waiting = this.waiting.filter((other) => other !== command);
    if (!answer.ok && command.t === "play") this.voidAfter(command);
    this.keep();
    return command;
  }

  /**
   * The numbers of what was played after a refused move are void, and their refusals say nothing new. What counted on
   * the move goes with it; where it was seen to change nothing, the rest is meant all the same, one number earlier.
   * @param {Command} refused
   */
  voidAfter(refused) {
    const after = this.plays().filter(({ n = 0 }) => n > (refused.n ?? 0));
    this.waiting = this.waiting.filter((command) => !after.includes(command));
    if (!this.aside.delete(refused.id)) return;
    for (const command of after) {
      const again = { ...command, id: newId(), n: (command.n ?? 0) - 1 };
      if (this.aside.delete(command.id)) this.aside.add(again.id);
      this.post(again);
    }
  }

  /**
   * Whether a play was refused only because one before it still has to be sent again.
   * @param {Command} command
   */
  overtook(command) {
    return this.plays().some((other) => (other.n ?? 0) < (command.n ?? 0));
  }

  retry() {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    for (const command of this.waiting) this.send(command);
  }

  /**
   * Send all again after a reconnection or a reload.
   * @param {number} lane operations accepted so far; plays up to it went through
   */
  resend(lane) {
    this.waiting = this.waiting.filter((command) => command.t !== "play" || (command.n ?? 0) > lane);
    this.keep();
    this.retry();
  }

  /** Give up every play that waits: the server counts otherwise. */
  dropPlays() {
    this.waiting = this.waiting.filter((command) => command.t !== "play");
    this.keep();
  }

  plays() {
    return this.waiting.filter((command) => command.t === "play");
  }

  /** @param {Command} command */
  post(command) {
    this.waiting.push(command);
    this.keep();
    this.send(command);
  }

  keep() {
    const plays = this.plays();
    if (plays.length > 0) this.storage.setItem(this.key, JSON.stringify(plays));
    else this.storage.removeItem(this.key);
  }
}

function newId() {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}
