"""Files of data and code for the benchmark of reading: by name, what makes about so many bytes of each."""

import json
from collections.abc import Callable

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
