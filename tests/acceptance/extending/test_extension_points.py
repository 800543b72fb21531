"""The examples of docs/extending.md, written and registered as it says, in a copy of the source tree."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(r"```python\n# (\S+)\n(.*?)```", re.DOTALL)
_REGISTERED = {
    "routes/registry.py": [
        ("import bridge,", "import latest, bridge,"),
        ("    graph.ROUTE,", "    latest.ROUTE,\n    graph.ROUTE,"),
    ],
    "ranking/registry.py": [
        ("import coverage,", "import fused, coverage,"),
        ("(coverage.RANKING,", "(fused.RANKING, coverage.RANKING,"),
    ],
    "planning/registry.py": [
        ("import rules", "import plain, rules"),
        ('{"rules"', '{"plain": plain.plan, "rules"'),
    ],
}
_USE = """
import sys, tempfile
from muniment import Muniment
with tempfile.TemporaryDirectory() as place, Muniment.open(place) as memory:
    memory.ingest({"kind": "text", "text": "Atlas is led by Priya.", "source_key": "a"})
    memory.ingest({"kind": "text", "text": "Borealis is led by Noor.", "source_key": "b"})
    memory.put_profile("mine", {"ranking": "fused", "planner": "plain", "fusion": {"weights": {"latest": 0.5}}})
    found = memory.search("Who leads Atlas?", profile="mine")
    without = memory.search("Who leads Atlas?", profile="mine", without=["latest"])
    run = memory.query_run(found.query_id)
    memory.explain(found.query_id)
    again = memory.replay(found.query_id)
    print("with", *sorted({route for hit in found.hits for route in hit.routes}))
    print("without", *sorted({route for hit in without.hits for route in hit.routes}))
    reasons = {each.reason for each in again.differences} - {"derived", "edges"}  # derived while it was asked
    print(run.profile, [stage.decision for stage in run.stages if stage.name == "latest"], sorted(reasons))
"""


def test_a_route_a_ranking_and_a_planner_are_one_file_and_one_registration_each(tmp_path: Path) -> None:
    for name in ("src", "sql", "migrations"):
        shutil.copytree(_ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    examples = _BLOCK.findall((_ROOT / "docs" / "extending.md").read_text(encoding="utf-8"))
    assert len(examples) == len(_REGISTERED)
    for path, code in examples:
        assert not (tmp_path / path).exists()
        (tmp_path / path).write_text(code, encoding="utf-8")
    for name, changes in _REGISTERED.items():
        registry = tmp_path / "src" / "muniment" / "retrieval" / name
        text = registry.read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        registry.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _USE], capture_output=True, text=True, timeout=300, check=False,
        env={"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    used, left, run = done.stdout.strip().splitlines()
    assert "latest" in used.split() and "latest" not in left.split() and len(left.split()) > 1
    assert run == "mine ['2 found'] []"
