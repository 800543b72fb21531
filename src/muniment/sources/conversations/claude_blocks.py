"""What a message of Claude holds beside its text: thoughts, what tools gave, and artifacts as sources of their own."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from muniment.sources.conversations.json_export import Path, list_of, name_of, object_of, text_of
from muniment.sources.conversations.turns import clean_name, from_iso, storable
from muniment.sources.parsed import Part

_CONTENT: Final = {"thinking": "thoughts", "tool_result": "tool"}
_ENDINGS: Final = {
    "text/markdown": ".md", "text/html": ".html", "image/svg+xml": ".svg", "application/vnd.ant.react": ".jsx",
    "application/vnd.ant.mermaid": ".mmd",
}  # fmt: skip
_LANGUAGES: Final = {"python": ".py", "javascript": ".js", "typescript": ".ts", "sql": ".sql", "java": ".java"}
_MOST_CHANGES: Final = 10_000


def blocks_beside(message: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The blocks of a message that become turns of their own, each with what it needs to be one."""
    for number, each in enumerate(list_of(message.get("content"))):
        block = object_of(each)
        if block.get("type") in _CONTENT and block_text(block).strip():
            sent = {
                "uuid": f"{name_of(message.get('uuid')) or '/'.join(map(str, path))}/{number}",
                "sender": "tool" if block["type"] == "tool_result" else message.get("sender"),
                "created_at": block.get("start_timestamp") or message.get("created_at"),
                "said_as": _CONTENT[block["type"]],
            }
            yield (*path, "content", number), block | sent


def block_text(block: Mapping[str, Any]) -> str:
    """The text of a block of thoughts or of what a tool gave."""
    if block.get("type") == "thinking":
        return storable(text_of(block.get("thinking")))
    inner = block.get("content")
    texts = [text_of(object_of(each).get("text")) for each in list_of(inner)]
    return storable(text_of(inner) or "\n\n".join(text for text in texts if text.strip()))


def left_out(messages: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What of messages becomes neither a turn nor a source, once for each."""
    for message in messages:
        for each in (*list_of(message.get("attachments")), *list_of(message.get("files"))):
            if not text_of(object_of(each).get("extracted_content")).strip():
                yield "files of messages, which the export does not hold,"
        for each in list_of(message.get("content")):
            block = object_of(each)
            kind = name_of(block.get("type"))
            if kind == "tool_use" and not _is_artifact(block):
                yield "calls of tools"
            elif kind in _CONTENT and not block_text(block).strip():
                yield f"blocks without text ({kind})"
            elif kind is not None and kind not in ("text", "tool_use", *_CONTENT):
                yield f"blocks that are not known ({kind[:40]})"


def artifacts(key: str, messages: Iterable[Mapping[str, Any]]) -> list[Part]:
    """The artifacts of a conversation as they stood at its end, each a source under ``artifacts/<conversation>/``."""
    contents: dict[str, tuple[str, str, Any]] = {}
    changes = 0
    for message in messages:
        for each in list_of(message.get("content")):
            block = object_of(each)
            if not _is_artifact(block):
                continue
            given = object_of(block.get("input"))
            identity = name_of(given.get("id")) or f"artifact {len(contents) + 1}"
            before = contents.get(identity, ("", "", None))
            text = text_of(given.get("content"))
            changes += 1
            if given.get("command") == "update" and changes <= _MOST_CHANGES:
                text = before[0].replace(text_of(given.get("old_str")) or "\0", text_of(given.get("new_str")), 1)
            shown = (clean_name(name_of(given.get("title"))) or identity).replace("/", "-")
            name = before[1] or shown + _ending(given)
            contents[identity] = (text or before[0], name, message.get("created_at") or before[2] or "")
    return [
        Part(f"artifacts/{key}/{number}/{name}", name, None, storable(text).encode(), from_iso(at))
        for number, (text, name, at) in enumerate(contents.values(), 1)
        if text.strip()
    ]


def _is_artifact(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "tool_use" and block.get("name") == "artifacts"


def _ending(given: Mapping[str, Any]) -> str:
    kind, language = text_of(given.get("type")), text_of(given.get("language")).lower()
    return _ENDINGS.get(kind) or _LANGUAGES.get(language) or ".txt"
