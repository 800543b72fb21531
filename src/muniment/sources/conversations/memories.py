"""What other memories export in JSON: mem0's memories, and the messages, episodes and facts of Zep and Graphiti."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muniment.sources.conversations.json_export import (
    JsonExport,
    Path,
    Told,
    head_of,
    list_of,
    name_of,
    numbered,
    object_of,
    text_of,
)
from muniment.sources.conversations.turns import Turn, from_iso, storable, zoned
from muniment.sources.parsed import Origin

_MEMORY = re.compile(rb'"memory"\s*:\s*"')
_ID = re.compile(rb'"(?:hash|user_id|agent_id|created_at)"\s*:')
_ZEP = re.compile(rb'"(?:role_type|fact|valid_at|source_node_uuid|group_id)"\s*:')
_LISTS = ("messages", "episodes", "edges", "facts", "nodes")
_KEPT = (
    "valid_at", "invalid_at", "expired_at", "updated_at", "agent_id", "app_id", "run_id", "name", "source_node_uuid",
    "target_node_uuid",
)  # fmt: skip
_MOST_IDS = 32
_Item = tuple[Path, str | None, dict[str, Any]]
"""A path, whose it is, and what stands there."""
_TIMES = ("created_at", "valid_at")
_ROLES = frozenset({"user", "assistant", "system", "tool", "function"})


def looks_like_mem0(data: bytes) -> bool:
    """Whether the bytes begin as memories with their owners or times."""
    head = head_of(data)
    return head[:1] in (b"{", b"[") and _MEMORY.search(head) is not None and _ID.search(head) is not None


def looks_like_zep(data: bytes) -> bool:
    """Whether the bytes begin as messages, episodes or facts with the ids of Zep or Graphiti."""
    head = head_of(data)
    return head[:1] in (b"{", b"[") and b'"uuid"' in head and _ZEP.search(head) is not None


def _by_owner(product: str, items: Iterable[_Item], origin: Origin) -> list[Told]:
    """What each owner has, as a conversation."""
    owned: dict[str | None, list[tuple[Path, Mapping[str, Any]]]] = {}
    for path, owner, item in items:
        if _text(item).strip():
            owned.setdefault(owner, []).append((path, item))
    return [
        Told(owner or origin.source_key, f"{product} {owner}" if owner else product, items)
        for owner, items in owned.items()
    ]


def _mem0(export: Any) -> Iterator[_Item]:
    top = object_of(export)
    name = next((each for each in ("results", "memories") if isinstance(top.get(each), list)), None)
    for path, item in numbered(top[name], (name,)) if name else numbered(export, ()):
        owner = next((found for kind in ("user_id", "agent_id", "run_id") if (found := name_of(item.get(kind)))), None)
        yield path, owner, item


def _zep(value: Any, path: Path, owner: str | None) -> Iterator[_Item]:
    """An edge names its episodes by their ids: only a list of objects holds items of its own."""
    if isinstance(value, list):
        for inner, item in numbered(value, path):
            if any(isinstance(each, dict) for name in _LISTS for each in list_of(item.get(name))):
                yield from _zep(item, inner, owner)
            else:
                yield inner, name_of(item.get("group_id")) or owner, item
        return
    top = object_of(value)
    names = (top.get("session_id"), top.get("thread_id"), top.get("group_id"), top.get("user_id"))
    owner = next((found for name in names if (found := name_of(name))), owner)
    for name in ("sessions", "threads", *_LISTS):
        if isinstance(top.get(name), list):
            yield from _zep(top[name], (*path, name), owner)


def _turn(item: Mapping[str, Any], text: str, place: dict[str, Any]) -> Turn:
    at, local_time = zoned(next((at for name in _TIMES if (at := from_iso(item.get(name)))), None))
    role = name_of(item.get("role_type")) or name_of(item.get("role")) or "memory"
    metadata: dict[str, str | int | float | bool] = {}
    for key, value in {**object_of(item.get("metadata")), **{name: item.get(name) for name in _KEPT}}.items():
        if isinstance(value, str | int | float | bool) and key.isprintable() and 0 < len(key) <= 64:
            metadata[key] = value
    if episodes := [found for each in list_of(item.get("episodes")) if (found := name_of(each))]:
        metadata["episodes"] = " ".join(episodes[:_MOST_IDS])
    return Turn(
        text,
        place,
        speaker=name_of(item.get("role")) if role in _ROLES and item.get("role") not in _ROLES else None,
        role=role,
        at=at,
        local_time=local_time,
        id=name_of(item.get("id")) or name_of(item.get("uuid")),
        metadata=dict(list(metadata.items())[:32]),
    )


def _text(item: Mapping[str, Any]) -> str:
    names = ("memory", "content", "fact", "episode_body", "summary")
    return storable(next((text for name in names if (text := text_of(item.get(name))).strip()), ""))


MEM0 = JsonExport("mem0", lambda export, origin: _by_owner("mem0", _mem0(export), origin), _text, _turn)
ZEP = JsonExport("zep", lambda export, origin: _by_owner("zep", _zep(export, (), None), origin), _text, _turn)
