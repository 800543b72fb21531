"""Documents and tables go in as files, are found by their words and fields, and cite the place that they stand in."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from pydantic import SecretStr

from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.settings import Settings
from muniment.sources.registry import find_format
from muniment.sources.trees.files import collect_files

_FIXTURES = Path(__file__).parents[2] / "conformance" / "sources" / "fixtures"


def _made(format_name: str, fixture: str) -> bytes:
    spec = spec_from_file_location(f"made_{format_name}", _FIXTURES / f"{format_name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    data: bytes = module.FIXTURES[fixture]()
    return data


@pytest.fixture
def store_settings(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )


async def test_hits_in_files_of_every_kind_cite_where_they_stand(store_settings: Settings, tmp_path: Path) -> None:
    files = {"findings.pdf": ("pdf", "report"), "letters.docx": ("docx", "report"), "budget.xlsx": ("xlsx", "budget")}
    folder = tmp_path / "files"
    folder.mkdir()
    for name, made in files.items():
        (folder / name).write_bytes(_made(*made))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    questions = {
        "findings.pdf": ("examination of the cellar", {"page": 1, "heading": ["Findings"]}),
        "letters.docx": ("letters of 1911", {"part": "footnotes", "paragraphs": [1, 1]}),
        "budget.xlsx": ("Spade 42 price", {"sheet": "Budget", "header": "A3:E3"}),
    }
    async with LocalMuniment(store_settings, Namespace()) as memory:
        run = await memory.ingest(collect_files(folder).sources)
        states = {item.source_key: item.error.code if item.error else item.state for item in run.items}
        assert states == {name: "stored" for name in files} | {"broken.pdf": "source.damaged"}
        for name, (question, place) in questions.items():
            hits = (await memory.search(question)).hits
            found = next(hit for hit in hits if hit.locator["filename"] == name)
            assert {key: found.locator[key] for key in place} == place
            chosen = find_format(None, name)
            assert chosen is not None and chosen.locate is not None
            assert chosen.locate((folder / name).read_bytes(), found.locator) == found.text
