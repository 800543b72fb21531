"""What documents hold beside their text: comments, headers, charts; and what is only counted."""

from copy import deepcopy
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import pypdfium2 as pdfium
import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Inches

from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.documents import pdf_annotations, pptx_charts, pptx_comments
from muniment.sources.documents.pdf import locate_pdf, read_pdf
from muniment.sources.documents.pdf_attachments import attached_files
from muniment.sources.documents.pptx import locate_pptx, read_pptx
from muniment.sources.parsed import Origin
from muniment.sources.xml_stream import parse_xml as parse_xml_safely


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


def charted(points: int, count: int | None = None, shapes: int = 1) -> bytes:
    """A slide with shapes that show one chart of so many points, and a table behind them."""
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Measured"
    values = CategoryChartData()
    values.categories = [f"Week {number}" for number in range(3)]
    values.add_series("Roofs", [1.5, None, 2])
    at = (Inches(1), Inches(1), Inches(4), Inches(3))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.LINE, *at, values)
    cache = frame.chart._chartSpace.xpath(".//c:val//c:numCache")[0]
    for number in range(3, points):
        point = parse_xml(f'<c:pt xmlns:c="{cache.nsmap["c"]}" idx="{number}"><c:v>{number}</c:v></c:pt>')
        cache.append(point)
    cache.find(qn("c:ptCount")).set("val", str(count or points))
    for _ in range(shapes - 1):
        slide.shapes._spTree.append(deepcopy(frame._element))
    slide.shapes.add_table(1, 1, *at).table.cell(0, 0).text = "Spade"
    out = BytesIO()
    show.save(out)
    return out.getvalue()


def here(data: bytes) -> Parsed:
    """A presentation as it is read in this process, where its time and bounds can be told."""
    return read_pptx(data, Origin("file", "b", "b.pptx", "x/y", None, "english", Settings()))


def test_charts_are_read_in_one_pass_whatever_they_say_to_have() -> None:
    def read_timed(points: int) -> tuple[Parsed, float]:
        data = charted(points, 2_000_000_000)
        began = process_time()
        return here(data), process_time() - began

    (_, short), (parsed, long) = read_timed(1_000), read_timed(8_000)
    assert long < 20 * short  # of eight times as many points; a look-up for each takes 64 times
    text = "\n".join(chunk.text for chunk in parsed.chunks if "table" in chunk.locator)
    assert "| Roofs\nWeek 0 | 1.5\nWeek 1\nWeek 2 | 2\n4 | 3" in text and text.endswith("8000 | 7999\nSpade")


def test_charts_of_a_presentation_are_bounded_together_and_those_beyond_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pptx_charts, "_MOST_CELLS", 100)
    data = charted(40, shapes=4)  # each 40 values and 3 labels and a name
    parsed = here(data)
    assert "2 charts with more values than are read are left out." in parsed.notes
    tables = {chunk.locator["table"]: chunk.text for chunk in parsed.chunks if "table" in chunk.locator}
    assert sorted(tables) == [1, 2, 5] and tables[5] == "Spade"
    last = next(chunk.locator for chunk in parsed.chunks if chunk.locator.get("table") == 5)
    assert locate_pptx(data, last) == "Spade"
    far = here(charted(1000))
    assert "1 charts with more values than are read are left out." in far.notes
    assert [chunk.locator["table"] for chunk in far.chunks if "table" in chunk.locator] == [2]


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


def pdf(data: bytes) -> Parsed:
    return read_pdf(data, Origin("file", "b", "b.pdf", "x/y", None, "english", Settings()))


def test_annotations_of_all_pages_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fixtures("pdf")
    file = made.Pdf()
    said = file.add(b"(" + b"Rake " * 100 + b")")
    notes = file.add(b"[%b]" % (b"<</Type/Annot/Subtype/Text/Contents %d 0 R/Rect[0 0 9 9]>>" % said * 20))
    for _ in range(3):
        page = file.page(made.lines(["The roof is tight."], 780))
        file.objects[page - 1] = file.objects[page - 1].replace(b"/Type/Page/", b"/Type/Page/Annots %d 0 R/" % notes)
    data = file.write()
    assert "annotations" not in " ".join(pdf(data).notes)
    monkeypatch.setattr(pdf_annotations, "_MOST_CHARACTERS", 16_000)
    parsed = pdf(data)
    assert sum(chunk.text.count("Rake") for chunk in parsed.chunks) == 31 * 100
    assert "29 annotations are left out: there are very many, or they say very much." in parsed.notes
    assert {chunk.locator["page"] for chunk in parsed.chunks} == {1, 2, 3}  # the text of all is read
    last = [chunk for chunk in parsed.chunks if "Rake" in chunk.text][-1]
    assert locate_pdf(data, last.locator) == last.text
    monkeypatch.setattr(pdf_annotations, "_LONGEST", 100)  # what is too long was read for its length, too
    assert "60 annotations are left out: there are very many, or they say very much." in pdf(data).notes


def test_no_attached_file_is_unpacked_behind_the_bound() -> None:
    file = fixtures("pdf").Pdf()
    file.page(b"")
    body = file.stream(b" " * 1000, b"/Type/EmbeddedFile", deflate=True)
    specs = [file.add(b"<</Type/Filespec/F(%d)/UF(%d)/EF<</F %d 0 R>>>>" % (at, at, body)) for at in range(6)]
    named = b"".join(b"(%d) %d 0 R" % pair for pair in enumerate(specs))
    file.catalogue = b"/Names<</EmbeddedFiles<</Names[%b]>>>>" % named
    asked: list[int] = []

    class Document(pdfium.PdfDocument):
        def get_attachment(self, index: int) -> Any:
            asked.append(index)
            return super().get_attachment(index)

    for limits, kept, looked_at in (({"max_expanded_bytes": 2500}, 2, 3), ({"max_source_items": 4}, 4, 4)):
        notes: list[str] = []
        asked.clear()
        parts = attached_files(Document(file.write()), Settings(**limits), notes)
        assert (len(parts), len(asked)) == (kept, looked_at)
        assert notes == [f"{6 - kept} attached files are left out: empty, broken or too large."]


def test_a_part_of_comments_and_who_wrote_them_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    show = Presentation()
    slides = [show.slides.add_slide(show.slide_layouts[5]) for _ in range(4)]
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    said, authors = (
        Part(PackURI(f"/ppt/{name}.xml"), "application/xml", show.part.package, data)
        for name, data in (
            ("comments/comment1", b'<p:l xmlns:p="p"><p:cm authorId="0"><p:text>Too many.</p:text></p:cm></p:l>'),
            ("commentAuthors", b'<p:l xmlns:p="p"><p:cmAuthor id="0" name="Anna"/></p:l>'),
        )
    )
    show.part.relate_to(authors, f"{office}/commentAuthors")
    for slide in slides:
        slide.part.relate_to(said, f"{office}/comments")
    out = BytesIO()
    show.save(out)
    pieces: list[bytes] = []

    def spied(given: list[bytes], **handlers: Any) -> None:
        pieces.extend(given)
        parse_xml_safely(given, **handlers)

    monkeypatch.setattr(pptx_comments, "parse_xml", spied)
    assert beside(here(out.getvalue()), "comments") == [("Too many.", "Anna")]
    assert pieces == [authors.blob, said.blob]
