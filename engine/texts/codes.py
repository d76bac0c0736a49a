"""What is wrong with a game code, in the languages besides English, side by side."""

from __future__ import annotations

from typing import Final

from engine.codes import CodeError, shortened

__all__ = ["CODES", "code_fault"]

CODES: Final = {
    "game": {
        "hu": "ismeretlen játék: GO (Golf) vagy DS (Double Solitaire) állhat az elején, nem {found}",
        "vi": "trò chơi lạ: mã bắt đầu bằng GO (Golf) hoặc DS (Double Solitaire), không phải {found}",
    },
    "version": {
        "hu": "ismeretlen változat: a játék betűi után 1 vagy 0 jön, mint GO1, nem {found}",
        "vi": "phiên bản lạ: sau hai chữ của trò chơi là 1 hoặc 0, như GO1, không phải {found}",
    },
    "rules": {
        "hu": "ismeretlen szabály: {found}; Golfnál E, C vagy S, mögötte lehet J1, J2 és X; "
        "Double Solitaire-nél D1 vagy D3, aztán N vagy V, a végén lehet O",
        "vi": "luật lạ: {found}; Golf dùng E, C hoặc S, sau đó có thể có J1, J2 và X; "
        "Double Solitaire dùng D1 hoặc D3, rồi N hoặc V, cuối cùng có thể có O",
    },
    "length": {
        "hu": "a szám rossz hosszúságú: 7 vagy 26 betű kell, a 0-s változatban az egész leosztás, nem {found}",
        "vi": "phần số sai độ dài: cần 7 hoặc 26 chữ, ở phiên bản 0 là cả ván bài, không phải {found}",
    },
    "letter": {
        "hu": "a számban csak A–Z betű és 2–7 számjegy állhat, nem {found}",
        "vi": "phần số chỉ gồm các chữ A–Z và chữ số 2–7, không có {found}",
    },
    "number": {
        "hu": "túl nagy szám: 26 betűnél az első A–H lehet; ez itt {found}",
        "vi": "số quá lớn: với 26 chữ thì chữ đầu phải từ A đến H; ở đây là {found}",
    },
}
"""Part of a code → language → what may stand there, and what was found."""


def code_fault(fault: CodeError, language: str) -> str:
    """Return what is wrong with a code, in a language of `LANGUAGES`."""
    said = CODES[fault.part.value].get(language)
    return str(fault) if said is None else said.format(found=shortened(fault.found))
