// @ts-check
/** The page's addresses: what they mean and how to go to one. */

/**
 * @typedef {{ page: "lobby", code: string } | { page: "play" | "watch" | "replay", race: string } | { page: "code", code: string }
 *   | { page: "player", player: string } | { page: "ladder", pool: string } | { page: "rules", about: string }
 *   | { page: "account", link: string } | { page: "unknown" }} Route
 */

/** A one-time link from another device: behind the `#`, so that it is in no server's log. */
const LINK = /^#link=(.+)$/;

/**
 * @param {URL | Location} address
 * @returns {Route}
 */
export function readRoute(address) {
  const link = LINK.exec(address.hash);
  if (link) return { page: "account", link: link[1] };
  const [, kind, name = ""] = address.pathname.split("/").map(readName);
  if (kind === "") return { page: "lobby", code: new URLSearchParams(address.search).get("code") ?? "" };
  if (kind === "account" && name === "") return { page: "account", link: "" };
  if (name === "") return { page: "unknown" };
  switch (kind) {
    case "r":
      return { page: "play", race: name };
    case "w":
      return { page: "watch", race: name };
    case "x":
      return { page: "replay", race: name };
    case "c":
      return { page: "code", code: name };
    case "p":
      return { page: "player", player: name };
    case "l":
      return { page: "ladder", pool: name };
    case "rules":
      return { page: "rules", about: name };
    default:
      return { page: "unknown" };
  }
}

/**
 * @param {string} part of a path, as it stands in the address
 * @returns {string} the same as it was meant; where the `%` of it are none, as it stands
 */
function readName(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** @param {string} race */
export const playPath = (race) => `/r/${encodeURIComponent(race)}`;
/** @param {string} race */
export const watchPath = (race) => `/w/${encodeURIComponent(race)}`;
/** Stands for a race where a replay is brought as a file. */
export const FILE = "file";
/** @param {string} race */
export const replayPath = (race) => `/x/${encodeURIComponent(race)}`;
/** @param {string} code */
export const codePath = (code) => `/c/${encodeURIComponent(code)}`;
/** @param {string} player */
export const playerPath = (player) => `/p/${encodeURIComponent(player)}`;
/** @param {string} pool */
export const ladderPath = (pool) => `/l/${encodeURIComponent(pool)}`;
/** @param {"golf" | "double" | "questions"} about */
export const rulesPath = (about) => `/rules/${about}`;
/** @param {string} code what the form for a new race begins with */
export const formPath = (code) => `/?code=${encodeURIComponent(code)}`;
export const ACCOUNT = "/account";

/**
 * @param {string} typed a link to a race or a deal, a race's number, or a game code in any spelling
 * @returns {string | undefined} the path to it
 */
export function placeTyped(typed) {
  const text = typed.trim();
  if (/^[a-z2-7]{26}$/i.test(text)) return playPath(text.toLowerCase());
  // What the letters after the game mean, and whether they are a code at all, the server says.
  if (/^(go|ds)\s*\d/i.test(text)) return codePath(text);
  try {
    const route = readRoute(new URL(text, location.origin));
    if (route.page === "play") return playPath(route.race);
    if (route.page === "watch") return watchPath(route.race);
    if (route.page === "replay") return replayPath(route.race);
    if (route.page === "code") return codePath(route.code);
    if (route.page === "lobby" && route.code) return codePath(route.code);
  } catch {
    // Not an address either.
  }
  return undefined;
}
