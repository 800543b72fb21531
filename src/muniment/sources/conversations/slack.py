"""Slack: the ZIP of a workspace's export, or the JSON of one day of one channel."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.conversations.json_export import (
    about,
    at_pointer,
    head_of,
    list_of,
    load_json,
    name_of,
    names_in,
    not_this,
    object_of,
    pointer_to,
)
from muniment.sources.conversations.slack_text import plain
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, from_epoch, piece_of
from muniment.sources.package import Package, directory_of
from muniment.sources.parsed import Origin, Parsed

_DAY = re.compile(r"(?:^|.*/)([^/]+)/(\d{4}-\d{2}-\d{2})\.json")
_CHANNELS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_NAMED = rb"(?:PK\x01\x02.{42}|/)"  # what stands before a name in the directory of a ZIP, or before its last part
_USERS = re.compile(_NAMED + rb"users\.json", re.DOTALL)
_LISTS = re.compile(_NAMED + rb"(?:channels|groups|dms|mpims)\.json", re.DOTALL)
_HEAD = re.compile(rb"\[\s*\{")
_TS = re.compile(rb'"ts"\s*:\s*"\d{9,11}\.\d{1,6}"')
_TYPE = re.compile(rb'"type"\s*:\s*"message"')


def looks_like_slack(data: bytes) -> bool:
    """Whether the bytes begin as a list of messages with Slack's time stamps."""
    head = head_of(data)
    return _HEAD.match(head) is not None and _TS.search(head) is not None and _TYPE.search(head) is not None


def looks_like_slack_zip(data: bytes) -> bool:
    """Whether the bytes are a ZIP with users and channels at its top, and days of channels."""
    directory = directory_of(data)
    return _USERS.search(directory) is not None and _LISTS.search(directory) is not None


def read_slack(data: bytes, origin: Origin) -> Parsed:
    """A turn each message of a channel's JSON. Speakers go by what the messages say of them, without it by their id.

    Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` and ``input.empty_text``.
    """
    messages, notes = load_json(data)
    if not isinstance(messages, list):
        raise not_this("a Slack channel")
    found = Found(notes=notes)
    channel = name_of(
        next((object_of(each).get("channel") for each in messages if object_of(each).get("channel")), None)
    )
    folder = origin.source_key.replace("\\", "/").split("/")[-2:-1]
    title = origin.title or (folder[0] if folder else None)
    talk = Talk(f"slack:{channel or title or origin.source_key}", title)
    reader = _Reader(found, _people(messages, {}))
    reader.channel(talk, messages, {})
    found.talks.append(talk)
    found.notes += _left_out(reader.left_out)
    return conversations(found, origin)


def read_slack_zip(data: bytes, origin: Origin) -> Parsed:
    """The channels of a workspace, a turn each message; speakers and mentions by the names of ``users.json``.

    Raises what ``Package`` does, ``input.json_invalid`` and ``input.empty_text``.
    """
    members = Package(data, origin.settings)
    found = Found()
    users, channels = _users(members), _channels(members)
    talks: dict[str, Talk] = {}
    left_out: Counter[str] = Counter()
    for name, folder in sorted(_days(members.names)):
        channel = channels.get(folder, {})
        identity = name_of(channel.get("id"))
        talk = talks.setdefault(folder, Talk(f"slack:{identity or folder}", _title(channel, folder, users)))
        messages, _ = load_json(members.read(name))
        if isinstance(messages, list):
            reader = _Reader(found, _people(messages, users), left_out)
            reader.channel(talk, messages, {"member": name})
    found.talks += talks.values()
    found.notes += _left_out(left_out)
    return conversations(found, origin)


