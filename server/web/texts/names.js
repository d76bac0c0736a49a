// @ts-check
/** Names that the server gives, to guests and to its bots, in the reader's language; all others as they are. */

import { t } from "./index.js";

const GUEST = /^Guest (\d{4})$/;
const GHOST = /^Ghost of (.+)$/;

/**
 * @param {{ name?: string, kind?: string }} one a player as the server tells of it
 * @returns {string} "" for who has no name
 */
export function nameOf({ name = "", kind }) {
  const [, guest] = GUEST.exec(name) ?? [];
  if (guest) return t().guestName(guest);
  if (kind !== "bot") return name;
  const [, ghost] = GHOST.exec(name) ?? [];
  return ghost ? t().ghostOf(nameOf({ name: ghost })) : botName(name);
}

/**
 * @param {string} bot as a race card asks for it; a ghost is `ghost:RACE:SEAT`
 * @returns {string}
 */
export function botName(bot) {
  // Any bot may call itself `constructor`.
  if (Object.hasOwn(t().botNames, bot)) return t().botNames[bot];
  return bot.startsWith("ghost:") ? t().ghost : bot;
}
