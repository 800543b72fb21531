"""The examples of docs/python.md, run one after the other as they stand there."""

import re
from pathlib import Path
from typing import Any

import pytest

import muniment.deletion

_PAGE = Path(__file__).parents[3] / "docs" / "python.md"
_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_the_examples_do_what_the_page_says(
    admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(muniment.deletion, "CACHE_SECONDS", 0.0)  # no other process knows a key of the new tenant
    for name, value in (("DATABASE_URL", admin_url), ("EMBEDDING_PROVIDER", "none"), ("POOL_SIZE", "4")):
        monkeypatch.setenv(f"MUNIMENT_{name}", value)
    seen: dict[str, Any] = {}
    blocks = _BLOCK.findall(_PAGE.read_text(encoding="utf-8"))
    try:
        for block in blocks:
            exec(block, seen)
    finally:
        if "memory" in seen:
            seen["memory"].close()
    printed = capsys.readouterr().out
    assert len(blocks) == 3
    assert "Liam Vance" in seen["result"].answer
    assert "record.not_found" in printed and "sql_login.drop" in printed
    assert seen["key"].secret.startswith("mun_") and seen["desk"].secret is None
    assert seen["receipt"].export_sha256 == seen["kept"].sha256
    assert not any(seen[name].secret in repr(seen[name]) for name in ("key", "client", "acme"))


def test_the_page_names_every_method_and_no_other() -> None:
    from muniment import AsyncMuniment

    table = _PAGE.read_text(encoding="utf-8").partition("| about |")[2].partition("\n\n")[0]
    methods = {name for name in dir(AsyncMuniment) if not name.startswith("_")}
    assert set(re.findall(r"`(\w+)`", table)) == methods - {"open", "connect", "start", "close"}
