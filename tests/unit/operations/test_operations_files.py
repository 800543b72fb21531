"""What lies in ``ops/`` and ``docker/`` can be used: it parses, and speaks of metrics and settings that there are."""

import configparser
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose
from promql_parser import parse

from muniment.settings import Settings
from muniment.telemetry.metrics import REGISTRY

ROOT = Path(__file__).resolve().parents[3]
ALERTS = yaml.safe_load((ROOT / "ops/prometheus/alerts.yml").read_text())
DASHBOARD = json.loads((ROOT / "ops/grafana/dashboards/muniment.json").read_text())
COMPOSE = (ROOT / "docker/compose.yaml").read_text()
OTHERS = {"up", "process_resident_memory_bytes", "process_cpu_seconds_total"}


def _expressions() -> list[str]:
    rules = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
    return rules + [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


def _known() -> dict[str, set[str]]:
    """The labels of each series that a process of ours shows."""
    known: dict[str, set[str]] = {}
    for collector in set(REGISTRY._collector_to_names):
        labels = set(getattr(collector, "_labelnames", ()))
        for name in REGISTRY._collector_to_names[collector]:
            known[name] = labels | ({"le"} if name.endswith("_bucket") else set())
    return known


@pytest.mark.parametrize("expression", sorted(set(_expressions())))
def test_expressions_parse_and_ask_for_metrics_and_labels_that_there_are(expression: str) -> None:
    plain = expression.replace("$__rate_interval", "5m").replace("$instance", ".*")
    parse(plain)
    known = _known()
    words = re.sub(r'"[^"]*"|\{[^}]*\}|\b(by|without) \([^)]*\)', "", plain)
    names = set(re.findall(r"\b(?:muniment|process)_\w+|\bup\b", words))
    assert names and names <= known.keys() | OTHERS
    wanted = set(re.findall(r"(\w+)=~?\"", plain))
    for group in re.findall(r"\bby \(([^)]*)\)", plain):
        wanted |= {label.strip() for label in group.split(",")}
    given = {"instance", "job"}.union(*(known.get(name, set()) for name in names))
    assert wanted <= given


def test_every_alert_says_how_bad_it_is_and_what_to_do() -> None:
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) >= 6
    for rule in rules:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "description"} and rule["for"]


def test_panels_have_their_own_ids_and_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken and max(x for x, _ in cells) < 24, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def _compose() -> Any:
    filled = re.sub(r"\$\{(\w+)[^}]*\}", r"value-of-\1", COMPOSE)
    read = yaml.safe_load(filled)
    return {name: value for name, value in read.items() if not name.startswith("x-")}


def test_the_compose_file_follows_the_compose_specification() -> None:
    compose = _compose()
    checked = PyCompose.from_json(json.dumps(compose))
    checked.validate()
    assert set(checked.service_names()) == {"api", "worker", "postgres", "valkey", "prometheus", "grafana"}
    for name, service in compose["services"].items():
        assert ":" in service["image"], name
        assert all(str(port).startswith("127.0.0.1:") for port in service.get("ports", [])), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            inside = source.startswith(".") and (ROOT / "docker" / source).resolve().is_relative_to(ROOT)
            assert source in compose["volumes"] or (inside and (ROOT / "docker" / source).exists()), volume


def test_the_compose_specification_is_checked_at_all() -> None:
    wrong = _compose()
    wrong["services"]["api"]["ports_"] = ["1:1"]
    with pytest.raises(Exception, match="ports_"):
        PyCompose.from_json(json.dumps(wrong))


def test_compose_and_image_name_settings_that_there_are() -> None:
    text = COMPOSE + (ROOT / "docker/Dockerfile").read_text() + (ROOT / "ops/pgbouncer/pgbouncer.ini").read_text()
    named = set(re.findall(r"MUNIMENT_([A-Z_]+)", text))
    assert named and {name.lower() for name in named} <= set(Settings.model_fields)
    scraped = yaml.safe_load((ROOT / "ops/prometheus/prometheus.yml").read_text())["scrape_configs"][0]
    targets = [target for each in scraped["static_configs"] for target in each["targets"]]
    port = _compose()["services"]["api"]["environment"]["MUNIMENT_METRICS_PORT"]
    assert targets == [f"api:{port}", f"worker:{port}"]


def test_the_image_is_built_from_files_that_there_are_and_lint_finds_nothing() -> None:
    dockerfile = ROOT / "docker/Dockerfile"
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, "--no-color", dockerfile], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    sent = set((ROOT / ".dockerignore").read_text().split()) - {"*", "**/__pycache__"}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile.read_text(), re.MULTILINE)
    files = {name for line in copied for name in line.split()}
    assert {f"!{name}" for name in files} == sent
    assert all((ROOT / name).exists() for name in files)


def test_pgbouncer_pools_by_transaction_and_outlasts_our_own_limits() -> None:
    read = configparser.ConfigParser(comment_prefixes=(";",))
    read.read(ROOT / "ops/pgbouncer/pgbouncer.ini")
    pool = read["pgbouncer"]
    assert pool["pool_mode"] == "transaction"
    assert float(pool["query_timeout"]) > Settings.model_fields["write_timeout"].default
