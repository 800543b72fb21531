"""What every format keeps to, on the fixtures of ``fixtures/<name of the format>.py``.

Such a module gives ``FIXTURES`` and ``HOSTILE``: functions that make the bytes, by a name that becomes the file's name
(with the format's first extension where it has none of its own). What the chunks must hold it says by ``COVERS``, a
function from the bytes to the text that the chunks are to cover in order, or by ``SAYS``, phrases by fixture. Where a
format has no white space of its own, ``FOLDS_SPACE = True`` compares without it. ``PARTS`` says by fixture which
sources are inside: their keys, places and titles.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.format import Format
from muniment.sources.parsed import Chunk
from muniment.sources.registry import BUILT_IN, formats

_FIXTURES = Path(__file__).parent / "fixtures"
_LIMITS = {
    "parse_memory": 1024**3,
    "parse_cpu_seconds": 20,
    "parse_seconds": 60,
    "max_expanded_bytes": 64 * 1024**2,
    "max_source_items": 10_000,
}
_SIZES = (200, 1200)


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name)


@cache
def _module(slug: str) -> ModuleType | None:
    path = _FIXTURES / f"{slug}.py"
    spec = spec_from_file_location(f"fixtures_of_{slug}", path)
    if spec is None or spec.loader is None or not path.exists():
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _cases(kind: str, named: str | None = None) -> Iterator[Any]:
    """The cases of a kind; with ``named`` those that this member of their module names."""
    for each in formats():
        module = _module(_slug(each.name))
        for name, make in getattr(module, kind, {}).items():
            if named is not None and name not in getattr(module, named, {}):
                continue
            yield pytest.param(each, module, name, make, id=f"{_slug(each.name)}-{name}")


def _filename(chosen: Format, name: str) -> str:
    return name if "." in name else name + (*chosen.extensions, "")[0]


def _read(chosen: Format, name: str, data: bytes, chunk_characters: int = 1200) -> Parsed:
    return read_source(
        data, kind="file", filename=_filename(chosen, name), media_type=chosen.media_types[0], source_key="key",
        settings=Settings(chunk_characters=chunk_characters, **_LIMITS),
    )  # fmt: skip


def _folded(text: str) -> str:
    return "".join(text.split())


def _own_text(chunk: Chunk) -> str:
    """The text of a chunk without the header of a table that it repeats."""
    if "header" not in chunk.locator or "chars" not in chunk.locator:
        return chunk.text
    start, end = chunk.locator["chars"]
    return chunk.text[start - end :]


@pytest.mark.parametrize("chosen", BUILT_IN, ids=lambda each: _slug(each.name))
def test_a_format_locates_and_has_fixtures(chosen: Format) -> None:
    module = _module(_slug(chosen.name))
    assert chosen.locate is not None
    assert module is not None and module.FIXTURES and module.HOSTILE
    assert hasattr(module, "COVERS") or set(module.SAYS) == set(module.FIXTURES)


@pytest.mark.parametrize(("chosen", "module", "name", "make"), list(_cases("FIXTURES")))
def test_every_locator_leads_to_its_chunk(
    chosen: Format, module: ModuleType, name: str, make: Callable[[], bytes]
) -> None:
    data, fold = make(), _folded if getattr(module, "FOLDS_SPACE", False) else str
    assert chosen.locate is not None
    for size in _SIZES:
        for chunk in _read(chosen, name, data, size).chunks:
            locator = json.loads(json.dumps(chunk.locator))  # as the store gives it back
            by_place = {key: value for key, value in locator.items() if key != "chunk"}
            assert fold(chosen.locate(data, by_place)) == fold(chunk.text)


@pytest.mark.parametrize(("chosen", "module", "name", "make"), list(_cases("FIXTURES")))
def test_chunks_hold_what_the_source_says(
    chosen: Format, module: ModuleType, name: str, make: Callable[[], bytes]
) -> None:
    data = make()
    for size in _SIZES:
        chunks = _read(chosen, name, data, size).chunks
        texts = [chunk.text for chunk in chunks]
        if hasattr(module, "COVERS"):
            assert _folded("".join(map(_own_text, chunks))) == _folded(module.COVERS(data))
        for phrase in getattr(module, "SAYS", {}).get(name, ()):
            assert any(_folded(phrase) in _folded(text) for text in texts), phrase


@pytest.mark.parametrize(("chosen", "module", "name", "make"), list(_cases("FIXTURES")))
def test_the_same_bytes_give_the_same_chunks(
    chosen: Format, module: ModuleType, name: str, make: Callable[[], bytes]
) -> None:
    data = make()
    first, again = _read(chosen, name, data), _read(chosen, name, data)
    assert first.chunks and first.chunks == again.chunks and first.notes == again.notes
    assert [chunk.locator["chunk"] for chunk in first.chunks] == list(range(len(first.chunks)))
    for chunk in first.chunks:
        assert chunk.text.strip() and "\0" not in chunk.text
        assert chunk.locator["source_key"] == "key" and all(isinstance(word, str) for word in chunk.fields.values())
        json.dumps([chunk.text, chunk.locator], allow_nan=False).encode()
        chunk.text.encode()
    keys = [part.key for part in first.parts]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("chosen", "module", "name", "make"), list(_cases("FIXTURES", "PARTS")))
def test_images_inside_are_parts_that_say_where_they_stand(
    chosen: Format, module: ModuleType, name: str, make: Callable[[], bytes]
) -> None:
    parts = _read(chosen, name, make()).parts
    assert [(part.key, dict(part.place), part.title) for part in parts] == module.PARTS[name]
    for part in parts:
        inside = read_source(
            part.data, kind="file", filename=part.filename, media_type=part.media_type, source_key=f"key!/{part.key}",
            settings=Settings(**_LIMITS), title=part.title, around=part.place,
        )  # fmt: skip
        assert inside.modality == "image" and inside.chunks
        for chunk in inside.chunks:
            assert {name: chunk.locator[name] for name in part.place} == part.place


@pytest.mark.parametrize(("chosen", "module", "name", "make"), list(_cases("HOSTILE")))
def test_a_hostile_source_ends_in_a_result_or_an_error(
    chosen: Format, module: ModuleType, name: str, make: Callable[[], bytes]
) -> None:
    started = time.process_time()
    try:
        parsed = _read(chosen, name, make())
    except MunimentError as error:
        assert error.code.startswith(("input.", "source."))
    else:
        assert all(chunk.text.strip() for chunk in parsed.chunks)
    assert time.process_time() - started < 2 * _LIMITS["parse_cpu_seconds"]
