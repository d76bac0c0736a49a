"""What people are told: the same keys in every language, the source pages' words where they have them."""

import pytest

from engine.codes import CodeError, CodePart, parse_code
from engine.refusals import Barred, ErrorCode, Reason
from engine.texts import DEFAULT_LANGUAGE, LANGUAGES, language_of, text_of
from engine.texts.calls import CALLS, call_text
from engine.texts.codes import CODES, code_fault
from tests.engine.golf import printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_error_has_a_text(language: str) -> None:
    """No language lacks a text, and none has one that nobody asks for."""
    assert {*Reason, *Barred, *ErrorCode} == set(LANGUAGES[language])
    assert all(text.strip() == text != "" for text in LANGUAGES[language].values())


def test_no_language_lacks_a_text_on_codes_and_calls() -> None:
    """Each part of a code has one in all languages but that of the fault itself, each reason of a call in all."""
    assert set(CodePart) == set(CODES)
    assert {frozenset(said) for said in CODES.values()} == {frozenset(LANGUAGES) - {DEFAULT_LANGUAGE}}
    assert {frozenset(said) for said in CALLS.values()} == {frozenset(LANGUAGES)}


@pytest.mark.parametrize(
    ("language", "needed"),
    [
        ("hu", ("7 betűs", "lepecsételt", "értékelt", "szellem")),
        ("vi", ("7 chữ", "niêm phong", "tính điểm", "bóng ma")),
    ],
)
def test_a_code_that_is_refused_may_be_so_for_each_reason(language: str, needed: tuple[str, ...]) -> None:
    """Whether it is too long, named for a sealed or rated race, or not that of a ghost: what is needed is said."""
    said = call_text(ErrorCode.BAD_FRAME, "code", language)
    assert said is not None
    assert all(word in said for word in needed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fault_in_a_code_shows_what_was_found(language: str) -> None:
    """Whatever the language, and no more of it than there is room for."""
    for text, found in (("XX1-E-AAAAAAB", "XX"), ("GO1-E-AAAA9AB", "9"), ("GO1-" + "Q" * 99 + "-AAAAAAB", "QQQ...")):
        with pytest.raises(CodeError) as fault:
            parse_code(text)
        assert found in code_fault(fault.value, language)


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
