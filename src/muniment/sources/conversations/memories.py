"""What other memories export in JSON: mem0's memories, and the messages, episodes and facts of Zep and Graphiti."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.sources.conversations.json_export import (
    head_of,
    list_of,
    load_json,
    name_of,
    not_this,
    object_of,
    pointed,
    pointer_to,
    text_of,
)
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, from_iso, piece_of, storable
from muniment.sources.parsed import Origin, Parsed

_MEMORY = re.compile(rb'"memory"\s*:\s*"')
_ID = re.compile(rb'"(?:hash|user_id|agent_id|created_at)"\s*:')
_ZEP = re.compile(rb'"(?:role_type|fact|valid_at|source_node_uuid|group_id)"\s*:')
_LISTS = ("messages", "episodes", "edges", "facts")
_KEPT = ("valid_at", "invalid_at", "expired_at", "updated_at", "agent_id", "app_id", "run_id", "name")
_Item = tuple[str, str | None, dict[str, Any]]
"""A pointer, whose it is, and what stands there."""
_ROLES = frozenset({"user", "assistant", "system", "tool", "function"})


def looks_like_mem0(data: bytes) -> bool:
    """Whether the bytes begin as memories with their owners or times."""
    head = head_of(data)
    return head[:1] in (b"{", b"[") and _MEMORY.search(head) is not None and _ID.search(head) is not None


def looks_like_zep(data: bytes) -> bool:
    """Whether the bytes begin as messages, episodes or facts with the ids of Zep or Graphiti."""
    head = head_of(data)
    return head[:1] in (b"{", b"[") and b'"uuid"' in head and _ZEP.search(head) is not None


def read_mem0(data: bytes, origin: Origin) -> Parsed:
    """A turn each memory, by its owner: text, id, time and metadata are kept. Raises as ``read_zep``."""
    return _read(origin, "mem0", _mem0(load_json(data)))


def read_zep(data: bytes, origin: Origin) -> Parsed:
    """A turn each message, episode and fact, by session or group, with ids and times.

    Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` and ``input.empty_text``.
    """
    return _read(origin, "zep", _zep(load_json(data), (), None))


def locate_memory(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of what a locator points at."""
    return piece_of(_text(object_of(pointed(data, locator))), locator)


def _read(origin: Origin, product: str, items: Iterator[_Item]) -> Parsed:
    talks: dict[str, Talk] = {}
    for pointer, owner, item in items:
        text = _text(item)
        if text.strip():
            key = owner or origin.source_key
            talk = talks.setdefault(key, Talk(f"{product}:{key}", f"{product} {owner}" if owner else product))
            talk.turns.append(_turn(item, text, pointer))
    if not talks:
        raise not_this(product)
    return conversations(Found(list(talks.values())), origin)


def _mem0(export: Any) -> Iterator[_Item]:
    top = object_of(export)
    name = next((each for each in ("results", "memories") if isinstance(top.get(each), list)), None)
    for number, each in enumerate(list_of(top[name]) if name else list_of(export)):
        item = object_of(each)
        owner = next((found for kind in ("user_id", "agent_id", "run_id") if (found := name_of(item.get(kind)))), None)
        yield pointer_to(*([name] if name else []), number), owner, item


def _zep(
    value: Any, path: tuple[str | int, ...], owner: str | None
) -> Iterator[tuple[str, str | None, dict[str, Any]]]:
    if isinstance(value, list):
        for number, each in enumerate(value):
            item = object_of(each)
            if any(isinstance(item.get(name), list) for name in _LISTS):
                yield from _zep(item, (*path, number), owner)
            else:
                yield pointer_to(*path, number), name_of(item.get("group_id")) or owner, item
        return
    top = object_of(value)
    names = (top.get("session_id"), top.get("thread_id"), top.get("group_id"), top.get("user_id"))
    owner = next((found for name in names if (found := name_of(name))), owner)
    for name in ("sessions", "threads", *_LISTS):
        if isinstance(top.get(name), list):
            yield from _zep(top[name], (*path, name), owner)


def _turn(item: Mapping[str, Any], text: str, pointer: str) -> Turn:
    said = next((at for name in ("created_at", "valid_at") if (at := from_iso(item.get(name)))), None)
    zoned = said is not None and said.tzinfo is not None
    role = name_of(item.get("role_type")) or name_of(item.get("role")) or "memory"
    metadata: dict[str, str | int | float | bool] = {}
    for key, value in {**object_of(item.get("metadata")), **{name: item.get(name) for name in _KEPT}}.items():
        if isinstance(value, str | int | float | bool) and key.isprintable() and 0 < len(key) <= 64:
            metadata[key] = value
    return Turn(
        text,
        {"pointer": pointer},
        speaker=name_of(item.get("role")) if role in _ROLES and item.get("role") not in _ROLES else None,
        role=role,
        at=said if zoned else None,
        local_time=None if zoned else said,
        id=name_of(item.get("id")) or name_of(item.get("uuid")),
        metadata=dict(list(metadata.items())[:32]),
    )


def _text(item: Mapping[str, Any]) -> str:
    names = ("memory", "content", "fact", "episode_body", "summary")
    return storable(next((text for name in names if (text := text_of(item.get(name))).strip()), ""))
