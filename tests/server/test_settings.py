"""The settings: their sources, ranges and masks."""

from pathlib import Path

import pytest

from server.settings import Durability, Settings, SettingWrong, Source, masked, resolve, variable


def test_defaults_are_valid() -> None:
    """Each default, written into the environment, is in its own range and read back as it is."""
    rows = resolve(environ={}).rows()
    environ = {row.variable: str(row.default) for row in rows if row.default is not None}
    assert Settings() == resolve(environ=environ).settings


def test_precedence() -> None:
    """A flag wins over the environment, the environment over the default, and each names its source."""
    found = resolve({"port": 9001, "host": None}, {"FAIRDEAL_PORT": "9000", "FAIRDEAL_HOST": "::1", "PATH": "/bin"})
    shown = {row.name: (row.value, row.source) for row in found.rows() if row.name in ("port", "host", "workers")}
    assert shown == {
        "host": ("::1", Source.ENVIRONMENT),
        "port": (9001, Source.FLAG),
        "workers": (1, Source.DEFAULT),
    }


def test_types() -> None:
    """Texts become the setting's own type; an empty variable is not set."""
    settings = resolve(
        {"keyring": Path("ring")},
        {"FAIRDEAL_DATA": "/srv/fairdeal", "FAIRDEAL_DURABILITY": "aof", "FAIRDEAL_REDIS": ""},
    ).settings
    assert (Path("/srv/fairdeal"), Durability.AOF, None, Path("ring")) == (
        settings.data,
        settings.durability,
        settings.redis,
        settings.keyring,
    )


@pytest.mark.parametrize(
    ("flags", "environ", "sentence"),
    [
        pytest.param(
            {},
            {"FAIRDEAL_PROT": "1"},
            "There is no setting FAIRDEAL_PROT; the nearest is FAIRDEAL_PORT. `fairdeal config` shows them all.",
            id="misspelt",
        ),
        pytest.param(
            {"heart_beat_ms": 5},
            {},
            "There is no setting --heart-beat-ms; the nearest is --heartbeat-ms. `fairdeal config` shows them all.",
            id="unknown flag",
        ),
        pytest.param(
            {},
            {"FAIRDEAL_PORT": "70000"},
            "FAIRDEAL_PORT should be a whole number from 0 to 65535, and is 70000: change it or leave it out.",
            id="too large",
        ),
        pytest.param(
            {},
            {"FAIRDEAL_WORKERS": "two"},
            "FAIRDEAL_WORKERS should be a whole number from 1 to 64, and is two: change it or leave it out.",
            id="not a number",
        ),
        pytest.param(
            {"durability": "always"},
            {},
            "--durability should be fsync, aof or replica, and is always: change it or leave it out.",
            id="not a choice",
        ),
        pytest.param({"data": 5}, {}, "--data should be a path, and is 5: change it or leave it out.", id="not a path"),
        pytest.param(
            {},
            {"FAIRDEAL_PUBLIC_URL": "ftp://me:secret@host"},
            "FAIRDEAL_PUBLIC_URL should be a URL such as https://fairdeal.example, and is ftp://me:***@host: "
            "change it or leave it out.",
            id="masked in the error",
        ),
        pytest.param(
            {"dead_after_ms": 10_000},
            {},
            "dead_after_ms should be more than heartbeat_ms, or every quiet socket is taken for dead: found 10000 and "
            "10000; raise the first or lower the second.",
            id="dead before the next heartbeat",
        ),
    ],
)
def test_wrong(flags: dict[str, object], environ: dict[str, str], sentence: str) -> None:
    """A wrong setting is refused with what was expected, what was found and what to do."""
    with pytest.raises(SettingWrong) as caught:
        resolve(flags, environ)
    assert sentence == str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://localhost:6379/0", "redis://localhost:6379/0"),
        ("redis://:hush@localhost/0", "redis://:***@localhost/0"),
        ("redis+cluster://me:hush@a:1,b:2", "redis+cluster://me:***@a:1,b:2"),
        ("rediss://me:hu:s@h@[::1]:6379/0?x=1", "rediss://me:***@[::1]:6379/0?x=1"),
        ("unix:///run/r.sock?password=hush&db=1", "unix:///run/r.sock?password=***&db=1"),
        ("s3://bucket/a?aws_secret_access_key=hush", "s3://bucket/a?aws_secret_access_key=***"),
        ("/srv/archive", "/srv/archive"),
    ],
)
def test_masked(url: str, shown: str) -> None:
    """No password of a URL is shown."""
    assert shown == masked(url)


def test_secret_in_rows() -> None:
    """The table that is shown masks the password of the Redis URL."""
    found = resolve({"redis": "redis://:hush@localhost"}, {})
    assert "hush" not in repr(found.rows())


@pytest.mark.parametrize("url", ["redis+cluster://u:hu/sh@h:1", "redis://u:hu/sh@h", "redis:///u:hu/sh@h", "hu/sh"])
def test_secret_in_what_is_no_url(url: str) -> None:
    """Where a password cannot be told from the rest, nothing is shown of it."""
    with pytest.raises(SettingWrong) as wrong:
        resolve({"redis": url}, {})
    assert "hu/" not in str(wrong.value)
    assert "sh@" not in str(wrong.value)


def test_from_file(tmp_path: Path) -> None:
    """A secret may be in a file that a variable names; the variable with the value itself wins over it."""
    file = tmp_path / "redis_url"
    file.write_text("redis://:hush@localhost\n")
    environ = {"FAIRDEAL_REDIS_FILE": str(file)}
    from_file, direct = resolve({}, environ), resolve({}, {**environ, "FAIRDEAL_REDIS": "redis://other"})
    assert (from_file.settings.redis, from_file.sources["redis"]) == ("redis://:hush@localhost", Source.FILE)
    assert (direct.settings.redis, direct.sources["redis"]) == ("redis://other", Source.ENVIRONMENT)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (
            "FAIRDEAL_REDIS_FILE",
            None,
            "should name a file that can be read, and FILE cannot: No such",
        ),
        ("FAIRDEAL_REDIS_FILE", b" \n", "FAIRDEAL_REDIS_FILE should name a file that holds a value, and FILE is empty"),
        ("FAIRDEAL_REDIS_FILE", b"\xff\xfe", "and FILE cannot: it is not text"),
        ("FAIRDEAL_PORT_FILE", b"70000", "FAIRDEAL_PORT_FILE should be a whole number from 0 to 65535, and is 70000"),
        ("FAIRDEAL_PROT_FILE", b"80", "There is no setting FAIRDEAL_PROT_FILE; the nearest is FAIRDEAL_PORT"),
    ],
    ids=["missing", "empty", "not text", "out of range", "misspelt"],
)
def test_wrong_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes | None, sentence: str
) -> None:
    """A file that gives no fit value is refused with the variable that names it."""
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("FILE").write_bytes(content)
    with pytest.raises(SettingWrong) as caught:
        resolve({}, {name: "FILE"})
    assert sentence in str(caught.value)


def test_every_setting_explained() -> None:
    """Every setting has a meaning, a range and a variable of its own."""
    rows = resolve(environ={}).rows()
    assert all(row.meaning and row.range for row in rows)
    assert [variable(row.name) for row in rows] == [row.variable for row in rows]
