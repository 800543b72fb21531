# ruff: noqa: E501 — exports are written as they come
"""What exports of chats hold beside messages is read or counted: nothing is lost without a note."""

import json
from typing import Any

from muniment.settings import Settings
from muniment.sources import Parsed, read_source


def read(export: Any, filename: str) -> Parsed:
    return read_source(
        json.dumps(export).encode(), kind="file", filename=filename, media_type=None, source_key=filename,
        settings=Settings(),
    )  # fmt: skip


def claude(*messages: dict[str, Any]) -> Parsed:
    sent = [{"sender": "assistant", "created_at": "2026-01-31T09:30:00Z"} | each for each in messages]
    return read([{"uuid": "c", "name": "N", "chat_messages": sent}], "conversations.json")


def test_an_artifact_of_claude_is_a_source_as_it_stood_at_the_end() -> None:
    def used(**given: str) -> dict[str, Any]:
        return {"type": "tool_use", "name": "artifacts", "input": given}

    first = used(command="create", id="a", title="The plan/1", type="text/markdown", content="# Roof\n\nUse tiles.")
    second = used(command="update", id="a", old_str="tiles", new_str="slate")
    parsed = claude(
        {"uuid": "1", "text": "x", "content": [first, {"type": "text", "text": "x"}]},
        {"uuid": "2", "text": "y", "content": [second, {"type": "tool_use", "name": "web", "input": {"q": "z"}}]},
    )
    part = parsed.parts[0]
    assert (part.key, part.filename, part.data) == (
        "artifacts/c/1/The plan-1.md",
        "The plan-1.md",
        b"# Roof\n\nUse slate.",
    )
    assert "1 calls of tools are left out." in parsed.notes


def test_thoughts_and_results_of_tools_are_turns_that_say_what_they_are() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "tool_result", "content": [{"type": "text", "text": "22 degrees"}]},
        {"type": "text", "text": "Steep."},
        {"type": "image"},
    ]
    parsed = claude({"uuid": "1", "content": blocks, "files": [{"file_name": "roof.jpg"}]})
    told = [(chunk.text, chunk.role, chunk.metadata.get("content")) for chunk in parsed.chunks]
    assert told == [("Steep.", "assistant", None), ("Hm.", "assistant", "thoughts"), ("22 degrees", "tool", "tool")]
    assert len({chunk.locator["message_id"] for chunk in parsed.chunks}) == 3
    assert {"1 blocks that are not known (image) are left out.", "1 files of messages, which the export does not hold, are left out."} <= set(parsed.notes)  # fmt: skip


def test_what_chatgpt_thinks_and_is_given_is_read_and_what_is_hidden_counted() -> None:
    def node(name: str, parent: str | None, role: str, content: dict[str, Any], **known: bool) -> dict[str, Any]:
        return {
            "parent": parent,
            "message": {"id": name, "author": {"role": role}, "content": content, "metadata": known},
        }

    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-1"}
    mapping = {
        "c": node("c", None, "user", {"content_type": "user_editable_context", "user_profile": "I am Maya."}, is_visually_hidden_from_conversation=True),
        "q": node("q", "c", "user", {"content_type": "multimodal_text", "parts": [image, "What is it?"]}),
        "t": node("t", "q", "assistant", {"content_type": "thoughts", "thoughts": [{"summary": "Look", "content": "A roof."}]}),
        "r": node("r", "t", "tool", {"content_type": "tether_browsing_display", "result": "Roofs slope."}),
        "a": node("a", "r", "assistant", {"content_type": "text", "parts": ["A roof."]}),
    }  # fmt: skip
    parsed = read([{"title": "T", "mapping": mapping, "current_node": "a", "id": "c"}], "conversations.json")
    told = [(chunk.text, chunk.role, chunk.metadata.get("content")) for chunk in parsed.chunks]
    assert told == [
        ("What is it?", "user", None), ("Look\n\nA roof.", "assistant", "thoughts"), ("Roofs slope.", "tool", "tool"),
        ("A roof.", "assistant", None),
    ]  # fmt: skip
    assert parsed.notes == [
        "1 images and recordings of messages, which the export does not hold, are left out.",
        "1 messages that people are not shown (user_editable_context) are left out.",
    ]


def test_slack_reads_blocks_and_attachments_once_and_counts_files_and_reactions() -> None:
    def message(ts: int, **more: Any) -> dict[str, Any]:
        return {"type": "message", "user": "U1", "ts": f"176985180{ts}.000100", **more}

    section = {"type": "section", "text": {"type": "mrkdwn", "text": "*Build* 42"}}
    parsed = read(
        [
            message(1, text="Build 42", blocks=[section], reactions=[{"name": "x"}], files=[{"name": "a.pdf"}]),
            message(2, text="Look", attachments=[{"title": "Page", "text": "On roofs", "fallback": "Page: On roofs"}]),
            message(3, text="", blocks=[{"type": "divider"}]),
        ],
        "2026-01-31.json",
    )
    assert [chunk.text for chunk in parsed.chunks] == ["Build 42", "Look\nPage\nOn roofs"]
    assert parsed.notes == [
        "1 files of messages, which the export does not hold, are left out.", "1 reactions are left out.",
        "1 messages without text are left out.",
    ]  # fmt: skip


def test_polls_and_fields_are_read_and_media_and_reactions_counted() -> None:
    told = {"id": 1, "type": "message", "date": "2026-01-31T10:00:00", "date_unixtime": "1769850000", "from": "A"}
    poll = told | {"text": "", "poll": {"question": "When?", "answers": [{"text": "Now"}, {"text": "Later"}]}}
    photo = told | {"id": 2, "text": "Look", "photo": "a.jpg", "reactions": [{"emoji": "x"}]}
    place = told | {"id": 3, "text": "Here", "location_information": {"latitude": 1}}
    parsed = read({"name": "R", "type": "personal_chat", "id": 1, "messages": [poll, photo, place]}, "result.json")
    assert [chunk.text for chunk in parsed.chunks] == ["When?\nNow\nLater", "Look", "Here"]
    assert parsed.notes == [
        "1 files of messages, which this JSON does not hold, are left out.",
        "1 messages' location_information are left out.", "1 reactions are left out.",
    ]  # fmt: skip
    sent = {"id": "1", "type": "Default", "timestamp": "2026-01-31T10:00:00+00:00", "author": {"name": "A"}}
    sent |= {"content": "", "embeds": [{"title": "Build", "fields": [{"name": "State", "value": "green"}]}]}
    sent |= {"stickers": [{"name": "s"}], "attachments": [{"fileName": "a.pdf"}], "reactions": []}
    parsed = read({"guild": {"name": "G"}, "channel": {"id": "1", "name": "c"}, "messages": [sent]}, "c.json")
    assert [chunk.text for chunk in parsed.chunks] == ["Build\n\nState: green"]
    assert parsed.notes == [
        "1 files of messages, which this JSON does not hold, are left out.", "1 stickers are left out.",
    ]  # fmt: skip