def locate_slack(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the message that a locator points at."""
    messages, _ = load_json(data)
    return _located(messages, locator, _people(list_of(messages), {}))


def locate_slack_zip(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the message that a locator points at, in the member of the ZIP that it names."""
    members = Package(data)
    messages, _ = load_json(members.read(locator["member"]))
    return _located(messages, locator, _people(list_of(messages), _users(members)))


def _located(messages: Any, locator: Mapping[str, Any], people: Mapping[str, str]) -> str:
    try:
        message = object_of(at_pointer(messages, locator["pointer"]))
    except (KeyError, IndexError, TypeError, ValueError):
        raise MunimentError("source.unreadable", "The locator leads to nothing in the source.") from None
    return piece_of(plain(message, people), locator)


class _Reader:
    """Turns messages of channels into turns, and counts what has no text in them."""

    def __init__(self, found: Found, people: Mapping[str, str], left_out: Counter[str] | None = None) -> None:
        self._found = found
        self._people = people
        self.left_out: Counter[str] = Counter() if left_out is None else left_out

    def channel(self, talk: Talk, messages: list[Any], place: Mapping[str, Any]) -> None:
        """Adds the messages of one file, in its order."""
        for number, each in enumerate(messages):
            message = object_of(each)
            text = plain(message, self._people)
            if message.get("subtype") == "tombstone":
                continue
            self.left_out["files of messages, which the export does not hold,"] += len(list_of(message.get("files")))
            self.left_out["reactions"] += len(list_of(message.get("reactions")))
            if not text.strip():
                self.left_out["messages without text"] += 1
                continue
            talk.turns.append(self._turn(message, text, dict(place) | {"pointer": pointer_to(number)}))

    def _turn(self, message: Mapping[str, Any], text: str, place: dict[str, Any]) -> Turn:
        stamp = name_of(message.get("ts"))
        subtype = name_of(message.get("subtype"))
        role = "bot" if message.get("bot_id") or subtype == "bot_message" else "user"
        if role == "user" and subtype not in (None, "me_message", "thread_broadcast", "file_share", "file_comment"):
            role = "system"
        thread = name_of(message.get("thread_ts"))
        edited = from_epoch(object_of(message.get("edited")).get("ts"))
        metadata = about(
            thread=None if thread == stamp else thread,
            edited_at=edited.isoformat() if edited else None,
            attachments=", ".join(names_in(message.get("files"), "name")),
        )
        user = name_of(message.get("user")) or name_of(message.get("bot_id"))
        speaker = self._people.get(user or "") or name_of(message.get("username")) or user
        identity = None if stamp is None else f"{stamp}/{user or speaker}"
        return Turn(text, place, speaker, role, from_epoch(stamp), None, identity, metadata)


def _left_out(counted: Counter[str]) -> Iterator[str]:
    return (f"{count} {what} are left out." for what, count in counted.items() if count)


def _days(names: list[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        if found := _DAY.fullmatch(name):
            yield name, found[1]


def _member(names: list[str], wanted: str) -> str | None:
    return next((name for name in names if name.rpartition("/")[2] == wanted and name.count("/") <= 1), None)


def _users(members: Package) -> dict[str, str]:
    member = _member(members.names, "users.json")
    listed = [] if member is None else list_of(load_json(members.read(member))[0])
    users: dict[str, str] = {}
    for each in listed:
        user = object_of(each)
        identity, profile = name_of(user.get("id")), object_of(user.get("profile"))
        known = (user.get("real_name"), profile.get("real_name"), profile.get("display_name"), user.get("name"))
        shown = next((name for one in known if (name := name_of(one))), None)
        if identity and shown:
            users[identity] = shown
    return users


def _people(messages: list[Any], users: Mapping[str, str]) -> dict[str, str]:
    """The users, and those of whom only the messages tell."""
    people: dict[str, str] = {}
    for each in messages:
        message = object_of(each)
        profile = object_of(message.get("user_profile"))
        shown = name_of(profile.get("real_name")) or name_of(profile.get("display_name"))
        user = name_of(message.get("user"))
        if user and shown:
            people.setdefault(user, shown)
    return people | dict(users)


def _channels(members: Package) -> dict[str, dict[str, Any]]:
    """The channels by the folders of their days: their name, of direct messages their id."""
    channels: dict[str, dict[str, Any]] = {}
    for wanted in _CHANNELS:
        member = _member(members.names, wanted)
        for each in [] if member is None else list_of(load_json(members.read(member))[0]):
            channel = object_of(each)
            for folder in (name_of(channel.get("name")), name_of(channel.get("id"))):
                if folder:
                    channels.setdefault(folder, channel)
    return channels


def _title(channel: Mapping[str, Any], folder: str, users: Mapping[str, str]) -> str:
    if name := name_of(channel.get("name")):
        return f"#{name}"
    people = [users.get(str(each), str(each)) for each in list_of(channel.get("members"))]
    return ", ".join(people) or folder
