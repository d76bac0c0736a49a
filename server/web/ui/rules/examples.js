// @ts-check
/** The positions that the rules speak of: a game code, and the words that lead there from its deal. */

const GOLF = "GO1-E-AAAAAAB";
const TO_EIGHTS = "d 5 2";
const TO_MOVE_35 = "d 5 2 d 7 1 d d 4 d 4 4 2 d 1 7 5 5 6 6 d 1 3 4 d 3 2 7 3 5 d 6 d 2";

/** @typedef {{ code: string, words: string }} Example */

/** @type {Record<string, Example>} */
export const EXAMPLES = {
  opening: { code: GOLF, words: "" },
  eights: { code: GOLF, words: TO_EIGHTS },
  move35: { code: GOLF, words: TO_MOVE_35 },
  column: { code: "DS1-D1N-AAAAAAB", words: "t3-t2 t3-t7 t6-t1 d w-t7 t3-t7 d d d" },
  aces: { code: "DS1-D1N-AAAAAHS", words: "t6-f" },
};
