"""What a node of a syntax tree defines, and under which name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from muniment.sources.code.languages import CodeLanguage

Kind = Literal["function", "class", "space"]

MAX_NAME = 200
_BODIES = frozenset(
    [
        "class_body",
        "block",
        "declaration_list",
        "field_declaration_list",
        "body_statement",
        "template_body",
        "enum_body",
        "enum_class_body",
        "interface_body",
        "protocol_body",
        "do_block",
        "statement_block",
        "enum_declaration_list",
        "enum_body_declarations",
        "struct_declaration",
        "enum_declaration",
        "union_declaration",
        "enum_variant_list",
        "enumerator_list",
    ]
)
_WHOLE_NAMES = frozenset(
    [
        "identifier",
        "type_identifier",
        "string",
        "qualified_name",
        "qualified_identifier",
        "nested_namespace_specifier",
        "dot_index_expression",
        "method_index_expression",
    ]
)
_NAMED_BY = ("name", "declarator", "type", "variable_list")
_NAMES = frozenset(
    [
        "function_name",
        "simple_name",
        "identifier",
        "type_identifier",
        "string",
        "variable_declarator",
        "variable_list",
        "type_spec",
        "parenthesized_declarator",
        "function_declarator",
        "assignment_statement",
    ]
)
_NAME = re.compile(r"""operator\s*\S+?(?=\(|$)|[^\s(<{\[=]+""")
_GENERIC = re.compile(r"<[^<>]*>")
_OWN_NAMES = {"init_declaration": "init", "deinit_declaration": "deinit", "companion_object": "Companion",
              "secondary_constructor": "constructor", "subscript_declaration": "subscript",
              **dict.fromkeys(("preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif"), "")}  # fmt: skip
_LONGEST = 4000  # characters of a node that are looked at for its name
_STEPS = 12


@dataclass(frozen=True, slots=True)
class Definition:
    """``inner`` is the node that defines, inside of those that introduce it. ``name`` is "" where it has none."""

    kind: Kind
    name: str
    inner: Node


class Definitions:
    """Finds the definitions in the syntax tree of one text.

    The text of nodes is taken from ``data``: a node that was parsed by a callback asks it for every byte again.
    """

    def __init__(self, data: bytes, language: CodeLanguage) -> None:
        self._data = data
        self._language = language

    def of(self, node: Node) -> Definition | None:
        """What a node defines, if it does."""
        inner, kind = node, self._kind(node)
        for _ in range(_STEPS):
            if kind is not None or inner.type not in self._language.wrappers:
                break
            inside = [(each, self._kind(each)) for each in inner.named_children[:_STEPS]]
            inside = [(each, how) for each, how in inside if how is not None or each.type in self._language.wrappers]
            if not inside:
                break
            inner, kind = max(inside, key=lambda each: each[1] is not None)
        return None if kind is None else Definition(kind, self._name(inner), inner)

    def _kind(self, node: Node) -> Kind | None:
        language = self._language
        kind: Kind | None = None
        if node.type in language.bound:
            kind = _bound(node, language)
        elif node.type in language.functions:
            kind = "function"
        elif node.type in language.classes:
            kind = "class" if not node.type.endswith("_specifier") or node.child_by_field_name("body") else None
        elif node.type in language.spaces:
            kind = "space" if node.type != "namespace_definition" or node.child_by_field_name("body") else None
        elif node.type == "call" and language.calls:
            target = node.child_by_field_name("target")
            called = language.calls.get(self._text(target)) if target is not None else None
            kind = "function" if called == "function" else "space" if called == "space" else None
        return kind

    def _name(self, node: Node) -> str:
        if node.type in _OWN_NAMES:
            return _OWN_NAMES[node.type]
        if self._language.calls and node.type == "call":
            arguments = next((each for each in node.named_children if each.type == "arguments"), None)
            return _clean(self._text(arguments)) if arguments is not None else ""
        named: Node | None = node
        for _ in range(_STEPS):
            step = _towards_name(named) if named is not None else None
            if step is None:
                break
            named = step
        name = _clean(self._text(named)) if named is not None and named is not node else ""
        receiver = node.child_by_field_name("receiver")
        if receiver is not None:  # Go
            owner = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)?\)$", self._text(receiver))
            name = f"{owner[1]}.{name}" if owner else name
        return name[:MAX_NAME]

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : min(node.end_byte, node.start_byte + _LONGEST)].decode("utf-8", "replace")


def members(node: Node) -> Iterator[Node]:
    """The nodes in the body of a class or namespace."""
    body = node.child_by_field_name("body")
    if body is None:
        bodies = [each for each in node.named_children if each.type in _BODIES]
        body = bodies[-1] if bodies else None
    if body is None:
        yield from (each for each in node.named_children if each.type not in _NAMES)
        return
    for each in body.named_children:
        if each.type == "enum_body_declarations":
            yield from each.named_children
        else:
            yield each


def _bound(node: Node, language: CodeLanguage) -> Kind | None:
    """What a statement binds a name to: looked for a few levels down, at the last node of each."""
    for _ in range(4):
        if node.type in language.values:
            return "class" if node.type in language.classes else "function"
        last = node.named_children[-1:]
        if not last:
            return None
        node = last[0]
    return "function" if node.type in language.values else None


def _towards_name(node: Node) -> Node | None:
    if node.type in _WHOLE_NAMES:
        return None
    for field in _NAMED_BY:
        found = node.child_by_field_name(field)
        if found is not None and (field != "type" or node.type in ("impl_item", "type_spec")):
            return found if field != "type" or node.type == "impl_item" else None
    return next((each for each in node.named_children[:4] if each.type in _NAMES), None)


def _clean(text: str) -> str:
    for _ in range(4):
        text = _GENERIC.sub("", text)
    found = _NAME.search(text.strip().strip("\"'*&"))
    name = found[0].strip("\"'*&;,") if found else ""
    return name if name.startswith("operator") else re.sub(r"::|:|\\", ".", name)
