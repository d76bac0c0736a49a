"""What the app's pages print about the game on GO1-E-AAAAAAB, word for word, and how to read it."""

import re

from engine.cards import Card, card_text, parse_card

__all__ = ["AFTER_THREE", "LANGUAGES", "MOVE_35", "OPENING", "REFUSALS", "TO_MOVE_35", "WON", "read_position"]

LANGUAGES = ["hu", "vi"]

TO_MOVE_35 = "GO1-E-AAAAAAB d 5 2 d 7 1 d d 4 d 4 4 2 d 1 7 5 5 6 6 d 1 3 4 d 3 2 7 3 5 d 6 d 2"
"""34 moves that lead to the position printed before move 35."""
WON = TO_MOVE_35 + " 3 2 4 6 1 1 7 d 7 d 3 5 6"

OPENING = {
    "hu": """
        Húzópakli: 16 lap; dobópakli: treff ász. 1. oszlop: treff 6, pikk 5, pikk dáma, pikk 10, kőr 6 (szabad:
        kőr 6); 2. oszlop: pikk 2, treff király, pikk 4, treff 2, treff 8 (szabad: treff 8); 3. oszlop: treff
        10, kőr ász, káró 2, káró 5, pikk bubi (szabad: pikk bubi); 4. oszlop: káró 3, kőr dáma, pikk ász, káró
        király, treff 4 (szabad: treff 4); 5. oszlop: kőr bubi, treff 3, káró 7, kőr 8, treff 9 (szabad: treff
        9); 6. oszlop: kőr 10, kőr 4, kőr 7, treff 7, káró 8 (szabad: káró 8); 7. oszlop: pikk 3, pikk 7, kőr 3,
        pikk 9, treff 5 (szabad: treff 5).
    """,
    "vi": """
        Chồng bài rút: 16 lá; chồng bài bỏ: át chuồn. Cột 1: 6 chuồn, 5 bích, đầm bích, 10 bích, 6 cơ (tự do: 6
        cơ); cột 2: 2 bích, vua chuồn, 4 bích, 2 chuồn, 8 chuồn (tự do: 8 chuồn); cột 3: 10 chuồn, át cơ, 2 rô,
        5 rô, bồi bích (tự do: bồi bích); cột 4: 3 rô, đầm cơ, át bích, vua rô, 4 chuồn (tự do: 4 chuồn); cột 5:
        bồi cơ, 3 chuồn, 7 rô, 8 cơ, 9 chuồn (tự do: 9 chuồn); cột 6: 10 cơ, 4 cơ, 7 cơ, 7 chuồn, 8 rô (tự do: 8
        rô); cột 7: 3 bích, 7 bích, 3 cơ, 9 bích, 5 chuồn (tự do: 5 chuồn).
    """,
}
AFTER_THREE = {
    "hu": """
        Húzópakli: 15 lap; dobópakli: treff 8. 1. oszlop: treff 6, pikk 5, pikk dáma, pikk 10, kőr 6 (szabad:
        kőr 6); 2. oszlop: pikk 2, treff király, pikk 4, treff 2 (szabad: treff 2); 3. oszlop: treff 10, kőr
        ász, káró 2, káró 5, pikk bubi (szabad: pikk bubi); 4. oszlop: káró 3, kőr dáma, pikk ász, káró király,
        treff 4 (szabad: treff 4); 5. oszlop: kőr bubi, treff 3, káró 7, kőr 8 (szabad: kőr 8); 6. oszlop: kőr
        10, kőr 4, kőr 7, treff 7, káró 8 (szabad: káró 8); 7. oszlop: pikk 3, pikk 7, kőr 3, pikk 9, treff 5
        (szabad: treff 5).
    """,
    "vi": """
        Chồng bài rút: 15 lá; chồng bài bỏ: 8 chuồn. Cột 1: 6 chuồn, 5 bích, đầm bích, 10 bích, 6 cơ (tự do: 6
        cơ); cột 2: 2 bích, vua chuồn, 4 bích, 2 chuồn (tự do: 2 chuồn); cột 3: 10 chuồn, át cơ, 2 rô, 5 rô, bồi
        bích (tự do: bồi bích); cột 4: 3 rô, đầm cơ, át bích, vua rô, 4 chuồn (tự do: 4 chuồn); cột 5: bồi cơ, 3
        chuồn, 7 rô, 8 cơ (tự do: 8 cơ); cột 6: 10 cơ, 4 cơ, 7 cơ, 7 chuồn, 8 rô (tự do: 8 rô); cột 7: 3 bích, 7
        bích, 3 cơ, 9 bích, 5 chuồn (tự do: 5 chuồn).
    """,
}
MOVE_35 = {
    "hu": """
        Húzópakli: 6 lap; dobópakli: treff király. 1. oszlop: treff 6, pikk 5 (szabad: pikk 5); 2. oszlop: pikk
        2 (szabad: pikk 2); 3. oszlop: treff 10, kőr ász (szabad: kőr ász); 4. oszlop: káró 3 (szabad: káró 3);
        5. oszlop: kőr bubi (szabad: kőr bubi); 6. oszlop: kőr 10, kőr 4 (szabad: kőr 4); 7. oszlop: pikk 3,
        pikk 7 (szabad: pikk 7).
    """,
    "vi": """
        Chồng bài rút: 6 lá; chồng bài bỏ: vua chuồn. Cột 1: 6 chuồn, 5 bích (tự do: 5 bích); cột 2: 2 bích (tự
        do: 2 bích); cột 3: 10 chuồn, át cơ (tự do: át cơ); cột 4: 3 rô (tự do: 3 rô); cột 5: bồi cơ (tự do: bồi
        cơ); cột 6: 10 cơ, 4 cơ (tự do: 4 cơ); cột 7: 3 bích, 7 bích (tự do: 7 bích).
    """,
}
REFUSALS = {
    "not_adjacent": {
        "hu": "Eggyel magasabb vagy alacsonyabb rangúnak kell lennie",
        "vi": "Phải cao hơn hoặc thấp hơn một bậc",
    },
    "blocked": {"hu": "Ez a lap blokkolva van", "vi": "Lá bài này đang bị chặn"},
    "no_moves": {"hu": "Nincs több lehetséges lépés", "vi": "Không còn nước đi nào"},
}
"""Hungarian in „…”, Vietnamese in «…» on the pages."""

