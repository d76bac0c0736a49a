"""What an installation is made of: each file is read by the program it is for, or by that program's own checker."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from server.settings import resolve
from server.watch.metrics import Metrics
from tests.needs import needs

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OVERLAY = DEPLOY / "kubernetes" / "overlays" / "one-redis"
MANIFESTS = sorted((DEPLOY / "kubernetes").rglob("*.yaml"))
UNITS = sorted((DEPLOY / "systemd").iterdir())
EXPOSURE = 2.0
"""The most that systemd's own measure of a unit's exposure may be, of 10."""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command to its end and return what it said; it must end well."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tool(name: str) -> Path:
    """A command that was installed beside this Python."""
    return Path(sys.executable).with_name(name)


def test_dockerfile() -> None:
    """The image's recipe has no finding, runs as nobody in particular, and asks the node how it is."""
    recipe = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    run(tool("hadolint"), DEPLOY / "Dockerfile")
    assert re.search(r"^USER 10001:10001$", recipe, re.MULTILINE)
    assert "HEALTHCHECK" in recipe
    copied = {source for line in re.findall(r"^COPY (?!--)(.*) \S+$", recipe, re.MULTILINE) for source in line.split()}
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == allowed
    assert all((ROOT / source).exists() for source in copied)


def test_compose() -> None:
    """The compose file has the shape that its specification asks for, and mounts only what is there or is made."""
    run(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    mounted = [volume for service in services.values() for volume in service.get("volumes", ()) if volume[0] == "."]
    assert mounted
    missing = [source for source in (volume.split(":")[0] for volume in mounted) if not (DEPLOY / source).exists()]
    assert {"./secrets/users.acl"} >= set(missing)


def documents(text: str) -> Iterator[dict[str, Any]]:
    """The documents of a YAML text."""
    yield from (document for document in yaml.safe_load_all(text) if document)


def test_kubernetes(tmp_path: Path) -> None:
    """Every object is one that the cluster's own schema takes, strictly; where kubectl is, rendered by it."""
    plain = [manifest for manifest in MANIFESTS if manifest.name != "kustomization.yaml"]
    run(tool("kubernetes-validate"), "--strict", "--quiet", *plain)
    if shutil.which("kubectl"):
        copied = tmp_path / "deploy"
        shutil.copytree(DEPLOY, copied, ignore=shutil.ignore_patterns("secrets"))
        run(
            "sh",
            copied / "new-secrets",
            "--redis",
            "fairdeal-redis:6379",
            copied / OVERLAY.relative_to(DEPLOY) / "secrets",
        )
        rendered = tmp_path / "rendered.yaml"
        rendered.write_text(run("kubectl", "kustomize", copied / OVERLAY.relative_to(DEPLOY)))
        run(tool("kubernetes-validate"), "--strict", "--quiet", rendered)
        kinds = [document["kind"] for document in documents(rendered.read_text())]
        assert {"Deployment", "StatefulSet", "PodDisruptionBudget", "NetworkPolicy", "Ingress"} <= set(kinds)


def test_kustomizations() -> None:
    """A kustomization lists every file beside it, and none that is not there but the secrets that are made."""
    for path in (DEPLOY / "kubernetes").rglob("kustomization.yaml"):
        named = set(yaml.safe_load(path.read_text())["resources"])
        beside = {other.name for other in path.parent.glob("*.yaml")} - {path.name}
        assert {name for name in named if "/" not in name} == beside, path
        assert all((path.parent / name).exists() for name in named)


@needs("systemd-analyze")
def test_units(tmp_path: Path) -> None:
    """systemd takes each unit as it is, and measures that it is exposed to little."""
    for unit in UNITS:
        text = re.sub(r"^ExecStart=(?:\S+)", f"ExecStart={shutil.which('true')}", unit.read_text(), flags=re.MULTILINE)
        (tmp_path / unit.name).write_text(text)
    paths = [tmp_path / unit.name for unit in UNITS]
    assert run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *paths) == ""
    for path in paths:
        found = re.search(
            r"exposure level for \S+: ([0-9.]+)", run("systemd-analyze", "security", "--offline=true", path)
        )
        assert found is not None
        assert float(found[1]) <= EXPOSURE, path.name


