// @ts-check
/** The server's time, as well as it can be known from here: no countdown trusts this machine's clock. */

const SAMPLES = 8;

export class ServerClock {
  constructor() {
    /** @type {{ offset: number, roundTrip: number }[]} */
    this.samples = [];
  }

  /**
   * Learn from one answer: the server's `now` was true somewhere between asking and hearing.
   * @param {number} now ms of the server's clock
   * @param {number} askedAt ms of `localNow` when the question went out
   */
  hear(now, askedAt) {
    const heardAt = localNow();
    const roundTrip = heardAt - askedAt;
    this.samples.push({ offset: now - (askedAt + roundTrip / 2), roundTrip });
    if (this.samples.length > SAMPLES) this.samples.shift();
  }

  /** The quickest answer: it bounds the error best. */
  get best() {
    return this.samples.length === 0 ? undefined : this.samples.reduce((a, b) => (b.roundTrip <= a.roundTrip ? b : a));
  }

  /** @returns {number} ms of the server's clock; the machine's own until the server has spoken */
  now() {
    const { best } = this;
    return best ? localNow() + best.offset : Date.now();
  }
}

/** @returns {number} ms that only ever go forward, whatever somebody does to the machine's clock */
export function localNow() {
  return performance.now();
}
