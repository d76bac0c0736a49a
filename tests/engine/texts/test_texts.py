"""What people are told: the same keys in every language, the source pages' words where they have them."""

import pytest

from engine.refusals import Barred, ErrorCode, Reason
from engine.texts import LANGUAGES, language_of, text_of
from tests.engine.golf import printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_error_has_a_text(language: str) -> None:
    """No language lacks a text, and none has one that nobody asks for."""
    assert {*Reason, *Barred, *ErrorCode} == set(LANGUAGES[language])
    assert all(text.strip() == text != "" for text in LANGUAGES[language].values())


@pytest.mark.parametrize("language", printed.LANGUAGES)
@pytest.mark.parametrize("reason", printed.REFUSALS)
def test_golf_speaks_the_pages_words(reason: str, language: str) -> None:
    """The three refusals that the pages print are worded exactly so."""
    assert printed.REFUSALS[reason][language] == text_of(Reason(reason), language)


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("hu", "hu"),
        ("hu-HU", "hu"),
        ("VI_vn", "vi"),
        ("en-GB", "en"),
        ("de", "en"),
        ("", "en"),
        (None, "en"),
        ("human", "en"),
    ],
)
def test_tags_name_a_language(tag: str | None, language: str) -> None:
    """A tag's first part decides; what is none of ours is English."""
    assert language == language_of(tag)
