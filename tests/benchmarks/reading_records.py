"""MB/s and peak memory of the readers of data and code, on files that are made here.

    python tests/benchmarks/reading_records.py [FORMAT ...]

Each file is read in a process of its own; the peak is that of the process, less what it has before it reads. ``FILES``
is the registry: a file name, and a function from the number of bytes wanted to about so many bytes.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from muniment.settings import Settings
from muniment.sources.parsed import Origin
from muniment.sources.registry import choose_format

SIZE = 4_000_000
_WORDS = "A reader takes the name of a file and gives what stands in it, as long as it is a text. "


def _repeated(make: Callable[[int], str]) -> Callable[[int], bytes]:
    """So many pieces, by their numbers, that there are enough bytes."""
    return lambda size: "".join(make(n) for n in range(size // len(make(10_000)) + 1)).encode()


def _record(number: int) -> dict[str, object]:
    return {"id": number, "name": f"user {number}", "tags": ["a", "b"], "at": {"city": "Ulm", "geo": [48.4, 9.9]},
            "note": _WORDS}  # fmt: skip


def _json(size: int) -> bytes:
    return json.dumps([_record(n) for n in range(size // len(json.dumps(_record(10_000))))], indent=1).encode()


def _notebook(size: int) -> bytes:
    cells = [
        {"cell_type": "code", "source": f"x = {n}\nprint(x)\n" * 20, "outputs": [{"text": f"{n}\n" * 20}]}
        for n in range(size // 700)
    ]
    return json.dumps({"cells": cells, "metadata": {}}).encode()


def _code(text: str) -> Callable[[int], bytes]:
    return _repeated(lambda n: text.replace("NAME", f"name{n}"))


FILES: dict[str, Callable[[int], bytes]] = {
    "a.json": _json,
    "a.jsonl": _repeated(lambda n: json.dumps(_record(n)) + "\n"),
    "a.yaml": _repeated(lambda n: f"- id: {n}\n  name: user {n}\n  tags: [a, b]\n  note: {_WORDS}\n"),
    "a.toml": _repeated(lambda n: f"[[user]]\nid = {n}\nname = 'user {n}'\ntags = ['a', 'b']\nnote = '{_WORDS}'\n\n"),
    "a.xml": lambda size: (
        b"<users>"
        + _repeated(lambda n: f"<user id='{n}'><name>user {n}</name><note>{_WORDS}</note></user>\n")(size)
        + b"</users>"
    ),
    "a.py": _code('# What it does.\ndef NAME(a: int) -> int:\n    """Adds."""\n    b = a + 1\n    return b\n\n\n'),
    "a.ts": _code(
        "/** What it does. */\nexport function NAME(a: number): number {\n  const b = a + 1;\n  return b;\n}\n\n"
    ),
    "a.java": lambda size: (
        b"class A {\n"
        + _code("  /** What it does. */\n  public int NAME(int a) {\n    int b = a + 1;\n    return b;\n  }\n\n")(size)
        + b"}\n"
    ),
    "a.cpp": _code("// What it does.\nint NAME(int a) {\n  int b = a + 1;\n  return b;\n}\n\n"),
    "a.sql": _code("-- What it does.\nselect NAME\n  from names\n where id = 1;\n\n"),
    "a.ipynb": _notebook,
}


def main() -> None:
    """Reads the files of the formats named, or of all, each in a child; prints a line for each."""
    print(f"{'file':10}{'MB':>6}{'chunks':>9}{'seconds':>9}{'MB/s':>8}{'peak MB':>9}  notes", flush=True)
    for name in sys.argv[1:] or FILES:
        wanted = SIZE if name.rpartition(".")[2] not in ("py", "ts", "java", "cpp") else 1_900_000  # more is not parsed
        subprocess.run([sys.executable, __file__, "--read", name], input=FILES[name](wanted), check=True)


def _peak() -> int:
    """The most resident memory of this process so far, in KiB. ``ru_maxrss`` would count that of its parent too."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def _read(name: str) -> None:
    data = sys.stdin.buffer.read()
    chosen, _ = choose_format(data, None, name)
    assert chosen is not None
    origin = Origin("file", name, name, chosen.media_types[0], None, "english", Settings())
    chosen.read(FILES[name](2000), origin)  # loads what it needs
    before, started = _peak(), time.perf_counter()
    parsed = chosen.read(data, origin)
    took, size = time.perf_counter() - started, len(data) / 1e6
    peak = (_peak() - before) / 1024
    notes = "; ".join(parsed.notes)
    print(f"{name:10}{size:6.1f}{len(parsed.chunks):9}{took:9.2f}{size / took:8.1f}{peak:9.0f}  {notes}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        _read(sys.argv[2])
    else:
        main()
