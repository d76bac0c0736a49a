// @ts-check
/** English: the rules of both games, and questions on codes and scoring. */

/** @type {Record<"golf" | "double" | "questions", import("../../ui/rules/page.js").RulesText>} */
export const rules = {
  golf: {
    title: "The rules of Golf",
    summary:
      "7 columns of 5 face-up cards each, a waste, 16 cards in the stock. The last card of a column can be removed when its rank is one higher or one lower than that of the waste’s top card, whatever the suit. When no card fits, draw. Whoever removes all 35 cards of the tableau wins.",
    sections: [
      {
        id: "layout",
        heading: "The layout",
        parts: [
          "Golf is played with a pack of 52 cards, without jokers. 35 cards are dealt into 7 columns of 5, all face up. One card is turned up as the waste, and the other 16 lie face down in the stock.",
          { example: "opening", says: "The opening of this deal." },
        ],
      },
      {
        id: "moves",
        heading: "The moves",
        parts: [
          "In each column only the last card is free: the lowest one, which no other card covers. It can be removed when its rank is exactly one higher or one lower than that of the waste’s top card: on an 8 goes a 7 or a 9. Suits do not matter. The removed card becomes the waste’s new top card, and frees the card right above it in its column.",
          "An example: at the beginning of GO1-E-AAAAAAB the waste shows A♣, and no free card goes on it. Draw: 8♠ comes. The 9♣ of column 5 can be removed (one rank higher), and then the 8♣ of column 2 (one rank lower than 9♣).",
          { example: "eights", says: "After 9♣ and then 8♣." },
          "A card that does not fit stays where it is. With “interactive rules” switched on, as they are at first, you are told why:",
          {
            list: [
              "a free card that does not go on the waste, such as the 6♥ of column 1 on A♣: “It must be one rank higher or lower”;",
              "a card that is still covered, such as the 10♠ in row 4 of column 1: “This card is blocked”.",
            ],
          },
        ],
      },
      {
        id: "stock",
        heading: "The stock",
        parts: [
          "A tap on the stock turns its top card up onto the waste, where it becomes the top card. You may draw at any time, even when a card could be removed. Each card is used once: the stock is not turned again. A draw counts as a move and scores nothing.",
        ],
      },
      {
        id: "kings",
        heading: "King and ace",
        parts: [
          {
            list: [
              "Easy (E), the rule unless you choose another: king and ace are joined. An ace goes on a king and a king on an ace, so that a chain may run from the queen over king and ace to the 2.",
              "Classic (C): king and ace are separate, and the sequence stops at both ends. On a king goes only a queen, on an ace only a 2.",
              "Strict (S): nothing at all goes on a king, and you may draw only when no free card fits.",
            ],
          },
          "An example of Easy: in move 35 of the game that is won, the A♥ of column 3 goes on K♣. Under Classic that move would be refused.",
          { example: "move35", says: "Before move 35: A♥ goes on K♣." },
          "The rule matters as much as the cards: the same deal can be won under Easy and not under Classic.",
        ],
      },
      {
        id: "end",
        heading: "The end",
        parts: [
          "The game is won as soon as all 35 cards of the tableau are gone, even if cards are left in the stock. It is stuck when the stock is empty and no free card goes on the waste: “No more possible moves”. You may then undo, or settle with this position; whoever plays alone may also go on to a new deal.",
        ],
      },
      {
        id: "score",
        heading: "Scoring",
        parts: [
          "The score starts at 0 and never falls below 0:",
          {
            table: [
              ["What happens", "Points"],
              ["A card is removed from the tableau", "+10"],
              ["A draw", "0"],
              ["The game is stuck: for each card left in the tableau", "−10"],
            ],
          },
          "So a game won always comes to 350 points (35 × 10); cards left in the stock give nothing more. A game that is stuck after r cards were removed comes to 10 r − 10 (35 − r), but never to less than 0:",
          {
            list: [
              "31 cards removed, 4 left: 270 points;",
              "30 cards removed, 5 left: 250 points;",
              "25 cards removed, 10 left: 150 points;",
              "17 cards removed, 18 left: 0 points.",
            ],
          },
        ],
      },
      {
        id: "undo",
        heading: "Undo",
        parts: [
          "The last 100 operations can be undone, removals and draws alike. Undo puts the card back in its place and restores the score of before the move; after getting stuck it takes the penalty back. The number of moves does not go down. A race may forbid undo, or allow it only until a card is turned up.",
        ],
      },
      {
        id: "variants",
        heading: "Strict play and variants",
        parts: [
          "Golf has no official rules. What is called strict play differs from Easy, and all of it can be had here:",
          {
            list: [
              "king and ace are not joined: that is Classic;",
              "nothing goes on a king, not even a queen: that is Strict;",
              "draw only when there is no other move: Strict too;",
              "strokes: one point for each card left in the tableau, over 9 deals, with a par of 45, and the lowest total wins: choose the goal “fewest cards left” and a series of 9;",
              "jokers (J1, J2): one or two jokers, each of which stands for any card;",
              "an empty waste (X): it starts empty, and the player chooses the first card.",
            ],
          },
        ],
      },
    ],
  },
  double: {
    title: "The rules of Double Solitaire",
    summary:
      "Klondike for one player with two packs shuffled together, 104 cards: 45 are dealt into 9 columns, the other 59 are the stock. In a column a card goes on one of the other colour and one rank higher; an empty column takes only a king. Whoever has put all 104 cards up on the 8 foundations, two for each suit, from ace to king, wins.",
    sections: [
      {
        id: "layout",
        heading: "The layout",
        parts: [
          "Two packs of 52 cards, without jokers, are shuffled together: 104 cards, each one twice. 9 columns are dealt, of 1, 2, 3, 4, 5, 6, 7, 8 and 9 cards, 45 in all. Only the last card of each is face up; the other 36 are face down. The 59 cards left are the stock, face down. Beside it are the waste, empty, and 8 empty foundations.",
        ],
      },
      {
        id: "moves",
        heading: "The moves",
        parts: [
          {
            list: [
              "Within the columns: a card goes on a face-up card of the other colour (red on black, black on red) that is exactly one rank higher. The 7♥ may go on an 8♠ or an 8♣.",
              "Runs: a face-up card moves together with all the cards on it. Only the first card of the run must fit the column it goes to.",
              "Twins: each card is there twice, so that a black 6 has four possible places: both 7♥ and both 7♦.",
              "From the waste: only the top card can be played, to a column or to its foundation.",
              "A face-down card that is uncovered turns itself up, and can be played.",
            ],
          },
          "Ranks go from the ace, the lowest, to the king: ace, 2 to 10, jack, queen, king.",
        ],
      },
      {
        id: "column",
        heading: "The empty column",
        parts: [
          "An empty column takes only a king, alone or with the cards on it. No other card can go there, not even to uncover a face-down one.",
          { example: "column", says: "Column 3 is empty. K♥ of the waste may go there; try any other card." },
        ],
      },
      {
        id: "foundations",
        heading: "The foundations",
        parts: [
          "There are 8 foundations, 2 for each suit. Each takes one suit only: first the ace, then the 2, the 3 and so on to the king, one card at a time. Each suit has a row of its own with two places (from the top: spades, hearts, diamonds, clubs): an ace goes to an empty place in its own row, never to another suit’s. A card that is let go anywhere on the foundations finds the one that takes it; where both do, it is the first of the row.",
          { example: "aces", says: "The second A♠ goes to the second place of its row." },
        ],
      },
      {
        id: "stock",
        heading: "The stock and its rounds",
        parts: [
          "A tap on the stock turns cards over to the waste. There are two ways to draw:",
          {
            list: [
              "1 card (“Easy”, D1): one card at a time, so that each card of the stock can be played in its turn;",
              "3 cards (“Hard”, D3): three at once, fanned out on the waste. Only the last one can be played, and the next one is free when that has been played.",
            ],
          },
          "When the stock is empty: with Normal scoring a tap puts the whole waste back, face down, as often as you like; each time costs 100 points. With Vegas scoring the waste is not used again: the stock is gone through once, with 1 and with 3 cards alike.",
        ],
      },
      {
        id: "end",
        heading: "The end",
        parts: [
          "The game is won when all 104 cards are on the foundations. Nobody declares it lost: when no move is of use any more, undo some, settle, or give up.",
        ],
      },
      {
        id: "hands",
        heading: "Nothing happens by itself",
        parts: [
          {
            list: [
              "No card goes to a foundation by itself, and no game finishes by itself. A tap on a top card sends it to its foundation if that takes it; two quick taps (the setting “double tap”, on at first) then look for a place in the columns: the longest one first, then, for a king, an empty one. Cards can also be dragged.",
              "Taking back from a foundation: its top card can be dragged back to a column; that neither wins nor loses points.",
              "Undo: the last 200 operations. Undo takes away the points of the move, but the number of moves does not go down.",
            ],
          },
        ],
      },
      {
        id: "score",
        heading: "Scoring",
        parts: [
          "Normal scoring (N):",
          {
            table: [
              ["Move", "Points"],
              ["A card put up on a foundation, from a column or the waste", "+10"],
              ["A card from the waste to a column", "+5"],
              ["A face-down card turned up, besides the move that uncovers it", "+5"],
              ["The waste put back to the stock", "−100"],
              ["A card or run moved from one column to another", "0"],
              ["A card taken back from a foundation", "0"],
            ],
          },
          "The score starts at 0 and never falls below 0, so that putting the waste back early in the game costs less than 100 points. A game won without taking anything back always comes to 1,220 points for the 104 cards put up and the 36 turned up, and 5 more for each card that went from the waste to a column, less what putting the waste back has cost.",
          "Vegas scoring (V):",
          {
            table: [
              ["When", "Dollars"],
              ["At the start", "−$104"],
              ["Each card put up on a foundation", "+$5"],
              ["All else (cards turned up, waste, columns)", "$0"],
            ],
          },
          "There is no lower limit: the score stays negative with up to 20 cards on the foundations, and becomes positive with the 21st. A game won without taking anything back ends with +$416. The score is shown in dollars: “$416”, “$0” or “-$104”.",
        ],
      },
    ],
  },
  questions: {
    title: "Questions and answers",
    summary: "What a game code is, how its cards are dealt, and how races are scored.",
    sections: [
      {
        id: "code",
        heading: "What is a game code?",
        parts: [
          "The name of a deal: whoever plays GO1-E-AAAAAAB gets the very same cards, today and in ten years. Type it into the lobby, send it to a friend, or race on it what somebody else has played.",
        ],
      },
      {
        id: "letters",
        heading: "What do its letters mean?",
        parts: [
          {
            table: [
              ["Part", "Meaning"],
              ["GO1, DS1", "The game, Golf or Double Solitaire, and how its cards are shuffled"],
              ["E, C, S", "Golf’s rule: Easy, Classic or Strict. Old codes with N are read as Easy"],
              ["J1, J2, X", "Golf: one or two jokers; an empty waste"],
              ["D1, D3", "Double Solitaire: draw 1 card or 3"],
              ["N, V", "Double Solitaire: Normal or Vegas scoring"],
              ["O", "Double Solitaire: a card pays only the first time it is put up"],
              ["AAAAAAB", "Which deal it is: seven letters A–Z and digits 2–7"],
            ],
          },
          "Spelling is forgiven: small letters, spaces, missing hyphens, 0 for O, 1 for I and 8 for B are read as they are meant.",
        ],
      },
      {
        id: "rule",
        heading: "Does the rule change the cards?",
        parts: ["No. The same seven letters deal the same cards under every rule. Only jokers, which join the pack, change the deal."],
      },
      {
        id: "app",
        heading: "Does a code from the app deal the app’s cards?",
        parts: [
          "Only if that deal has been published, as GO1-E-AAAAAAB has: the app does not say how it shuffles. The page of a code says whether it is published. Any other deal can be brought as a literal code (GO0-…, DS0-…), which spells out its cards.",
        ],
      },
      {
        id: "long",
        heading: "Why are some codes much longer?",
        parts: [
          "A code of 26 letters is that of a sealed deal: there are so many that nobody can have tried it before. The server shows a commitment before the race and the code after it, so that anybody can check that the cards were not changed. Codes of 46 letters and more are literal ones.",
        ],
      },
      {
        id: "win",
        heading: "How many points is a win?",
        parts: [
          "In Golf always 350. In Double Solitaire 1,220 and more with Normal scoring, and $416 with Vegas scoring, if no card was taken back from a foundation.",
        ],
      },
      {
        id: "ends",
        heading: "How is a game scored that ends early in a race?",
        parts: [
          "In Golf as if it were stuck, however it ended: settled, given up, out of time or gone, each card left costs 10 points, down to 0. Otherwise everybody would stop one draw before getting stuck. In Double Solitaire the score counts as it stands.",
        ],
      },
      {
        id: "equal",
        heading: "Who is first when scores are equal?",
        parts: ["Whoever made the last move that scored earlier. What is equal even then shares the rank. With the goal “fewest moves” those who cleared the table come first, the fewest moves best."],
      },
      {
        id: "twice",
        heading: "Can a card be put up again and again for points?",
        parts: [
          "Not in a race by score: there every game of Double Solitaire is played with the option O, under which a card pays only when it brings the foundations higher than they have been in this game.",
        ],
      },
      {
        id: "undo",
        heading: "What does undo do to the score?",
        parts: [
          "It restores the score of before the move exactly, also the penalty for getting stuck and what putting the waste back cost. The number of moves stays: it counts removals, draws and moves, no undos and no refusals.",
        ],
      },
      {
        id: "peek",
        heading: "Can others see my cards during a race?",
        parts: [
          "The other seats see how far you have come, never your cards: everybody has the same deal, so each board gives the others away. Spectators see boards if the race allows it, and whoever sits in a race cannot watch it.",
        ],
      },
      {
        id: "rated",
        heading: "Which races are rated?",
        parts: ["Quick races that both asked for as rated, between players whose names are claimed. They are always sealed, and undo stops at a card turned up."],
      },
    ],
  },
};
