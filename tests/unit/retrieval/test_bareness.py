"""Which records are no more than a heading or the header of a table."""

from typing import Any
from uuid import UUID

import pytest

from muniment.retrieval.answer.bareness import bareness
from muniment.retrieval.state import Candidate, Evidence


def _evidence(text: str, **locator: Any) -> Evidence:
    return Evidence(
        candidate=Candidate(1, 1, 1.0, 1.0), record_id=UUID(int=1), text=text, locator=locator, source_id=UUID(int=1),
        source_key="k", source_version=1, group_key="g", position=0, speaker=None, role=None, at=None, metadata={},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "locator", "what"),
    [
        ("# Opening hours", {}, "only_heading"),
        ("# Opening hours\n\n## Monday", {}, "only_heading"),
        ("Opening hours", {"heading": ["Museum", "Opening hours"]}, "only_heading"),
        ("# Staff\n\n| name | role |\n|---|---|", {}, "only_header"),
        ("name,birthday,dish", {"rows": [1, 1], "lines": [1, 1]}, "only_header"),
        ("name\tbirthday", {"sheet": "S", "cells": "A1:B1"}, "only_header"),
        ("# Opening hours\n\nFrom 9 to 5.", {"heading": ["Opening hours"]}, None),
        ("| Otto | driver |", {}, None),
        ("| name | role |\n|---|---|\n| Otto | driver |", {}, None),
        ("name,age\nOtto,33", {"rows": [2, 2], "header": [1, 1]}, None),
        ("lamp,20,red", {"rows": [1, 1]}, None),
        ("Otto,driver", {"rows": [2, 2], "header": [1, 1]}, None),
        ("It is open.", {"heading": []}, None),
        ("#1 is open.", {}, None),
        ("", {}, None),
    ],
)
def test_a_record_that_says_nothing_by_itself(text: str, locator: dict[str, Any], what: str | None) -> None:
    assert bareness(_evidence(text, **locator)) == what
