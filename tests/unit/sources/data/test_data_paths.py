"""YAML, TOML and XML become records whose paths lead to what their texts hold."""

import tomllib
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from muniment.settings import Settings
from muniment.sources import Parsed, read_source

SIZE = 200
LONG = "word " * 30


def read(text: str, filename: str) -> Parsed:
    return read_source(
        text.encode(), kind="file", filename=filename, media_type=None, source_key="k",
        settings=Settings(chunk_characters=SIZE),
    )  # fmt: skip


def places(text: str, filename: str, name: str = "pointer") -> list[tuple[str, str]]:
    return [(chunk.locator[name], chunk.text) for chunk in read(text, filename).chunks]


def resolve(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(step)]
        else:
            value = next(inner for name, inner in value.items() if str(name) == step)
    return value


def test_a_comment_above_a_member_of_yaml_belongs_to_it() -> None:
    text = f"a: {LONG} # of a\n# of b\nb:\n  # of c\n  c: {LONG}\n  d/e: {LONG}\n"
    assert places(text, "a.yaml") == [
        ("/a", f"a: {LONG} # of a"),
        ("/b/c", f"# of b\nb:\n  # of c\n  c: {LONG}".strip()),
        ("/b/d~1e", f"d/e: {LONG}".strip()),
    ]


def test_documents_of_yaml_are_numbered_and_their_names_are_keys() -> None:
    chunks = read(f"kind: One\n---\nkind: Two\nspec:\n  text: {LONG}\n  more: {LONG}\n", "a.yaml").chunks
    assert [(chunk.locator["document"], chunk.locator["pointer"]) for chunk in chunks] == [
        (0, ""), (1, "/kind"), (1, "/spec/text"), (1, "/spec/more"),
    ]  # fmt: skip
    assert chunks[2].fields["keys"] == "spec text"


def test_an_alias_stays_a_word() -> None:
    (chunk,) = read("a: &a [*a]\nb: *a\n*a : c\n", "a.yaml").chunks
    assert chunk.text == "a: &a [*a]\nb: *a\n*a : c"


def test_tables_of_toml_have_the_paths_that_they_have_in_it() -> None:
    text = "".join(f"[[p]]\nname = '{LONG}'\n[p.s]\nurl = '{LONG}'\n[[p.s.m]]\nx = '{LONG}'\n" for _ in range(2))
    found = places(f"top = '{LONG}'\n{text}", "a.toml")
    assert [pointer for pointer, _ in found] == ["/top", "/p/0", "/p/0/s", "/p/0/s/m/0", "/p/1", "/p/1/s", "/p/1/s/m/0"]
    value = tomllib.loads(f"top = '{LONG}'\n{text}")
    for pointer, _ in found:
        resolve(value, pointer)


def test_elements_have_paths_with_positions_and_both_kinds_of_ends() -> None:
    text = f"<l><i>{LONG}</i><e>{LONG}</e><e a='/>'/><e/><n:i xmlns:n='u'>{LONG}</n:i><i>{LONG}</i>{LONG}</l>"
    found = places(text, "a.xml", "element")
    assert [path for path, _ in found] == ["/l/i[1]", "/l/e[1]", "/l/n:i[1]", "/l/i[2]", "/l/i[2]"]
    assert found[0][1] == text[: text.index("<e>")] and found[1][1] == text[text.index("<e>") : text.index("<n:i")]
    assert read(text, "a.xml").chunks[1].locator["through"] == "/l/e[3]"


def test_entities_are_neither_resolved_nor_fetched() -> None:
    text = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'
    parsed = read(text, "a.xml")
    assert [chunk.text for chunk in parsed.chunks] == [text] and "entities" in parsed.notes[0]


@pytest.mark.parametrize(
    ("filename", "text", "place"),
    [
        ("a.yaml", "a: 1\nb: [2\n", "YAML"),
        ("a.yaml", "{{ if }}\na: 1\n", "YAML"),
        ("a.toml", "a = 1\nb\n", "TOML: expected a key or a table at line 2, column 1"),
        ("a.toml", 'a = "open\n', "TOML: a string without end at line 1, column 5"),
        ("a.xml", "<a>\n<b></a>", "XML: mismatched tag at line 2, column 6"),
    ],
)
def test_what_cannot_be_followed_is_text_and_the_place_is_told(filename: str, text: str, place: str) -> None:
    parsed = read(text, filename)
    assert [chunk.text for chunk in parsed.chunks] == [text.strip()] and place in parsed.notes[0]


words = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=100)
names = st.text("abc-_ /~.é\U0001f680", min_size=1, max_size=6).filter(lambda name: name.strip() == name)
values = st.recursive(
    st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(names, inner, max_size=8),
    max_leaves=60,
)


def check(text: str, filename: str, value: Any) -> None:
    behind = 0
    for chunk in read(text, filename).chunks:
        start, end = chunk.locator["chars"]
        assert chunk.text == text[start:end] and len(chunk.text) <= SIZE and not text[behind:start].strip()
        behind = end
        for pointer in (chunk.locator["pointer"], chunk.locator.get("through", "")):
            resolve(value, pointer)
    assert not text[behind:].strip()


@examples(deadline=None, max_examples=30)
@given(st.dictionaries(names, values, max_size=8), st.sampled_from([None, False, True]), st.integers(2, 6))
def test_any_yaml_is_covered_and_every_pointer_resolves(value: Any, flow: bool | None, indent: int) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, indent=indent, allow_unicode=True, width=60)
    check(text, "a.yaml", value)


@examples(deadline=None, max_examples=30)
@given(
    st.recursive(
        st.tuples(st.sampled_from(["a", "b", "ns"]), words, st.just([])),
        lambda inner: st.tuples(st.sampled_from(["a", "b", "ns"]), words, st.lists(inner, max_size=6)),
        max_leaves=40,
    )
)
def test_any_xml_is_covered_and_every_path_leads_to_an_element(tree: Any) -> None:
    def build(node: Any) -> ElementTree.Element:
        element = ElementTree.Element(node[0], {"x": node[1]})
        element.text = element.tail = "".join(each for each in node[1] if each.isprintable())
        element.extend(build(each) for each in node[2])
        return element

    root = build(tree)
    root.tail = None
    text, behind = ElementTree.tostring(root, "unicode"), 0
    if any(not character.isprintable() for character in text):
        return  # XML has no way to write some characters
    for chunk in read(text, "a.xml").chunks:
        start, end = chunk.locator["chars"]
        assert chunk.text == text[start:end] and not text[behind:start].strip()
        behind = end
        path = chunk.locator["element"].removeprefix(f"/{root.tag}")
        assert (root if not path else root.find("." + path)) is not None
    assert not text[behind:].strip()
