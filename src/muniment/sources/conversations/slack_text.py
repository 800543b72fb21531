"""The text of a Slack message without its markup: mentions by name, links by address, entities as characters."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.sources.conversations.json_export import list_of, object_of, text_of
from muniment.sources.conversations.turns import storable

_MARK = re.compile(r"<([^<>\n]{1,4000})>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_NO_WORD = re.compile(r"[\W_]+")
_DEEPEST = 12  # what Slack makes nests six deep
_LONGEST_COMPARED = 40_000  # characters, the most that Slack takes in a message


def plain(message: Mapping[str, Any], people: Mapping[str, str]) -> str:
    """What a message says, then what its blocks and attachments say beside it: a line each, once.

    Where none of them says anything, the files are named. ``people``: names by id.
    """
    own = text_of(message.get("text"))
    beside = [*_blocks(message.get("blocks"), rich=not own.strip()), *_attached(message)]
    said = _shown_text("\n".join([own, *_new(own, beside)] if own.strip() else _new("", beside)), people)
    if said.strip():
        return said
    files = [object_of(each) for each in list_of(message.get("files"))]
    return _shown_text("\n".join(text_of(each.get("title")) or text_of(each.get("name")) for each in files), people)


def _new(own: str, beside: list[str]) -> list[str]:
    """The lines that neither the message nor a line before says."""
    told = _words(own) if len(own) <= _LONGEST_COMPARED else ""
    seen: set[str] = set()
    new = []
    for line in beside:
        words = _words(line)
        if words and words not in seen and words not in told:
            new.append(line)
        seen.add(words)
    return new


def _words(text: str) -> str:
    return _NO_WORD.sub("", text).casefold()


def _attached(message: Mapping[str, Any]) -> Iterator[str]:
    """What stands in attachments: cards of links, messages that are shared, what programs report."""
    for each in list_of(message.get("attachments")):
        attached = object_of(each)
        lines = [text_of(attached.get(name)) for name in ("pretext", "title", "text")]
        lines += [
            ": ".join(filter(None, (text_of(field.get("title")), text_of(field.get("value")))))
            for field in map(object_of, list_of(attached.get("fields")))
        ]
        lines += _blocks(attached.get("blocks"), rich=True)
        told = [line for line in lines if line.strip()] or [text_of(attached.get("fallback"))]
        yield from (line for line in told if line.strip())


def _blocks(blocks: Any, *, rich: bool) -> Iterator[str]:
    """The lines of blocks. Those of ``rich`` text are what the text of a message is made of."""
    for each in list_of(blocks):
        block = object_of(each)
        if block.get("type") == "rich_text":
            yield from _lines(block) if rich else ()
            continue
        for part in (block.get("text"), block.get("title"), *list_of(block.get("fields"))):
            yield from _plain_object(part)
        for part in list_of(block.get("elements")):
            element = object_of(part)
            if element.get("type") in ("plain_text", "mrkdwn", "image"):
                yield from _plain_object(element)
        yield from _plain_object(block.get("alt_text"))
        for row in list_of(block.get("rows")):
            cells = [" ".join(_lines(object_of(cell))) or text_of(object_of(cell).get("text")) for cell in list_of(row)]
            yield " | ".join(cells)


def _plain_object(part: Any) -> Iterator[str]:
    text = text_of(part) or text_of(object_of(part).get("text")) or text_of(object_of(part).get("alt_text"))
    if text.strip():
        yield text


def _lines(element: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    """The lines of rich text: a section, an item of a list or a quotation each."""
    inline: list[str] = []
    for each in list_of(element.get("elements")):
        part = object_of(each)
        if part.get("elements") is None:
            inline.append(_inline(part))
        elif depth < _DEEPEST:
            yield from _lines(part, depth + 1)
    if line := "".join(inline).strip("\n"):
        yield line


def _inline(part: Mapping[str, Any]) -> str:
    """A piece of rich text, as messages write it in their text."""
    kind, text = part.get("type"), text_of(part.get("text"))
    if kind == "link":
        url = text_of(part.get("url"))
        return f"<{url}|{text}>" if text else f"<{url}>"
    if kind == "emoji":
        return f":{text_of(part.get('name'))}:"
    for kinds, key, mark in (("user", "user_id", "@"), ("channel", "channel_id", "#"), ("broadcast", "range", "!")):
        if kind == kinds:
            return f"<{mark}{text_of(part.get(key))}>"
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shown_text(said: str, people: Mapping[str, str]) -> str:
    text = _MARK.sub(lambda found: _shown(found[1], people), said)
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return storable(text)


def _shown(mark: str, people: Mapping[str, str]) -> str:
    target, _, label = mark.partition("|")
    if target.startswith("@"):
        return f"@{people.get(target[1:]) or label or target[1:]}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return label or f"@{target[1:].partition('^')[0]}"
    return (
        f"{label} ({target})" if label and label != target and label not in target else target.removeprefix("mailto:")
    )
