"""What documents hold beside their text: comments, headers, charts; and what is only counted."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from muniment.settings import Settings
from muniment.sources import Parsed, read_source


def fixtures(name: str) -> ModuleType:
    path = Path(__file__).parents[2] / f"conformance/sources/fixtures/{name}.py"
    spec = spec_from_file_location(f"fixtures_beside_{name}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(data: bytes, filename: str) -> Parsed:
    return read_source(
        data, kind="file", filename=filename, media_type=None, source_key=filename, settings=Settings()
    )  # fmt: skip


def beside(parsed: Parsed, name: str) -> list[tuple[str, Any]]:
    return [
        (chunk.text, chunk.metadata.get("comment_by")) for chunk in parsed.chunks if chunk.locator.get("part") == name
    ]


def test_comments_of_docx_are_records_of_their_authors() -> None:
    parsed = read(fixtures("docx").beside(), "b.docx")
    told = beside(parsed, "comments")
    assert told[0] == ("Is this true?\nI doubt it.", "Anna") and told[2] == ("By nobody.", None)
    assert [chunk.locator["comment"] for chunk in parsed.chunks if "comment" in chunk.locator] == [1, 2, 3]


def test_what_pages_of_docx_repeat_is_read_once_and_their_numbers_are_not() -> None:
    parsed = read(fixtures("docx").beside(), "b.docx")
    assert beside(parsed, "headers") == [("For members only", None), ("Draft", None)]
    assert beside(parsed, "footers") == [] and "1 charts are left out." in parsed.notes


def test_charts_of_slides_are_tables_and_comments_records_of_their_authors() -> None:
    parsed = read(fixtures("pptx").charted(), "b.pptx")
    tables = [chunk for chunk in parsed.chunks if "table" in chunk.locator]
    assert tables[0].text.startswith("| Roofs | Lamps\nWeek 0 | 0.5\nWeek 1 | 1.5 | 1") and tables[0].locator["box"]
    assert tables[-1].text == "| Heights\n1 | 2\n3.5 | 4" and tables[-1].locator["table"] == 2
    assert all(chunk.text.startswith("| Roofs | Lamps") for chunk in tables[:-1])
    assert beside(parsed, "comments") == [("Too many.", "Anna"), ("Is it so?\nReally?", "Ben"), ("It is.", None)]


def test_what_is_written_over_pdf_pages_is_read_and_passwords_are_not() -> None:
    parsed = read(fixtures("pdf").annotated(), "b.pdf")
    over = [chunk for chunk in parsed.chunks if chunk.locator.get("part") == "annotations"]
    assert [(chunk.metadata["annotation"], chunk.metadata["annotation_by"]) for chunk in over] == [
        ("note", "Anna"), ("highlight", "Ben"),
    ]  # fmt: skip
    assert over[0].locator["box"] == [10, 20, 30, 40] and over[0].locator["page"] == 1
    assert beside(parsed, "form") == [("Your name: Maya Lind\ncity: Köln\nagreed: Yes", None)]
    assert "1 passwords in fields of its form are left out." in parsed.notes
    assert [(part.key, part.data) for part in parsed.parts] == [("attachments/1/prices.csv", b"Item,Price\nSpade,5\n")]
