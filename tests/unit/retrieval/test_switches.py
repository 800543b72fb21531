"""What may be switched off: the documentation names each route and stage, and no other."""

import re
from pathlib import Path

import pytest

from muniment.errors import MunimentError
from muniment.retrieval.switches import admit_switches, switches

_ROOT = Path(__file__).parents[3]


def test_the_documentation_explains_exactly_what_may_be_switched_off() -> None:
    text = (_ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")
    section = text.partition("## Leaving parts out")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(named) == switches()
    assert all(len(row) == 3 and all(cell.strip() for cell in row) for row in rows)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(MunimentError) as caught:
        admit_switches(["lexical", "magic"])
    assert caught.value.facts["known"] == switches()
    assert all(name in caught.value.detail for name in ["'magic'", *switches()])
