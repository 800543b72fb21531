"""Code is cut into whole definitions under their names; what cannot be parsed is cut between lines."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from muniment.settings import Settings
from muniment.sources.code import outline, source_code
from muniment.sources.code.languages import LANGUAGES, CodeLanguage
from muniment.sources.parsed import Chunk, Origin, Parsed
from muniment.sources.registry import find_format

FIXTURES = Path(__file__).parents[3] / "conformance" / "sources" / "fixtures"
PYTHON = '''"""Says hello."""

import os.path
from greetings import hello as h

# How often.
TIMES = 3


def greet(name: str) -> None:
    """Greets."""
    print(h(name))  # aloud


# Leaves a line between.

# What greets.
class Greeter:
    """Greets again and again, which takes a while and so many words that it does not fit into a chunk of its own."""

    @property
    def name(self) -> str:
        return "Zoë"

    # Says it.
    async def say(self) -> None:
        def inner() -> None: ...

    times = 3
'''


def read(text: str, filename: str = "a.py", size: int = 200) -> Parsed:
    found = find_format(None, filename)
    assert found is not None
    settings = Settings(chunk_characters=size)
    origin = Origin("file", f"src/{filename}", filename, found.media_types[0], None, "english", settings)
    return found.read(text.encode(), origin)


def symbols(parsed: Parsed) -> list[str | None]:
    return [chunk.locator.get("symbol") for chunk in parsed.chunks]


def fixtures(language: CodeLanguage) -> ModuleType:
    spec = spec_from_file_location(f"symbols_of_{language.name}", FIXTURES / f"{language.name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_definitions_of_each_language_go_by_their_names(language: CodeLanguage) -> None:
    module = fixtures(language)
    ((filename, make),) = module.FIXTURES.items()
    parsed = read(make().decode(), filename)
    assert list(dict.fromkeys(filter(None, symbols(parsed)))) == module.SYMBOLS
    assert {chunk.fields["language"] for chunk in parsed.chunks} == {language.name}
    assert parsed.modality == "code" and not parsed.notes


def test_a_definition_takes_what_is_said_above_it_and_fields_of_a_class_share_chunks() -> None:
    parsed = read(PYTHON)
    assert symbols(parsed) == [None, "greet", None, "Greeter", "Greeter.name", "Greeter.say", "Greeter"]
    texts = [chunk.text for chunk in parsed.chunks]
    assert texts[1].endswith("# aloud") and texts[2] == "# Leaves a line between."
    assert texts[3].startswith("# What greets.\nclass Greeter:") and texts[3].endswith('own."""')
    assert texts[4].startswith("@property") and texts[5].startswith("# Says it.\n    async def")
    assert texts[6] == "times = 3"


def test_what_retrieval_looks_for_is_in_the_fields() -> None:
    say = read(PYTHON).chunks[5]
    assert say.fields == {
        "path": "src/a.py", "symbol": "Greeter.say", "language": "python",
        "imports": "os.path greetings hello h",
    }  # fmt: skip
    assert (say.locator["language"], say.locator["lines"]) == ("python", [25, 27])


def test_a_class_that_fits_is_one_chunk() -> None:
    assert symbols(read(PYTHON, size=1200)) == [None, "greet", None, "Greeter"]


def test_a_function_that_does_not_fit_is_cut_between_its_statements() -> None:
    body = "".join(f"    total_{n} = compute({n}, 'a b c')\n" for n in range(20))
    parsed = read(f"def long():\n{body}\n\ndef short(): ...\n")
    assert set(symbols(parsed)[:-1]) == {"long"} and symbols(parsed)[-1] == "short"
    assert all(chunk.text.startswith(("def long", "total_")) for chunk in parsed.chunks[:-1])


def test_code_behind_a_syntax_error_is_still_known() -> None:
    parsed = read("def one(): ...\n\n\ndef (:\n  ]\n\n\ndef two(): ...\n")
    assert {"one", "two"} <= set(symbols(parsed))
    assert parsed.notes == ["Not all of it is Python by its grammar, first in line 4."]


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_LINE", "MAX_STEPS"])
def test_what_is_too_much_to_parse_is_cut_between_lines(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline if limit == "MAX_STEPS" else source_code, limit, 1)
    parsed = read(PYTHON)
    assert len(parsed.notes) == 1 and "between lines" in parsed.notes[0]
    assert set(symbols(parsed)) == {None} and parsed.chunks[0].fields["language"] == "python"
    check(PYTHON, parsed.chunks)


def check(text: str, chunks: list[Chunk]) -> None:
    behind = 0
    for chunk in chunks:
        start, end = chunk.locator["chars"]
        assert chunk.text == text[start:end] and len(chunk.text) <= 200 and not text[behind:start].strip()
        behind = end
    assert not text[behind:].strip()


LINES = [*PYTHON.splitlines(keepends=True), "é\n", "\r\n", "(", "'''", "class A: x = 1\n", "\U0001f680", "if x:\n", "#"]


@examples(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=60).map("".join), st.sampled_from(["a.py", "a.js", "a.cpp"])
)
def test_any_text_is_covered_whatever_its_syntax(text: str, filename: str) -> None:
    if text.strip():
        check(text, read(text, filename).chunks)