def test_variables_are_settings() -> None:
    """Every FAIRDEAL_ variable that a file sets is a setting of the code, or a file that holds one."""
    known = {row.variable for row in resolve(environ={}).rows()}
    of_files = {"FAIRDEAL_USER", "FAIRDEAL_SERVER"}  # Of compose.yaml and of the worker's unit themselves.
    paths = [DEPLOY / "Dockerfile", DEPLOY / "compose.yaml", *MANIFESTS, *UNITS]
    used = {name for path in paths for name in re.findall(r"\bFAIRDEAL_[A-Z_]+\b", path.read_text())}
    assert {name.removesuffix("_FILE") for name in used - of_files} - known == set()


@needs("promtool")
def test_alerts() -> None:
    """Prometheus takes its configuration and rules, and the rules fire when they are to and not before."""
    folder = DEPLOY / "prometheus"
    run("promtool", "check", "config", "prometheus.yml", cwd=folder)
    run("promtool", "check", "rules", "alerts.yml", cwd=folder)
    run("promtool", "test", "rules", "alerts_test.yml", cwd=folder)


def series() -> set[str]:
    """The names of all series that a node can have."""
    metrics = Metrics()
    names = {
        sample + suffix
        for family in metrics.registry.collect()
        for sample in [family.name]
        for suffix in {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(family.type, ("",))
    }
    return names | {"up"}


def used_series(expression: str) -> set[str]:
    """The names of series in an expression of Prometheus."""
    return set(re.findall(r"\b(fairdeal_[a-z_]+|up)\b", re.sub(r"{[^}]*}|\"[^\"]*\"", "", expression)))


def test_dashboard_and_alerts_name_what_is_counted() -> None:
    """Every metric of the dashboard and of the alerts exists."""
    dashboard = json.loads((DEPLOY / "grafana" / "fairdeal.json").read_text())
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"][0]["rules"]
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    expressions += [rule["expr"] for rule in rules]
    assert len(expressions) > 30
    assert {name for expression in expressions for name in used_series(expression)} - series() == set()


def test_runbook_has_each_alert() -> None:
    """Whoever is woken by an alert finds its name in the runbook."""
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"][0]["rules"]
    runbook = (DEPLOY / "RUNBOOK.md").read_text(encoding="utf-8")
    assert [rule["alert"] for rule in rules if f"### {rule['alert']}" not in runbook] == []


def test_new_secrets(tmp_path: Path) -> None:
    """Secrets are made once, in the shape that their readers expect, only the owner's, and never over others."""
    from server.store.keyring import open_key_ring

    copied = tmp_path / "deploy"
    shutil.copytree(DEPLOY, copied, ignore=shutil.ignore_patterns("secrets"))
    run("sh", copied / "new-secrets", "--redis", "127.0.0.1:7000")
    secrets = copied / "secrets"
    url = (secrets / "redis_url").read_text().strip()
    assert resolve({}, {"FAIRDEAL_REDIS_FILE": str(secrets / "redis_url")}).settings.redis == url
    assert re.fullmatch(r"redis://fairdeal:[0-9a-f]{64}@127\.0\.0\.1:7000/0", url)
    assert open_key_ring(secrets / "keyring.json").current
    assert url.split(":")[2].split("@")[0] not in (secrets / "users.acl").read_text()
    assert {(secrets / name).stat().st_mode & 0o777 for name in ("redis_url", "keyring.json")} == {0o600}
    again = subprocess.run(["sh", copied / "new-secrets"], capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert "has secrets already" in again.stderr
    assert (secrets / "redis_url").read_text().strip() == url


def test_new_secrets_of_what_sentinels_watch(tmp_path: Path) -> None:
    """Every password that one file asks for is known to another as the digest of the same; addresses are checked."""
    copied = tmp_path / "deploy"
    shutil.copytree(DEPLOY, copied, ignore=shutil.ignore_patterns("secrets"))
    command = ["sh", copied / "new-secrets", "--redis", "10.0.0.1:6379", "--sentinels"]
    run(*command, "10.0.0.1:26379,10.0.0.2:26379,10.0.0.3:26379")
    secrets = copied / "secrets"
    url = (secrets / "redis_url").read_text().strip()
    assert resolve({}, {"FAIRDEAL_REDIS": url}).settings.redis == url
    sentinel, replication = [(secrets / name).read_text() for name in ("sentinel.conf", "replication.conf")]
    assert "sentinel monitor fairdeal 10.0.0.1 6379 2" in sentinel
    found = re.findall(
        r"auth-pass fairdeal (\w{64})|masterauth (\w{64})|fairdeal:(\w{64})@", sentinel + replication + url
    )
    passwords = {"".join(one) for one in found}
    acl = (secrets / "users.acl").read_text()
    assert set(re.findall(r"#(\w{64})", acl)) == {hashlib.sha256(one.encode()).hexdigest() for one in passwords}
    assert url.rpartition("sentinel_password=")[2] in sentinel
    assert not re.search(r"[A-Z]+_(PASSWORD|SHA256|HOST|PORT)|QUORUM", sentinel + replication + acl)
    one_only = subprocess.run(
        [*command, "10.0.0.1:26379", tmp_path / "more"], capture_output=True, text=True, check=False
    )
    assert one_only.returncode == 2
    assert "of three or more, found '10.0.0.1:26379'" in one_only.stderr


def test_scripts_may_do_what_they_do() -> None:
    """Each command that a script of the server's sends is one that its user may send."""
    sources = [*ROOT.glob("server/**/*.py"), *ROOT.glob("server/**/*.lua")]
    called = {name for source in sources for name in re.findall(r"redis\.call\('(\w+)'", source.read_text())}
    allowed = set((DEPLOY / "redis" / "users.acl").read_text().split())
    assert len(called) > 20
    assert [name for name in called if f"+{name.lower()}" not in allowed] == []


def test_new_secrets_of_a_cluster(tmp_path: Path) -> None:
    """Each user has one line, which holds what a cluster needs too; the operator's password is in a file of its own."""
    copied = tmp_path / "deploy"
    shutil.copytree(DEPLOY, copied, ignore=shutil.ignore_patterns("secrets"))
    run("sh", copied / "new-secrets", "--cluster", "10.0.0.1:6379,10.0.0.2:6379")
    secrets = copied / "secrets"
    url, operator = ((secrets / name).read_text().strip() for name in ("redis_url", "operator_password"))
    assert resolve({}, {"FAIRDEAL_REDIS": url}).settings.redis == url
    acl, conf = ((secrets / name).read_text() for name in ("users.acl", "cluster.conf"))
    assert [line.split()[1] for line in acl.splitlines()] == ["default", "fairdeal", "replica", "operator"]
    passwords = re.findall(r"masterauth (\w{64})|fairdeal:(\w{64})@", conf + url)
    digests = {hashlib.sha256(one.encode()).hexdigest() for one in ["".join(two) for two in passwords] + [operator]}
    assert set(re.findall(r"#(\w{64})", acl)) == digests
    assert {"+xadd", "+asking", "+ssubscribe"} <= set(acl.splitlines()[1].split())
    both = ["sh", copied / "new-secrets", "--cluster", "a:1", "--sentinels", "a:1,b:1,c:1", tmp_path / "more"]
    refused = subprocess.run(both, capture_output=True, text=True, check=False)
    assert (refused.returncode, "found both" in refused.stderr) == (2, True)


def test_threats_name_tests_that_there_are() -> None:
    """Each defence names where it is tested, and that is there."""
    rows = [line for line in (DEPLOY / "THREATS.md").read_text().splitlines() if line.startswith("| ")][1:]
    named = {path for row in rows for path in re.findall(r"`((?:tests|deploy|\.ci)/[^`]+)`", row.rsplit("|", 2)[1])}
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []
    assert [row for row in rows if "`" not in row.rsplit("|", 2)[1]] == []
