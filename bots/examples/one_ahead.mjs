#!/usr/bin/env node
// A bot of one's own in JavaScript, without dependencies. In Golf it prefers a card on which another free card fits;
// otherwise it plays the first legal move that is not a draw.
//
// Try it:  fairdeal bot check -- node bots/examples/one_ahead.mjs
//          fairdeal bench golf-easy-1000 --deals 50 --bot "cmd:node bots/examples/one_ahead.mjs" --bot random

import { createInterface } from "node:readline";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** Send one message: a line of JSON. */
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

/** 1 (ace) to 13 (king); 0 for a joker. */
const rankOf = (card) => RANKS.indexOf(card.slice(0, -1)) + 1;

/** Whether a card goes onto another under the rules of this game of Golf. */
function fits(rules, card, onto) {
  const [rank, below] = [rankOf(card), rankOf(onto)];
  if (!rank || !below) return true;
  if (rules.letter === "S" && below === 13) return false;
  const apart = Math.abs(rank - below);
  return apart === 1 || (rules.letter === "E" && apart === 12);
}

/** How many free cards would fit after removing the free card of a column. */
function onward(rules, view, word) {
  const at = Number(word) - 1;
  const columns = view.columns.map((column, k) => (k === at ? column.slice(0, -1) : column));
  const card = view.columns[at].at(-1);
  return columns.filter((column) => column.length && fits(rules, column.at(-1), card)).length;
}

function bestMove(rules, view) {
  const moves = view.legal.filter((word) => word !== "d" && word !== "r");
  if (!moves.length) return view.legal[0] ?? "done";
  if (rules.game !== "GO") return moves[0];
  return moves.reduce((best, word) => (onward(rules, view, word) > onward(rules, view, best) ? word : best));
}

let rules;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  switch (message.t) {
    case "hello":
      say({ t: "hello", v: 1, name: "One ahead", version: "1.0", games: ["GO", "DS"], mode: "fair" });
      break;
    case "new":
      rules = message.rules;
      say({ t: "ready", game: message.game });
      break;
    case "go":
      say({ t: "best", game: message.game, turn: message.turn, m: bestMove(rules, message.view) });
      break;
    case "error":
      console.error("my answer was refused:", message.message);
      break;
    case "quit":
      process.exit(0);
  }
}
