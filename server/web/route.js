// @ts-check
/** The page's addresses: what they mean and how to go to one. */

/**
 * @typedef {{ page: "lobby", code: string } | { page: "play" | "watch", race: string } | { page: "code", code: string }
 *   | { page: "player", player: string } | { page: "ladder", pool: string } | { page: "unknown" }} Route
 */

/**
 * @param {URL | Location} address
 * @returns {Route}
 */
export function readRoute(address) {
  const [, kind, name = ""] = address.pathname.split("/").map(decodeURIComponent);
  if (kind === "") return { page: "lobby", code: new URLSearchParams(address.search).get("code") ?? "" };
  if (name === "") return { page: "unknown" };
  switch (kind) {
    case "r":
      return { page: "play", race: name };
    case "w":
      return { page: "watch", race: name };
    case "c":
      return { page: "code", code: name };
    case "p":
      return { page: "player", player: name };
    case "l":
      return { page: "ladder", pool: name };
    default:
      return { page: "unknown" };
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
/** @param {string} code */
export const codePath = (code) => `/c/${encodeURIComponent(code)}`;
/** @param {string} player */
export const playerPath = (player) => `/p/${encodeURIComponent(player)}`;
/** @param {string} pool */
export const ladderPath = (pool) => `/l/${encodeURIComponent(pool)}`;

/**
 * @param {string} typed a link to a race, or its number
 * @returns {string | undefined} the path to that race
 */
export function raceTyped(typed) {
  const text = typed.trim();
  if (/^[a-z2-7]{26}$/i.test(text)) return playPath(text.toLowerCase());
  try {
    const route = readRoute(new URL(text, location.origin));
    if (route.page === "play") return playPath(route.race);
    if (route.page === "watch") return watchPath(route.race);
  } catch {
    // Not an address either.
  }
  return undefined;
}
