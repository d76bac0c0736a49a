// @ts-check
/** The boards of one run, fetched from the server some at a time and kept. */

import { CallRefused, readPositions } from "../net/http.js";

/** Fetched at once; the next ones are fetched when half of these are behind. */
const PAGE = 50;
const RETRY_MS = 1_000;

/** @typedef {{ n: number, m?: string, turned: { pile: string, card: string }[], board: import("./race.js").Board }} Position */

export class Positions {
  /**
   * @param {string} record
   * @param {string} undo the race card's
   * @param {() => void} changed called when more boards, or a trouble, are known
   */
  constructor(record, undo, changed) {
    this.record = record;
    this.undo = undo;
    this.changed = changed;
    this.trouble = "";
    /** @type {Map<number, Position[]>} */
    this.pages = new Map();
    /** @type {Set<number>} */
    this.asked = new Set();
  }

  /**
   * @param {number} n
   * @returns {Position | undefined} undefined while it is on its way
   */
  at(n) {
    const page = Math.floor(n / PAGE);
    this.fetch(page);
    if (n % PAGE >= PAGE / 2) this.fetch(page + 1);
    return this.pages.get(page)?.[n % PAGE];
  }

  /** @param {number} page */
  async fetch(page) {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    try {
      const { positions } = await readPositions(this.record, this.undo, page * PAGE, page * PAGE + PAGE - 1);
      this.pages.set(page, positions);
      this.trouble = "";
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      // What was refused for good is refused again; a lost line or a busy server may answer later.
      if (!(error instanceof CallRefused) || error.status >= 429) setTimeout(() => this.again(page), RETRY_MS);
    }
    this.changed();
  }

  /** @param {number} page */
  again(page) {
    this.asked.delete(page);
    this.changed();
  }
}
