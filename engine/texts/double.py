"""Double Solitaire's refusals in every language, side by side.

The source page prints none of them: the words are ours, and this one table is there for a native reader to check.
"""

from __future__ import annotations

from typing import Final

__all__ = ["DOUBLE"]

DOUBLE: Final = {
    "pile_empty": {
        "en": "There are not that many cards there.",
        "hu": "Itt nincs ennyi lap.",
        "vi": "Ở đây không có đủ lá bài.",
    },
    "same_pile": {
        "en": "The card lies there already.",
        "hu": "A lap már ott van.",
        "vi": "Lá bài đã nằm ở đó rồi.",
    },
    "face_down": {
        "en": "A face-down card cannot be moved.",
        "hu": "Lefordított lapot nem lehet mozgatni.",
        "vi": "Không thể di chuyển lá bài đang úp.",
    },
    "wrong_color": {
        "en": "It must go onto a card of the other colour.",
        "hu": "Csak ellenkező színű lapra tehető.",
        "vi": "Phải đặt lên lá bài khác màu.",
    },
    "wrong_rank": {
        "en": "It must go onto a card exactly one rank higher.",
        "hu": "Csak pontosan eggyel magasabb rangú lapra tehető.",
        "vi": "Phải đặt lên lá bài cao hơn đúng một bậc.",
    },
    "not_a_king": {
        "en": "An empty column takes only a king.",
        "hu": "Üres oszlopba csak király kerülhet.",
        "vi": "Cột trống chỉ nhận vua.",
    },
    "not_on_foundation": {
        "en": "Its foundation does not take this card yet.",
        "hu": "Ezt a lapot az alapkupaca még nem fogadja.",
        "vi": "Chồng nền của chất này chưa nhận lá bài này.",
    },
    "stock_not_empty": {
        "en": "There are cards in the stock still.",
        "hu": "A húzópakliban még van lap.",
        "vi": "Chồng bài rút vẫn còn lá bài.",
    },
    "waste_empty": {
        "en": "The waste is empty.",
        "hu": "A dobópakli üres.",
        "vi": "Chồng bài bỏ đang trống.",
    },
    "no_recycling": {
        "en": "In Vegas scoring the stock is gone through only once.",
        "hu": "Vegas pontozásnál a húzópaklin csak egyszer megyünk végig.",
        "vi": "Với cách tính điểm Vegas, chồng bài rút chỉ được dùng một lượt.",
    },
}
"""Reason → language → sentence."""
