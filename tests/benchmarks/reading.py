"""How fast sources of every format are read, and with how much memory, on files that this script makes.

    python tests/benchmarks/reading.py [--scale 1.0] [--format pdf --format csv ...] [--json FILE]

Each format is read in a process of its own, archives unpacked, which reports the processor seconds (other load on the
machine changes them less than the clock's) and its largest resident memory beside that before, libraries loaded. A
format for which nothing is made here is read from the file of the conformance suite. Progress goes to standard error,
a table in Markdown to standard output.
"""

import argparse
import importlib.util
import io
import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from reading_conversations import MAKERS as CONVERSATIONS
from reading_records import FILES

from muniment.settings import Settings
from muniment.sources.format import Format
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.registry import BUILT_IN, choose_format, formats

_FIXTURES = Path(__file__).parents[1] / "conformance" / "sources" / "fixtures"
_DATA_BYTES, _CODE_BYTES = 4_000_000, 1_900_000  # code above 2 MiB is not parsed
_CODE = (".py", ".ts", ".java", ".cpp")
_PROSE = "the keeper of archive wrote every evening what had been found and where it was laid in spring"
_WORDS = _PROSE.split()


def _fixture(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"fixtures_of_{name}", _FIXTURES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _named(name: str) -> Format:
    return next(each for each in formats() if each.name == name)


def _unmeasured() -> list[str]:
    """The formats for which nothing is made here."""
    files = {chosen.name for name, make in FILES.items() if (chosen := choose_format(make(2000), None, name).format)}
    made = files | set(CONVERSATIONS) | {format_name for format_name, _ in MAKERS.values()}
    return [each.name for each in BUILT_IN if each.name not in made]


def _prose(number: int, words: int = 90) -> str:
    return " ".join(_WORDS[(number * 7 + n * n) % len(_WORDS)] for n in range(words)) + f" {number}."


def make_pdf(scale: float) -> bytes:
    fixtures = _fixture("pdf")
    pdf = fixtures.Pdf()
    for number in range(int(2000 * scale)):
        rows = [_prose(number * 40 + n, 14) for n in range(40)]
        pdf.page(fixtures.lines(rows, 790, size=9, gap=18), deflate=True)
    return pdf.write()


def make_pdf_ruled(scale: float) -> bytes:
    fixtures = _fixture("pdf")
    pdf = fixtures.Pdf()
    for page in range(int(60 * scale)):
        content = b"".join(b"72 %d m 522 %d l S\n" % (780 - n * 18, 780 - n * 18) for n in range(36))
        content += b"".join(b"%d 780 m %d 150 l S\n" % (72 + n * 90, 72 + n * 90) for n in range(6))
        for n in range(35):
            for column in range(5):
                content += fixtures.show(f"{page}.{n}.{column} cell", 76 + column * 90, 766 - n * 18, 8)
        pdf.page(content, deflate=True)
    return pdf.write()


def make_csv(scale: float) -> bytes:
    rows = (
        f'{n},"Part {n}, {_prose(n, 6)}",{n * 1.25:.2f},2026-03-{n % 28 + 1:02}' for n in range(int(250_000 * scale))
    )
    return "\n".join(["number,name,price,day", *rows]).encode()


def make_xlsx(scale: float) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"constant_memory": True, "in_memory": True})
    page = book.add_worksheet()
    page.write_row(0, 0, [f"Column {n}" for n in range(10)])
    for row in range(1, int(50_000 * scale)):
        page.write_row(row, 0, [f"Part {row}", *(row * n / 4 for n in range(1, 9)), _WORDS[row % len(_WORDS)]])
    book.close()
    return out.getvalue()


def make_xls(scale: float) -> bytes:
    import xlwt

    book = xlwt.Workbook()
    page = book.add_sheet("S")
    for row in range(min(int(30_000 * scale), 65_000)):
        for column in range(8):
            page.write(row, column, f"Column {column}" if row == 0 else (row * column if column else f"Part {row}"))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def make_ods(scale: float) -> bytes:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = (
        "<table:table-row>" + "".join(cell.format(f"{_WORDS[(row + n) % len(_WORDS)]} {row}") for n in range(8))
        + "</table:table-row>"
        for row in range(int(30_000 * scale))
    )  # fmt: skip
    data: bytes = _fixture("ods").sheets(f'<table:table table:name="S">{"".join(rows)}</table:table>')
    return data


def make_docx(scale: float) -> bytes:
    fixtures = _fixture("docx")
    parts = []
    for n in range(int(20_000 * scale)):
        parts.append(fixtures.p(f"Part {n}", "berschrift1") if n % 20 == 0 else fixtures.p(_prose(n)))
    data: bytes = fixtures.document("".join(parts))
    return data


def make_html(scale: float) -> bytes:
    parts = [f"<h2>Part {n}</h2>" if n % 20 == 0 else f"<p>{_prose(n)}</p>" for n in range(int(4000 * scale))]
    return f"<html><head><title>x</title></head><body><article>{''.join(parts)}</article></body></html>".encode()


def make_epub(scale: float) -> bytes:
    fixtures = _fixture("epub")
    chapters = {
        f"c{c}": f"<html><body><h1>{c}</h1>{''.join(f'<p>{_prose(c * 200 + n)}</p>' for n in range(200))}</body></html>"
        for c in range(int(60 * scale) or 1)
    }
    data: bytes = fixtures.book_of(chapters)
    return data


def make_rst(scale: float) -> bytes:
    parts = [f"Part {n}\n=========\n" if n % 20 == 0 else f"{_prose(n)}\n" for n in range(int(4000 * scale))]
    return "\n".join(parts).encode()


