"""Front matter: the YAML between two lines of --- at the top of a Markdown text, read as what it says of the document.

Only the nodes of the YAML are looked at, nothing is built from them: anchors and merge keys cannot make it grow.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final

import yaml  # type: ignore[import-untyped]

from muniment.model.source import MetadataValue
from muniment.settings import Settings

# A document may also begin with a rule: front matter has a key, or its end, on its second line.
_OPENING: Final = re.compile(r"---[ \t]*(?:\r\n?|\n)(?=[^\s:#]{1,100}[ \t]*:\s|---\s|\.\.\.\s)")
_END: Final = re.compile(r"(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)")
_LIMIT: Final = 64 * 1024
_MAX_TITLE: Final = 1000
_TAG: Final = "tag:yaml.org,2002:"
_TAGS: Final = ("tags", "keywords", "categories")
_DATES: Final = ("date", "created", "published")
_KEY: Final = re.compile(r"[^\x00-\x1f\x7f]{1,256}")
_WHOLE: Final = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})")
_TRUE: Final = frozenset({"true", "yes", "on"})


@dataclass(slots=True)
class FrontMatter:
    """What front matter says. ``end`` is the offset of the text behind it, 0 where there is none that can be read.

    ``metadata`` are its scalars and lists of scalars (joined by commas), as far as the limits of metadata allow; what
    is left out is named in ``notes``. ``at`` is its date; without a zone it is in UTC, as YAML has it, and a day alone
    is its start. ``tags`` are its tags, keywords and categories.
    """

    end: int = 0
    title: str | None = None
    at: datetime | None = None
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, MetadataValue] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_front_matter(text: str, settings: Settings) -> FrontMatter:
    """The front matter of a text; what is no YAML mapping is none, and stays a part of the text."""
    opening = _OPENING.match(text)
    closing = None if opening is None else _END.search(text, opening.end() - 1, _LIMIT)
    if opening is None or closing is None:
        return FrontMatter()
    pairs = _pairs(text[opening.end() : closing.start()])
    if pairs is None:
        return FrontMatter()
    found = FrontMatter(end=closing.end())
    left_out: list[str] = []
    size = 0
    for key, node in pairs:
        name, value = key.casefold(), _value(node)
        if name == "title" and isinstance(value, str):
            found.title = " ".join(value.split())[:_MAX_TITLE] or None
            continue
        if name in _TAGS:
            found.tags += [tag for tag in _texts(node) if tag not in found.tags]
        if name in _DATES and found.at is None and value is not None:
            found.at = _moment(str(value))
        cost = 0 if value is None else len(key.encode()) + len(str(value).encode())
        if (
            value is None
            or not _KEY.fullmatch(key)
            or len(str(value).encode()) > settings.max_metadata_value_bytes
            or size + cost > settings.max_metadata_bytes
            or len(found.metadata) >= settings.max_metadata_keys
        ):
            left_out.append(key[:64])
            continue
        size += cost
        found.metadata[key] = value
    if left_out:
        found.notes.append(f"Of the front matter these are no metadata and were left out: {', '.join(left_out[:20])}.")
    return found


def _pairs(text: str) -> list[tuple[str, yaml.Node]] | None:
    """The keys of a YAML mapping with their nodes, None for anything else. One without a key is an empty mapping."""
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode):
        return None
    return [(key.value, value) for key, value in root.value if isinstance(key, yaml.ScalarNode)]


def _texts(node: yaml.Node) -> list[str]:
    """A list of scalars, or a scalar with commas between its parts."""
    if isinstance(node, yaml.SequenceNode):
        parts = [str(part.value) for part in node.value if isinstance(part, yaml.ScalarNode)]
    else:
        parts = str(node.value).split(",") if isinstance(node, yaml.ScalarNode) else []
    return [" ".join(part.split()) for part in parts if part.strip()]


def _value(node: yaml.Node) -> MetadataValue | None:
    """A scalar as YAML means it (dates stay texts), a list of scalars as one text; None for everything else."""
    if isinstance(node, yaml.SequenceNode):
        flat = all(isinstance(part, yaml.ScalarNode) for part in node.value)
        return _storable(", ".join(_texts(node))) if flat else None
    if not isinstance(node, yaml.ScalarNode):
        return None
    kind, text = node.tag.removeprefix(_TAG), str(node.value)
    if kind == "bool":
        return text.casefold() in _TRUE
    if kind == "int" and _WHOLE.fullmatch(text):
        return int(text)
    if kind == "float":
        try:
            number = float(text)
        except ValueError:
            return text
        return number if abs(number) < float("inf") else text
    return None if kind == "null" else _storable(text)


def _storable(text: str) -> str | None:
    return None if "\x00" in text or not text.strip() else text.strip()


def _moment(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        try:
            at = datetime.combine(date.fromisoformat(text[:10]), datetime.min.time())
        except ValueError:
            return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
