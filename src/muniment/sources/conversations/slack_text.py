"""The text of a Slack message without its markup: mentions by name, links by address, entities as characters."""

import re
from collections.abc import Mapping
from typing import Any

from muniment.sources.conversations.json_export import list_of, object_of, text_of
from muniment.sources.conversations.turns import storable

_MARK = re.compile(r"<([^<>\n]{1,4000})>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def plain(message: Mapping[str, Any], people: Mapping[str, str]) -> str:
    """What a message says; where it says nothing itself, what is attached to it says. ``people``: names by id."""
    said = text_of(message.get("text"))
    if not said.strip():
        attached = [object_of(each) for each in list_of(message.get("attachments"))]
        said = "\n".join(
            text for each in attached if (text := text_of(each.get("text")) or text_of(each.get("fallback")))
        )
    if not said.strip():
        files = [object_of(each) for each in list_of(message.get("files"))]
        said = "\n".join(text_of(each.get("title")) or text_of(each.get("name")) for each in files).strip()
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
