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


def test_prometheus_finds_every_container_of_the_processes_however_many_there_are() -> None:
    (scraped,) = yaml.safe_load((ROOT / "ops/prometheus/prometheus.yml").read_text())["scrape_configs"]
    (found,) = scraped["dns_sd_configs"]  # a fixed name is one target, whose address changes from scrape to scrape
    services = _compose()["services"]
    told = {name for name, each in services.items() if "MUNIMENT_METRICS_PORT" in (each.get("environment") or {})}
    assert set(found["names"]) == told == {"api", "worker"} and found["type"] == "A"
    assert {str(found["port"])} == {services[name]["environment"]["MUNIMENT_METRICS_PORT"] for name in told}
    assert "static_configs" not in scraped


def test_the_table_by_table_plan_names_every_table_that_there_is() -> None:
    schema = (ROOT / "sql/schema.sql").read_text()
    there = set(re.findall(r"^create table (?:only )?(muniment\w*\.\w+)", schema, re.MULTILINE | re.IGNORECASE))
    assert len(there) > 60
    spread = (ROOT / "ops/scaling.md").read_text()
    rows = [line.split("|")[1] for line in spread.splitlines() if line.startswith("| `")]
    named = {each.rpartition(".")[2] for row in rows for each in re.findall(r"`([\w.]+)`", row)}
    auth = {name for name in there if name.startswith("muniment_auth.")}  # told of as a whole
    assert sorted(name for name in there - auth if name.rpartition(".")[2] not in named) == []
    tables = {name.rpartition(".")[2] for name in there}
    assert sorted(name for name in named if name not in tables and name != "muniment_auth") == []


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
