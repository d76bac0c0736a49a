"""What people are told, in English, Hungarian and Vietnamese: the same keys in each language."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.texts import en, hu, vi
from engine.texts.double import DOUBLE

__all__ = ["DEFAULT_LANGUAGE", "LANGUAGES", "language_of", "text_of"]

LANGUAGES: Final = {
    language: texts | {reason: said[language] for reason, said in DOUBLE.items()}
    for language, texts in {"en": en.TEXTS, "hu": hu.TEXTS, "vi": vi.TEXTS}.items()
}
DEFAULT_LANGUAGE: Final = "en"


def language_of(tag: str | None) -> str:
    """Return the language we speak for a tag such as `hu-HU`; English where it is none of ours."""
    primary = (tag or "").replace("_", "-").split("-")[0].lower()
    return primary if primary in LANGUAGES else DEFAULT_LANGUAGE


def text_of(key: StrEnum, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the sentence for a refusal or an error code, in a language of `LANGUAGES`."""
    return LANGUAGES[language_of(language)][key.value]
