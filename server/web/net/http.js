// @ts-check
/** The HTTP calls of protocol.md. */

import { language } from "../texts/index.js";
import { forgetToken, keepName, keepPlayerId, keepToken, ownName, token } from "../store/player.js";

/** An answer that is not the one asked for; `message` is in the caller's language. */
export class CallRefused extends Error {
  /**
   * @param {number} status
   * @param {{ code?: string, message?: string }} body
   */
  constructor(status, body) {
    super(body.message ?? `${status} ${body.code ?? ""}`);
    this.status = status;
    this.code = body.code ?? "";
  }
}

/**
 * @param {Record<string, unknown>} card a race card
 * @returns {Promise<{ race: string, join_url: string, watch_url: string }>}
 */
export function createRace(card) {
  return offer("/api/races", card);
}

/**
 * @param {string} player who is challenged
 * @param {Record<string, unknown>} card a race card
 * @returns {Promise<{ race: string, join_url: string, watch_url: string }>}
 */
export function challengePlayer(player, card) {
  return offer(`/api/players/${encodeURIComponent(player)}/challenge`, card);
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} card
 * @returns {Promise<{ race: string, join_url: string, watch_url: string }>}
 */
function offer(path, card) {
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  return asPlayer("POST", path, card, { "Idempotency-Key": key });
}

/**
 * @param {Record<string, string>} filter
 * @returns {Promise<{ races: any[], cursor?: string }>}
 */
export function listRaces(filter) {
  return call("GET", `/api/races?${new URLSearchParams(filter)}`);
}

/**
 * @param {string} code
 * @param {number} [cursor] of an earlier answer: older races
 */
export function readCode(code, cursor) {
  return call("GET", `/api/codes/${encodeURIComponent(code)}${cursor === undefined ? "" : `?cursor=${cursor}`}`);
}

/**
 * What solvers say of a race that is over, or, while they are at it, when to ask again.
 * @param {string} race
 * @returns {Promise<{ seats?: any[], retry_ms?: number }>}
 */
export function readAnalysis(race) {
  return call("GET", `/api/races/${encodeURIComponent(race)}/analysis`);
}

/**
 * How many cards each seat had cleared, how many ms after the start.
 * @param {string} race
 * @returns {Promise<{ seats: { seat: number, points: [number, number][] }[] }>}
 */
export function readProgress(race) {
  return call("GET", `/api/races/${encodeURIComponent(race)}/progress`, undefined, token() ? { Authorization: `Bearer ${token()}` } : {});
}

/**
 * A race that is over, with all that was played in it.
 * @param {string} race
 * @returns {Promise<import("../store/moments.js").Told>}
 */
export function readReplay(race) {
  return call("GET", `/api/races/${encodeURIComponent(race)}/replay`);
}

/**
 * The boards of a one-line record, word by word.
 * @param {string} record
 * @param {string} undo the race card's
 * @param {number} from 0: the deal
 * @param {number} to
 * @returns {Promise<{ positions: import("../store/positions.js").Position[] }>}
 */
export function readPositions(record, undo, from, to) {
  return call("POST", "/api/positions", { record, undo, from, to });
}

/**
 * What the server says of a replay file; of one that holds, the race is in the answer too.
 * @param {File} file
 * @param {boolean} json whether it is the JSON form
 */
export function verifyFile(file, json) {
  return call("POST", "/api/verify?replay", file, { "Content-Type": json ? "application/json" : "application/octet-stream" });
}

/** Today's deal of each game, and how the own try on it stands. */
export function readDaily() {
  return call("GET", "/api/daily", undefined, token() ? { Authorization: `Bearer ${token()}` } : {});
}

/**
 * @param {string} game
 * @returns {Promise<{ race: string }>} the own race on today's deal, always the same one
 */
export function tryDaily(game) {
  return asPlayer("POST", `/api/daily/${encodeURIComponent(game)}`, {}, {});
}

export function readLadders() {
  return call("GET", "/api/ladders");
}

/**
 * @param {string} pool
 * @param {Record<string, string>} part `{ around: "me" }`, or `{ start }` for those from a place on
 */
export function readLadder(pool, part) {
  return call("GET", `/api/ladders/${encodeURIComponent(pool)}?${new URLSearchParams(part)}`, undefined, token() ? { Authorization: `Bearer ${token()}` } : {});
}

/**
 * @param {string} player
 * @param {number} [cursor] of an earlier answer: older results
 */
export function readPlayer(player, cursor) {
  return call("GET", `/api/players/${encodeURIComponent(player)}${cursor === undefined ? "" : `?cursor=${cursor}`}`);
}

/** Who the token's player is: the name, whether it is claimed and since when. */
export function readAccount() {
  return asPlayer("GET", "/api/account", undefined, {});
}

/**
 * @param {string} name to be one's own from here on
 * @returns {Promise<{ player: string, name: string, token: string }>}
 */
export function claimName(name) {
  return asPlayer("POST", "/api/account", { name }, {});
}

/** @returns {Promise<{ url: string, expires_s: number }>} a link that lets in once, as this player */
export function makeLink() {
  return asPlayer("POST", "/api/account/link", undefined, {});
}

/**
 * @param {string} link the secret of such a link
 * @returns {Promise<{ player: string, name: string, token: string }>}
 */
export function useLink(link) {
  return call("POST", "/api/account/token", { link });
}

/** @returns {Promise<{ token: string }>} the only token of this player that still counts */
export function signOut() {
  return asPlayer("POST", "/api/account/sign_out", undefined, {});
}

/** The live race most worth watching, if there is one. @returns {Promise<{ races: any[], watching?: number }>} */
export function readFeatured() {
  return call("GET", "/api/races?featured");
}

/**
 * A call that needs a player: a guest is made on the way if there is none, or if the server knows the old one no more.
 * @param {string} method
 * @param {string} path
 * @param {object | undefined} body
 * @param {Record<string, string>} headers
 */
async function asPlayer(method, path, body, headers) {
  const send = async () => {
    if (!token()) {
      const guest = await newGuest();
      keepToken(guest.token);
      keepPlayerId(guest.player);
    }
    return call(method, path, body, { ...headers, Authorization: `Bearer ${token()}` });
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 401) throw error;
    forgetToken();
    return send();
  }
}

/** A guest by the name that this browser remembers; where that is somebody's by now, by the server's own. */
async function newGuest() {
  const named = ownName() ? { name: ownName() } : {};
  try {
    return await call("POST", "/api/players", named);
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 409) throw error;
    keepName("");
    return call("POST", "/api/players", {});
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
async function call(method, path, body, headers = {}) {
  const response = await fetch(path, {
    method,
    headers: { "Accept-Language": language(), ...(body && { "Content-Type": "application/json" }), ...headers },
    body: body instanceof Blob ? body : body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new CallRefused(response.status, answer);
  return answer;
}
