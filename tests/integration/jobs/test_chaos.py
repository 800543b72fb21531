"""A short run of chaos.py; the long one is for people."""

from pathlib import Path

from chaos import Chaos, wrong_with


async def test_killing_workers_valkey_and_postgresql_loses_no_job_and_doubles_no_effect(tmp_path: Path) -> None:
    report = await Chaos(tmp_path, seed=7).run(8)
    assert wrong_with(report) == []
    assert report.kills.total() >= 5 and report.writes > 0
    assert report.outcomes["embed", "done"] == report.writes
