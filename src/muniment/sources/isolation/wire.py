"""What goes between a process and the children that read for it: frames of JSON and of bytes, and nothing that runs.

A frame is its kind (one byte), its length (eight bytes, big-endian) and its bytes.
"""

import io
import json
import socket
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final

from muniment.errors import CATALOGUE, MunimentError
from muniment.model.message import Message
from muniment.settings import Settings
from muniment.sources.parsed import Chunk, Conversation, Origin, Parsed, Part

REQUEST: Final = b"q"
DATA: Final = b"d"
PARSED: Final = b"p"
CHUNKS: Final = b"c"
PART: Final = b"a"
TEXT: Final = b"t"
ERROR: Final = b"e"
END: Final = b"."

_HEADER: Final = struct.Struct(">cQ")
_PIECE: Final = 1024 * 1024
_CHUNKS_IN_A_FRAME: Final = 200  # so that no one call of json holds the interpreter for long
_LARGEST_JSON: Final = 256 * 1024 * 1024


class Broken(Exception):
    """The other side ended before it had said all."""


def send(to: socket.socket, kind: bytes, content: bytes | Any) -> None:
    """Sends one frame; what is not bytes goes as JSON."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    to.sendall(_HEADER.pack(kind, len(data)))
    view = memoryview(data)
    for start in range(0, len(view), _PIECE):
        to.sendall(view[start : start + _PIECE])


def receive(of: socket.socket, largest: int) -> tuple[bytes, bytes]:
    """The next frame, of at most ``largest`` bytes. Raises ``Broken``."""
    kind, length = _HEADER.unpack(_exactly(of, _HEADER.size))
    if length > largest:
        raise Broken
    return kind, _exactly(of, length)


def receive_json(of: socket.socket) -> tuple[bytes, Any]:
    """The next frame, of JSON. Raises ``Broken``."""
    kind, data = receive(of, _LARGEST_JSON)
    return kind, json.loads(data)


def _exactly(of: socket.socket, length: int) -> bytes:
    data = io.BytesIO()  # which gives its bytes without a copy of them, as a bytearray cannot
    while length:
        piece = of.recv(min(length, _PIECE))
        if not piece:
            raise Broken
        length -= data.write(piece)
    return data.getvalue()


def origin_as_json(origin: Origin) -> dict[str, Any]:
    """An origin, with those settings that are numbers, and how times are to be read: no secret, address or path goes to
    a reader."""
    plain = {
        name: value
        for name, value in origin.settings.model_dump().items()
        if isinstance(value, int | float) or name == "local_time_zone"
    }
    known = {name: getattr(origin, name) for name in origin.__dataclass_fields__ if name != "settings"}
    return {**known, "settings": plain}


def origin_from_json(sent: Mapping[str, Any]) -> Origin:
    """What ``origin_as_json`` was made of."""
    return Origin(**{**sent, "settings": Settings(**sent["settings"])})


def send_parsed(to: socket.socket, parsed: Parsed) -> None:
    """Sends what was read, but for its parts: the frame of the whole, then its chunks."""
    whole = asdict(replace(parsed, chunks=[], messages=None, parts=[]))
    whole["at"] = _time(parsed.at)
    messages = parsed.messages
    whole["messages"] = None if messages is None else [each.model_dump(mode="json") for each in messages]
    send(to, PARSED, whole)
    for start in range(0, len(parsed.chunks), _CHUNKS_IN_A_FRAME):
        some = parsed.chunks[start : start + _CHUNKS_IN_A_FRAME]
        send(to, CHUNKS, [_chunk_as_json(chunk) for chunk in some])


def _chunk_as_json(chunk: Chunk) -> dict[str, Any]:
    """All of a chunk; ``asdict`` would copy it to its depth first, which takes longer than to read many a format."""
    known = {name: getattr(chunk, name) for name in Chunk.__dataclass_fields__}
    return {**known, "metadata": dict(chunk.metadata), "at": _time(chunk.at)}


def parsed_from_json(sent: Mapping[str, Any]) -> Parsed:
    """What was read, still without its chunks and parts."""
    messages, talks = sent["messages"], sent["conversations"]
    return Parsed(
        **{
            **sent,
            "at": _moment(sent["at"]),
            "conversations": None
            if talks is None
            else [Conversation(each["key"], each["title"], (each["turns"][0], each["turns"][1])) for each in talks],
            "messages": None if messages is None else [Message.model_validate(each) for each in messages],
        }
    )


def chunks_from_json(sent: Iterable[Mapping[str, Any]]) -> Iterator[Chunk]:
    """Chunks of a frame."""
    for each in sent:
        yield Chunk(**{**each, "at": _moment(each["at"])})


def send_part(to: socket.socket, part: Part) -> None:
    """Sends a part: what is known of it, then its bytes."""
    known = {name: getattr(part, name) for name in ("key", "filename", "media_type", "title")}
    known["place"] = dict(part.place)
    error = None if part.error is None else error_as_json(part.error)
    send(to, PART, {**known, "at": _time(part.at), "error": error})
    send(to, DATA, part.data)


def part_from_json(sent: Mapping[str, Any], data: bytes) -> Part:
    """A part of its two frames."""
    error = None if sent["error"] is None else error_from_json(sent["error"])
    return Part(
        sent["key"],
        sent["filename"],
        sent["media_type"],
        data,
        _moment(sent["at"]),
        error,
        sent["title"],
        sent["place"],
    )


def error_as_json(error: MunimentError) -> dict[str, Any]:
    """An error, to be raised again on the other side."""
    return {"code": error.code, "detail": error.detail, "facts": json.loads(json.dumps(error.facts, default=str))}


def error_from_json(sent: Mapping[str, Any]) -> MunimentError:
    """The error; one that is in no catalogue, which no reader of ours sends, is a crash."""
    if sent["code"] not in CATALOGUE:
        raise Broken
    return MunimentError(sent["code"], sent["detail"], **sent["facts"])


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _moment(sent: str | None) -> datetime | None:
    return None if sent is None else datetime.fromisoformat(sent)