def make_rtf(scale: float) -> bytes:
    return ("{\\rtf1\\ansi " + "\\par\n".join(_prose(n) for n in range(int(4000 * scale))) + "}").encode()


def make_pptx(scale: float) -> bytes:
    from pptx import Presentation

    show = Presentation()
    for n in range(int(300 * scale)):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = f"Slide {n}"
        slide.placeholders[1].text = "\n".join(_prose(n * 9 + line, 12) for line in range(9))
    out = io.BytesIO()
    show.save(out)
    return out.getvalue()


MAKERS: dict[str, tuple[str, Callable[[float], bytes]]] = {
    "csv": ("csv", make_csv),
    "xlsx": ("xlsx", make_xlsx),
    "xls": ("xls", make_xls),
    "ods": ("ods", make_ods),
    "pdf": ("pdf", make_pdf),
    "pdf, ruled": ("pdf", make_pdf_ruled),
    "docx": ("docx", make_docx),
    "pptx": ("pptx", make_pptx),
    "epub": ("epub", make_epub),
    "html": ("html", make_html),
    "rst": ("rst", make_rst),
    "rtf": ("rtf", make_rtf),
}
"""Each file by its name: the format that reads it, and what makes it at a scale."""


def _made(name: str, scale: float) -> tuple[Format, str, bytes, bytes]:
    """The format, the name of a file of it, the file, and a small one that loads what reads it."""
    if name in FILES:
        most = _CODE_BYTES if name.endswith(_CODE) else _DATA_BYTES
        data, small = FILES[name](int(scale * most)), FILES[name](2000)
        chosen = choose_format(data, None, name).format
        assert chosen is not None
        return chosen, name, data, small
    if name in CONVERSATIONS:
        filename, of_size = CONVERSATIONS[name]
        return _named(name), filename, of_size(int(scale * _DATA_BYTES)), of_size(4000)
    if name in MAKERS:
        format_name, make = MAKERS[name]
        chosen = _named(format_name)
        return chosen, "file" + chosen.extensions[0], make(scale), make(0.02)
    chosen = _named(name)
    data = max((make() for make in _fixture(re.sub(r"\W+", "_", name)).FIXTURES.values()), key=len)
    return chosen, "file" + (*chosen.extensions, "")[0], data, data


def measure(name: str, scale: float) -> dict[str, Any]:
    """Reads one generated file in this process."""
    from muniment.sources.documents.text import fold

    chosen, filename, data, small = _made(name, scale)
    settings = Settings(max_expanded_bytes=4 * 1024**3)
    origin = Origin("file", "key", filename, chosen.media_types[0], None, "english", settings)
    _read(chosen, small, origin)  # loads the libraries
    before = _peak()
    started = time.process_time()
    parsed, parts, inside = _read(chosen, data, origin)
    seconds = time.process_time() - started
    peak = _peak()
    unpacked = len(data)
    if zipfile.is_zipfile(io.BytesIO(data)):
        unpacked = sum(info.file_size for info in zipfile.ZipFile(io.BytesIO(data)).infolist())
    pages = max((chunk.locator.get("page", 0) for chunk in parsed.chunks), default=0)
    return {
        "name": name,
        "bytes": len(data),
        "unpacked": max(unpacked, inside),
        "pages": pages,
        "characters": sum(len(fold(chunk.text)) for chunk in parsed.chunks),
        "chunks": len(parsed.chunks),
        "parts": parts,
        "seconds": max(round(seconds, 4), 1e-4),
        "peak_mib": round(peak / 1024),
        "before_mib": round(before / 1024),
    }


def _read(chosen: Format, data: bytes, origin: Origin) -> tuple[Parsed, int, int]:
    """What was read, and how many parts of how many bytes are inside."""
    parsed = chosen.read(data, origin)
    parts = inside = 0
    for part in chosen.unpack(data, origin) if chosen.unpack is not None else parsed.parts:
        parts += 1
        inside += len(part.data)
    return parsed, parts, inside


def _peak() -> int:
    """The most resident memory of this process so far, in KiB. ``ru_maxrss`` would count that of its parent too."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


_HEADS = (
    "format",
    "MB",
    "unpacked",
    "pages",
    "chunks",
    "parts",
    "CPU s",
    "MB/s",
    "pages/s",
    "peak MiB",
    "of which before",
)


def _line(row: dict[str, Any]) -> str:
    speed, pages = row["unpacked"] / 1e6 / row["seconds"], row["pages"] / row["seconds"]
    cells = (
        row["name"], f"{row['bytes'] / 1e6:.2f}", f"{row['unpacked'] / 1e6:.2f}", row["pages"] or "", row["chunks"],
        row["parts"] or "", f"{row['seconds']:.2f}", f"{speed:.1f}", f"{pages:.0f}" if pages else "", row["peak_mib"],
        row["before_mib"],
    )  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--scale", type=float, default=1.0)
    every = [*MAKERS, *FILES, *CONVERSATIONS, *_unmeasured()]
    options.add_argument("--format", action="append", choices=every)
    options.add_argument("--json", type=Path)
    options.add_argument("--one", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.one:
        print(json.dumps(measure(chosen.one, chosen.scale)))
        return
    rows = []
    names = chosen.format or every
    print("| " + " | ".join(_HEADS) + " |\n|---" + "|---:" * (len(_HEADS) - 1) + "|", flush=True)
    for number, name in enumerate(names, 1):
        print(f"{number}/{len(names)} {name}", file=sys.stderr, flush=True)
        command = [sys.executable, __file__, "--one", name, "--scale", str(chosen.scale)]
        rows.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        print(_line(rows[-1]), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
