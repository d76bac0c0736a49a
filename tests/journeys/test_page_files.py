"""The page's files, read without a browser: complete, self-contained, and fit for a strict content policy."""

import re
from pathlib import Path

import pytest

from bots.roster import ROSTER
from engine.codes import parse_code
from engine.game import GAMES

WEB = Path(__file__).parents[2] / "server" / "web"
VENDOR = WEB / "vendor"
MODULES = sorted(path for path in WEB.rglob("*.js") if path.name != "msgpack.min.js")
OWN = [path for path in MODULES if VENDOR not in path.parents]

IMPORT = re.compile(r"""\b(?:from|import)\s*["']([^"']+)["']""")
OFFER = re.compile(r"(\w\w): \{ code: \"([^\"]+)\", bots: \[([^\]]*)\]")
KEY = re.compile(r"^  (?:/\*\*.*\*/ )?(\w+)(?::|\()", re.MULTILINE)


def name(path: Path) -> str:
    return str(path.relative_to(WEB))


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_every_import_is_a_file_of_the_page(module: Path) -> None:
    """A browser finds each imported module by its relative path: there is no build step that would."""
    for target in IMPORT.findall(module.read_text(encoding="utf-8")):
        assert target.startswith("."), f"{target} is not a relative path"
        assert (module.parent / target).resolve().is_file(), f"{target} does not exist"


@pytest.mark.parametrize("module", OWN, ids=name)
def test_own_modules_are_type_checked_and_say_what_they_are_for(module: Path) -> None:
    """Each module of ours opts into type checking and says on its second line what it is for."""
    first, second, *_ = module.read_text(encoding="utf-8").splitlines()
    assert first == "// @ts-check"
    assert second.startswith("/** ")


def test_index_has_nothing_inline_and_loads_only_what_is_there() -> None:
    """`default-src 'self'` blocks inline script and style, so there is none, and each file named is served."""
    index = (WEB / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", index)
    named = re.findall(r'(?:src|href)="([^"]+)"', index)
    assert named
    for address in named:
        assert address.startswith("/web/")
        assert (WEB / address.removeprefix("/web/")).is_file()


@pytest.mark.parametrize("module", OWN, ids=name)
def test_no_template_sets_a_style_attribute(module: Path) -> None:
    """A `style` attribute in a template would be dropped by the content policy, in silence."""
    assert " style=" not in module.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["hu", "vi"])
def test_every_text_is_translated(language: str) -> None:
    """A language has the same texts as English, no more and no fewer."""
    english = KEY.findall((WEB / "texts" / "en.js").read_text(encoding="utf-8"))
    translated = KEY.findall((WEB / "texts" / f"{language}.js").read_text(encoding="utf-8"))
    assert english == translated


def test_the_form_offers_the_bots_that_play_the_game() -> None:
    """The form offers for each game the bots of the roster that play it fairly, and begins with a code of it."""
    offers = OFFER.findall((WEB / "ui" / "create.js").read_text(encoding="utf-8"))
    assert {game for game, _, _ in offers} == set(GAMES)
    for game, code, bots in offers:
        assert parse_code(code).game == game
        fair = {bot.name for bot in ROSTER.values() if bot.mode == "fair" and game in bot.games}
        assert set(re.findall(r'"([^"]+)"', bots)) == fair


def test_every_vendored_library_has_its_licence() -> None:
    """What others wrote comes with their licence and is named in the folder's README."""
    readme = (VENDOR / "README.md").read_text(encoding="utf-8")
    for folder in (path for path in VENDOR.iterdir() if path.is_dir()):
        assert (folder / "LICENSE").is_file()
        assert f"`{folder.name}/`" in readme
