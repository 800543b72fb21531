"""The examples of docs/python.md and docs/identity.md, run one after the other as they stand there."""

import re
from pathlib import Path
from typing import Any

import pytest

import muniment.deletion
from muniment import AsyncMuniment

_PAGES = Path(__file__).parents[3] / "docs"
_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
_ENVIRONMENT = {"EMBEDDING_PROVIDER": "none", "EXTRACTION": "off", "SUMMARIES": "off", "POOL_SIZE": "4"}


@pytest.fixture
def place(admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory to work in, with a database of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(muniment.deletion, "CACHE_SECONDS", 0.0)  # no other process knows a key of the new tenant
    for name, value in (_ENVIRONMENT | {"DATABASE_URL": admin_url, "CLOSE_DRAIN": "0"}).items():
        monkeypatch.setenv(f"MUNIMENT_{name}", value)


def _run(page: str) -> dict[str, Any]:
    """What the names of the examples stand for after the last."""
    seen: dict[str, Any] = {}
    try:
        for block in _BLOCK.findall((_PAGES / page).read_text(encoding="utf-8")):
            exec(block, seen)
    finally:
        if "memory" in seen:
            seen["memory"].close()
    return seen


def test_the_page_about_python_does_what_it_says(place: None, capsys: pytest.CaptureFixture[str]) -> None:
    seen = _run("python.md")
    printed = capsys.readouterr().out
    assert "Liam Vance" in seen["result"].answer
    assert "record.not_found" in printed and "sql_login.drop" in printed
    assert seen["key"].secret.startswith("mun_") and seen["desk"].secret is None
    assert seen["receipt"].export_sha256 == seen["kept"].sha256
    assert not any(seen[name].secret in repr(seen[name]) for name in ("key", "client", "acme"))


def test_the_page_about_identity_does_what_it_says(place: None) -> None:
    seen = _run("identity.md")
    assert seen["found"] == {"default": "active", "Second company": "suspended"}
    assert seen["told"][:2] == ["key.create", "tenant.suspend"]


def test_the_page_names_every_method_and_no_other() -> None:
    table = (_PAGES / "python.md").read_text(encoding="utf-8").partition("| about |")[2].partition("\n\n")[0]
    methods = {name for name in dir(AsyncMuniment) if not name.startswith("_")}
    assert set(re.findall(r"`(\w+)`", table)) == methods - {"open", "connect", "start", "close"}
