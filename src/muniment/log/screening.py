"""What a tenant's policy says of what enters: refused, masked or marked, before anything of it is hashed or stored."""

import asyncio
import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from muniment.database.policies import policy_in_force
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.admission import AdmittedSource
from muniment.model.message import Message
from muniment.model.policy import MARK, SensitiveClass
from muniment.model.source import SourceInput
from muniment.providers.sensitive import Finding, SensitiveFinder, load_finder, replaced
from muniment.sources.decode import decode

_NAMES_IN_JSON: Final = frozenset({"id", "role", "speaker"})
_DEEPEST: Final = 200  # levels of JSON; what is deeper no reader takes


@dataclass(frozen=True, slots=True)
class Screen:
    """A policy at work on one request."""

    finder: SensitiveFinder
    refused: frozenset[SensitiveClass]
    masked: frozenset[SensitiveClass]
    marked: frozenset[SensitiveClass]

    def text(self, text: str, field: str, **facts: Any) -> str:
        """The text as it may be stored; raises ``policy.refused``."""
        found = self.finder.find(text)
        self._refuse(found, self.refused, field, facts)
        return replaced(text, [each for each in found if each.sensitive in self.masked])

    def name(self, name: str | None, field: str, **facts: Any) -> None:
        """Raises ``policy.refused`` for a name that holds what may not be stored: masked it would be another's."""
        if name is not None:
            self._refuse(self.finder.find(name), self.refused | self.masked, field, facts)

    def marks(self, texts: Iterable[str]) -> dict[str, bool]:
        """The metadata of a record with these texts that say which classes it holds."""
        if not self.marked:
            return {}
        found = {each.sensitive for text in texts for each in self.finder.find(text)}
        return {f"{MARK}{name}": True for name in sorted(found & self.marked)}

    def metadata(self, metadata: Mapping[str, Any], **facts: Any) -> dict[str, Any]:
        """Metadata as they may be stored; a number that is to be masked becomes a text."""
        for key in metadata:
            self.name(key, "metadata", **facts)
        return {key: self._value(value, "metadata", facts) for key, value in metadata.items()}

    def message(self, index: int, message: Message) -> Message:
        """The message as it may be stored; raises ``policy.refused`` with its index."""
        for field in ("id", "role", "speaker"):
            self.name(getattr(message, field), field, index=index)
        content = self.text(message.content, "content", index=index)
        metadata = self.metadata(message.metadata, index=index) | self.marks([content])
        return message.model_copy(update={"content": content, "metadata": metadata})

    def source(self, source: SourceInput) -> SourceInput:
        """The source as it may be stored, but for the bytes of a path, which ``admitted`` sees to."""
        for field in ("filename", "source_key", "session_id", "media_type", "url"):
            self.name(getattr(source, field), field)
        self.name(None if source.path is None else str(source.path), "path")
        changed: dict[str, Any] = {"metadata": self.metadata(source.metadata)}
        if source.title is not None:
            changed["title"] = self.text(source.title, "title")
        if source.text is not None:
            changed["text"] = self.text(source.text, "text")
        if source.content_base64 is not None:
            changed["content_base64"] = self._base64(source)
        return source.model_copy(update=changed)

    def admitted(self, source: AdmittedSource) -> AdmittedSource:
        """A source whose bytes were read from a file, as it may be stored."""
        for field in ("filename", "source_key"):
            self.name(getattr(source, field), field)
        return replace(source, data=self._data(source.data, source.filename, source.media_type))

    def check(self, texts: Iterable[str]) -> None:
        """Raises ``policy.refused`` where what a reader made of a source holds what its bytes did not show."""
        for text in texts:
            self._refuse(self.finder.find(text), self.refused | self.masked, "content", {})

    def _refuse(
        self, found: Sequence[Finding], classes: frozenset[SensitiveClass], field: str, facts: Mapping[str, Any]
    ) -> None:
        counts = Counter(each.sensitive for each in found if each.sensitive in classes)
        if counts:
            names = ", ".join(sorted(counts))
            raise MunimentError(
                "policy.refused", f"{field} holds what the policy keeps out: {names}", field=field,
                classes=dict(sorted(counts.items())), **facts,
            )  # fmt: skip

    def _value(self, value: Any, field: str, facts: Mapping[str, Any]) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return value
        shown = self.text(str(value), field, **facts)
        return value if shown == str(value) else shown

    def _base64(self, source: SourceInput) -> str | None:
        content = source.content_base64 or ""
        try:
            data = base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            return content  # which the admission refuses
        masked = self._data(data, source.filename, source.media_type)
        return content if masked == data else base64.b64encode(masked).decode()

    def _data(self, data: bytes, filename: str | None, media_type: str | None) -> bytes:
        """The bytes of a text, as they may be stored, in UTF-8 where something was masked."""
        try:
            text = decode(data)
        except MunimentError:
            return data  # no text: ``check`` sees what a reader makes of it
        if "json" in (media_type or "") or (filename or "").lower().endswith(".json"):
            try:
                parsed = json.loads(text)
                shown = self._json(parsed, None, 0)
            except (ValueError, RecursionError):
                pass  # broken, which its reader says
            else:
                return data if shown == parsed else json.dumps(shown, ensure_ascii=False).encode()
        masked = self.text(text, "content")
        return data if masked == text else masked.encode()

    def _json(self, value: Any, key: str | None, depth: int) -> Any:
        if depth > _DEEPEST:
            raise RecursionError
        if isinstance(value, dict):
            for name in value:
                self.name(name, "content")
            return {name: self._json(inner, name, depth + 1) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._json(inner, key, depth + 1) for inner in value]
        if key in _NAMES_IN_JSON and isinstance(value, str):
            self.name(value, str(key))
        return self._value(value, "content", {})


async def screen_of(database: Database, tenant: int) -> Screen | None:
    """What the tenant's policy does with what enters, None where that is nothing; ``policy.detector_missing``."""
    async with database.scope(tenant) as scope:
        policy = await policy_in_force(scope)
    refused, masked, marked = (policy.ingested(action) for action in ("refuse", "mask", "mark"))
    if not refused | masked | marked:
        return None
    return Screen(await load_finder(refused | masked | marked), refused, masked, marked)


async def screen_sources(
    screen: Screen, sources: Sequence[SourceInput]
) -> list[tuple[SourceInput, MunimentError | None]]:
    """Each source as it may be stored, or why it is refused, with nothing but its kind, and its name where that is not
    what is kept out."""
    return await asyncio.to_thread(lambda: [_screened(screen, source) for source in sources])


async def screen_messages(screen: Screen, messages: Sequence[Message], group_id: str) -> list[Message]:
    """The messages as they may be stored; raises ``policy.refused`` for the first that may not."""
    screen.name(group_id, "group_id")
    return await asyncio.to_thread(lambda: [screen.message(index, each) for index, each in enumerate(messages)])


def _screened(screen: Screen, source: SourceInput) -> tuple[SourceInput, MunimentError | None]:
    try:
        return screen.source(source), None
    except MunimentError as error:
        return SourceInput(kind=source.kind, source_key=_harmless_name(screen, source)), error


def _harmless_name(screen: Screen, source: SourceInput) -> str | None:
    """The name by which its caller knows a source that is refused; None where the name itself may not be stored."""
    try:
        screen.name(source.called, "source_key")
        return SourceInput(kind=source.kind, source_key=source.called).source_key
    except (MunimentError, ValueError):
        return None
