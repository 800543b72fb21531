"""Sending sources to a server: small ones together in JSON, each large file as it is; all in the order given."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.memory.interface.writing import Wait
from muniment.memory.transport import Transport
from muniment.memory.wire import as_json, as_query, dump, key_or_new, read_answer
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionItem, IngestionRun, SourceInput, ended

LARGE: Final = 4 * 1024 * 1024
"""Bytes of a file beyond which it is a request of its own."""
TOGETHER: Final = 16 * 1024 * 1024
"""Bytes of sources that one request carries together."""
_MOST_IN_JSON: Final = 48 * 1024 * 1024  # in base64 what a server takes by default
_METADATA_IN_QUERY: Final = 4096  # characters; servers hold the line of a request to some 64 kB, escapes included


@dataclass(frozen=True, slots=True)
class _Sized:
    """A source, its place among those given, and the bytes of its file."""

    index: int
    source: SourceInput
    size: int


@dataclass(frozen=True, slots=True)
class _OfRun:
    """Which run the sources of a request are added to, and whether more of it follow in another."""

    id: str | None
    more: bool


async def send_sources(
    transport: Transport, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None,
    run: str | None, more: bool = False,
) -> IngestionRun:  # fmt: skip
    """The run of the sources, which may take several requests: the later ones add to the run of the first.

    Each has an idempotency key, those of the later ones made from the one given: sent again, all have one effect. Its
    items are those of the sources as they were given, then what was inside them. All but the last say that ``more`` of
    the run follow, so that it has no end where this breaks off. Raises ``source.unreadable`` with the ``index`` of a
    file that cannot be read, before anything is sent.
    """
    given: list[IngestionItem] = []
    items: dict[int, IngestionItem] = {}
    answer: IngestionRun | None = None
    key = key_or_new(idempotency_key)
    requests = _requests(await asyncio.to_thread(_sized, sources))
    for number, some in enumerate(requests):
        of_run = _OfRun(run, more or number + 1 < len(requests))
        answer = await _send(transport, namespace, some, wait, key if number == 0 else _following(key, number), of_run)
        run = run or answer.id
        given += answer.items[: len(some)]
        items |= {item.index: item for item in answer.items}
    assert answer is not None  # no sources are a request too, which the server refuses
    for item in given:
        del items[item.index]
    given += [items[index] for index in sorted(items)]
    state = "running" if answer.state == "running" else ended(given)
    return answer.model_copy(update={"items": given, "state": state})


def _following(key: str, number: int) -> str:
    """The key of a later request: a digest, since the one given may be as long as a key can be."""
    return sha256(f"{number} {key}".encode()).hexdigest()


async def _send(
    transport: Transport, namespace: Namespace, some: list[_Sized], wait: Wait, key: str, run: _OfRun
) -> IngestionRun:
    refusal: MunimentError | None = None
    asked = await asyncio.to_thread(_upload, namespace, some[0], wait, run) if some and _alone(some[0]) else None
    if asked is not None:
        query, content = asked
        try:
            answer = await transport.upload("sources/upload", query, content, idempotency_key=key)
            return read_answer(IngestionRun, answer)
        except OSError as error:
            raise _unreadable(error, some[0].index) from None
        except MunimentError as error:
            if error.code != "input.too_large" or some[0].size > _MOST_IN_JSON:
                raise
            refusal = error  # of the request; in JSON the file fails alone, as an item that its run has
    body = await asyncio.to_thread(_body, namespace, some, wait, run)
    try:
        return read_answer(IngestionRun, await transport.post("sources/ingest", body, idempotency_key=key))
    except MunimentError as error:
        raise refusal if refusal is not None and error.code == refusal.code else error from None


def _sized(sources: Iterable[SourceInput]) -> list[_Sized]:
    return [_Sized(index, source, _size(index, source)) for index, source in enumerate(sources)]


def _size(index: int, source: SourceInput) -> int:
    if source.path is None:
        return len(source.content_base64 or "") // 4 * 3 + len(source.text or "")
    try:
        with source.path.open("rb") as file:
            return file.seek(0, 2)
    except (OSError, ValueError) as error:
        raise _unreadable(error, index) from None


def _requests(sources: Iterable[_Sized]) -> list[list[_Sized]]:
    """Small sources together, as many as a request may well carry, each large file alone; the order stays."""
    made: list[list[_Sized]] = [[]]
    size = 0
    for each in sources:
        if _alone(each):
            made += [[each], []]
            size = 0
            continue
        if made[-1] and size + each.size > TOGETHER:
            made.append([])
            size = 0
        made[-1].append(each)
        size += each.size
    return [some for some in made if some] or [[]]


def _alone(each: _Sized) -> bool:
    """Whether a source is sent as bytes: a large file whose name and metadata a query can say."""
    source = each.source
    return (
        each.size > LARGE and source.kind == "file" and source.text is None and source.url is None
        and (source.path is not None or source.filename is not None)
        and len(json.dumps(source.metadata)) <= _METADATA_IN_QUERY
    )  # fmt: skip


def _upload(namespace: Namespace, each: _Sized, wait: Wait, run: _OfRun) -> tuple[dict[str, str], Path | bytes] | None:
    """What the query says of a source, and what the body is; None for what is no base64, which fails as an item."""
    source = each.source
    known: dict[str, Any] = {
        **as_query(namespace.model_copy(update={"session_id": source.session_id or namespace.session_id})),
        "filename": source.filename or (source.path.name if source.path else None),
        "media_type": source.media_type, "source_key": source.source_key, "title": source.title,
        "language": source.language, "commit": source.commit, "at": as_json(source).get("at"),
        "metadata": dump(source.metadata).decode() if source.metadata else None, "wait": wait, "run": run.id,
        "more": "true" if run.more else None,
    }  # fmt: skip
    query = {name: value for name, value in known.items() if value is not None}
    dump(query)  # so that half a surrogate pair is the error that it is in JSON
    if source.path is not None:
        return query, source.path
    try:
        return query, base64.b64decode(source.content_base64 or "", validate=True)
    except (binascii.Error, ValueError):
        return None


def _body(namespace: Namespace, some: list[_Sized], wait: Wait, run: _OfRun) -> bytes:
    return dump(
        {
            "namespace": as_json(namespace),
            "sources": [as_json(_carried(each)) for each in some],
            "wait": wait,
            **({} if run.id is None else {"run": run.id}),
            **({"more": True} if run.more else {}),
        }
    )


def _carried(each: _Sized) -> SourceInput:
    """The source with its file's bytes in place of its path, which means nothing to the server."""
    source = each.source
    if source.path is None:
        return source
    try:
        data = source.path.read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(error, each.index) from None
    content = base64.b64encode(data).decode()
    name = source.filename or source.path.name
    return source.model_copy(update={"path": None, "content_base64": content, "filename": name})


def _unreadable(error: OSError | ValueError, index: int) -> MunimentError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a valid path"
    return MunimentError("source.unreadable", f"the file cannot be read: {reason}", index=index)
