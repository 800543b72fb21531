"""What an office document says of itself: the core properties of its package."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from muniment.errors import MunimentError
from muniment.sources.package import Package
from muniment.sources.xml_stream import parse_xml

_MAX_TITLE: Final = 1000
_MAX_PROPERTY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Properties:
    """The title of a document, and when it was last changed."""

    title: str | None = None
    at: datetime | None = None


def core_properties(package: Package) -> Properties:
    """The core properties; none where they are missing or broken, which the document itself does not suffer from."""
    texts: dict[str, str] = {}
    open_name = ""

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal open_name
        open_name = name

    def text(piece: str) -> None:
        if open_name in ("title", "modified", "created") and len(texts.get(open_name, "")) < _MAX_PROPERTY:
            texts[open_name] = texts.get(open_name, "") + piece

    try:
        parse_xml(package.pieces("docProps/core.xml"), start=start, end=lambda _: start("", {}), text=text)
    except MunimentError as error:
        if error.code != "source.damaged":
            raise
        return Properties()
    title = " ".join(texts.get("title", "").split())[:_MAX_TITLE]
    return Properties(title or None, moment(texts.get("modified")) or moment(texts.get("created")))


def moment(text: str | None) -> datetime | None:
    """A time in ISO 8601; without a zone it is in UTC. None for what is none."""
    try:
        at = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