_WORDS = {
    "pikk": "S", "kőr": "H", "káró": "D", "treff": "C", "bích": "S", "cơ": "H", "rô": "D", "chuồn": "C",
    "ász": "A", "bubi": "J", "dáma": "Q", "király": "K", "át": "A", "bồi": "J", "đầm": "Q", "vua": "K",
}  # fmt: skip


def _card(text: str) -> Card:
    """Read `treff 6` or `6 chuồn`."""
    words = [_WORDS.get(word, word) for word in text.split()]
    rank, suit = sorted(words, key=lambda word: word in "SHDC")
    return parse_card(rank + suit)


def read_position(text: str) -> tuple[list[list[str]], str, int, list[str]]:
    """Read columns, the waste's top card, how many cards are in the stock, and the free cards."""
    text = " ".join(text.split())
    counts, *_ = text.split(". ")
    stock, waste = re.fullmatch(r"[^:]+: (\d+) l[aá]p?; [^:]+: (.+)", counts).groups()
    columns = re.findall(r"(?:\d\. oszlop|[Cc]ột \d): (.*?) \((?:szabad|tự do): (.*?)\)", text)
    return (
        [[card_text(_card(card)) for card in column.split(", ")] for column, _ in columns],
        card_text(_card(waste)),
        int(stock),
        [card_text(_card(free)) for _, free in columns],
    )
