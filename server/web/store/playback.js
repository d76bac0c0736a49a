// @ts-check
/** Which moment of a replay is shown, and the playing of one after the other. */

/** @typedef {import("./moments.js").Moment} Moment */

/** Moments a second; 0: as it was, in real time. */
export const SPEEDS = [1, 2, 4, 8, 0];

export class Playback {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Moment[]} */
    this.moments = [{ ms: 0, n: [] }];
    this.index = 0;
    this.speed = 1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get playing() {
    return this.timer !== undefined;
  }

  get last() {
    return this.moments.length - 1;
  }

  get moment() {
    return this.moments[this.index];
  }

  /**
   * @param {Moment[]} moments
   * @param {number} index where to go among them
   */
  load(moments, index) {
    this.moments = moments;
    this.go(index);
  }

  /** @param {number} index held within the replay; playing goes on from there */
  go(index) {
    this.index = Math.max(0, Math.min(index, this.last));
    if (this.playing) this.ring();
    this.changed();
  }

  /** @param {number} by moments; whoever steps has stopped the playing */
  step(by) {
    this.stop();
    this.go(this.index + by);
  }

  /** Play, from the start where the end was reached; or stop. */
  toggle() {
    if (this.playing) {
      this.stop();
    } else if (this.last > 0) {
      if (this.index === this.last) this.index = 0;
      this.ring();
    }
    this.changed();
  }

  /** @param {number} speed of `SPEEDS` */
  hasten(speed) {
    this.speed = speed;
    if (this.playing) this.ring();
    this.changed();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  ring() {
    this.stop();
    const next = this.moments[this.index + 1];
    if (!next) return;
    const wait = this.speed === 0 ? next.ms - this.moment.ms : 1000 / this.speed;
    this.timer = setTimeout(() => this.go(this.index + 1), wait);
  }
}
