"""An image inside a document is found by what a model says that it shows, and the hit leads to the image."""

import asyncio
import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import SecretStr

from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import Source, SourceInput
from muniment.settings import Settings
from scripted_endpoint import Reply, Said, ScriptedEndpoint

_FIXTURES = Path(__file__).parents[2] / "conformance" / "sources" / "fixtures"
_SEEN = {
    "description": "Two chimneys on a slate roof.",
    "visible_text": "",
    "tables": [],
    "charts": [],
    "relations": [],
}
_LAMP = _SEEN | {"description": "A lamp beside a door."}


def _sees(request: dict[str, Any]) -> Reply:
    """What is on each image: were both described alike, a search would return one of them, whichever came first."""
    return Said(json.dumps(_LAMP if "image/jpeg" in json.dumps(request) else _SEEN))


def _fixtures(name: str) -> ModuleType:
    spec = spec_from_file_location(f"figures_of_{name}", _FIXTURES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def _described(memory: LocalMuniment, key: str) -> Source:
    """The source of this key once it was described; jobs run meanwhile."""
    for _ in range(400):
        found = {source.source_key: source for source in await memory.sources()}
        if key in found and found[key].extraction["vision"].facts:
            return found[key]
        await asyncio.sleep(0.05)
    raise AssertionError(found)


async def test_an_image_in_a_document_is_found_by_what_it_shows(admin_url: str, tmp_path: Path) -> None:
    file = tmp_path / "letters.docx"
    file.write_bytes(_fixtures("docx").figures())
    key = "letters.docx!/word/media/roof.png"
    with ScriptedEndpoint(_sees) as server:
        settings = Settings(
            database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
            vision="model", vision_model="scripted", vision_url=server.url, job_poll=0.1,
        )  # fmt: skip
        async with LocalMuniment(settings, Namespace()) as memory:
            run = await memory.ingest([SourceInput(kind="file", path=file)])
            states = {item.source_key: item.state for item in run.items}
            assert states[key] == "stored" and len(states) == 3
            image = await _described(memory, key)
            document = next(each for each in await memory.sources() if each.source_key == "letters.docx")
            assert image.parent_id == document.id
            found = await memory.search("chimneys on slate")
            assert not found.partial, found.notes
            hit = next((each for each in found.hits if each.source_key == key), None)
            assert hit is not None, found
            assert hit.text == "Two chimneys on a slate roof." and hit.source_id == image.id
            place = {"figure": 1, "part": "body", "describes": "description", "filename": "roof.png"}
            assert {name: hit.locator[name] for name in place} == place
            assert hit.metadata["derived_by"].startswith("vision:openai:scripted:")
            assert await memory.content(hit.source_id) == _fixtures("docx").picture("red")
            shown = await memory.preview(hit.record_id)
            assert not shown.exact and shown.text == hit.text
            assert (await memory.extract("vision")).records == 0
            again = await memory.ingest([SourceInput(kind="file", path=file)])
            assert [item.state for item in again.items] == ["unchanged"]


async def test_without_a_vision_model_images_are_kept_and_can_be_described_later(
    admin_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "roof.png"
    file.write_bytes(_fixtures("docx").picture("red"))
    plain = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        job_poll=0.1,
    )  # fmt: skip
    async with LocalMuniment(plain, Namespace()) as memory:
        await memory.ingest([SourceInput(kind="file", path=file)])
        assert "vision" not in (await memory.sources())[0].extraction
        with pytest.raises(Exception, match="MUNIMENT_VISION"):
            await memory.extract("vision")
    with ScriptedEndpoint(_sees) as server:
        changes = {"vision": "model", "vision_model": "scripted", "vision_url": server.url}
        async with LocalMuniment(plain.model_copy(update=changes), Namespace()) as memory:
            assert (await memory.extract("vision")).records == 1
            await _described(memory, "roof.png")
