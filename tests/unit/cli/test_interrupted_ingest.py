"""An ingest that is stopped half way says how far it came, and how to go on."""

from typing import Any

import pytest

from muniment.cli.commands.evidence import _store_sources
from muniment.errors import MunimentError
from muniment.model.source import IngestionRun, SourceInput


class _Lost:
    """A memory whose server is gone from the third request on."""

    def __init__(self) -> None:
        self.asked = 0

    async def ingest(self, batch: list[SourceInput], **options: Any) -> IngestionRun:
        self.asked += 1
        if self.asked == 3:
            raise MunimentError("server.unreachable", "the server cannot be reached")
        return IngestionRun.model_validate(
            {"id": "r_1", "kind": "sources", "state": "succeeded", "namespace": {}, "items": [], "created_at": 0}
        )


async def test_it_says_what_was_sent_and_in_which_run() -> None:
    batch = [SourceInput(kind="text", text=f"Note {number}.") for number in range(2)]
    with pytest.raises(MunimentError) as caught:
        await _store_sources(_Lost(), [batch] * 4, quiet=True)  # type: ignore[arg-type]
    assert caught.value.code == "server.unreachable"
    assert caught.value.facts["run"] == "r_1" and caught.value.facts["sources_sent"] == 4
    assert "same command again" in caught.value.facts["next"]
