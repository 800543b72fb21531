"""Files of text, conversations, archives and images for the benchmark of reading: what makes about so many bytes."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator

_SAID = "The ladder stands in the shed behind the house, and whoever takes it brings it back before it rains. "
_NAMES = ("Anna", "Ben", "Cem", "Dora")


def _clock(number: int) -> str:
    return (
        f"2026-{1 + number // 40_320 % 12:02}-{1 + number // 1440 % 28:02}T{number // 60 % 24:02}:{number % 60:02}:00"
    )


def _enough(make: Callable[[int], str], size: int) -> Iterator[str]:
    return (make(number) for number in range(size // len(make(10_000)) + 1))


def _text(make: Callable[[int], str]) -> Callable[[int], bytes]:
    return lambda size: "".join(_enough(make, size)).encode()


def _items(make: Callable[[int], dict[str, object]]) -> Callable[[int], list[dict[str, object]]]:
    return lambda size: [make(number) for number in range(size // len(json.dumps(make(10_000))) + 1)]


def _turn(number: int) -> dict[str, object]:
    return {"role": _NAMES[number % 4], "content": f"{_SAID}{number}", "at": _clock(number) + "Z", "id": f"m{number}"}


def _discord(number: int) -> dict[str, object]:
    author = {"id": str(number % 4), "name": _NAMES[number % 4], "isBot": False}
    return {"id": str(number), "type": "Default", "timestamp": _clock(number) + "+00:00", "content": f"{_SAID}{number}",
            "author": author, "attachments": [], "embeds": []}  # fmt: skip


def _telegram(number: int) -> dict[str, object]:
    return {"id": number, "type": "message", "date": _clock(number), "date_unixtime": str(1_767_225_600 + 60 * number),
            "from": _NAMES[number % 4], "text": [f"{_SAID}{number} ", {"type": "bold", "text": "now"}]}  # fmt: skip


def _slack(number: int) -> dict[str, object]:
    return {"type": "message", "user": f"U{number % 4}", "ts": f"{1_767_225_600 + 60 * number}.000100",
            "text": f"{_SAID}<@U{number % 4}> {number}"}  # fmt: skip


def _claude(number: int) -> dict[str, object]:
    return {"uuid": f"u-{number}", "text": f"{_SAID}{number}", "sender": ("human", "assistant")[number % 2],
            "content": [{"type": "text", "text": f"{_SAID}{number}"}], "created_at": _clock(number) + "Z"}  # fmt: skip


def _mem0(number: int) -> dict[str, object]:
    return {"id": f"m{number}", "memory": f"{_SAID}{number}", "user_id": "ben", "created_at": _clock(number) + "Z"}


def _zep(number: int) -> dict[str, object]:
    return {"uuid": f"m{number}", "role": _NAMES[number % 4], "role_type": "user", "content": f"{_SAID}{number}",
            "created_at": _clock(number) + "Z"}  # fmt: skip


def chatgpt(turns: int) -> bytes:
    """One conversation of so many turns, a line without branches."""
    mapping: dict[str, object] = {"root": {"id": "root", "parent": None, "message": None}}
    for number in range(turns):
        message = {
            "id": f"n{number}", "author": {"role": ("user", "assistant")[number % 2]},
            "create_time": 1_767_225_600 + number, "content": {"content_type": "text", "parts": [f"{_SAID}{number}"]},
        }  # fmt: skip
        parent = f"n{number - 1}" if number else "root"
        mapping[f"n{number}"] = {"id": f"n{number}", "parent": parent, "message": message}
    made = {"title": "Roof", "conversation_id": "c", "current_node": f"n{turns - 1}", "mapping": mapping}
    return json.dumps([made]).encode()


def mail_of_parts(parts: int) -> bytes:
    """A mail of so many small attachments."""
    head = b"Message-ID: <1@x.org>\nFrom: a@x.org\nDate: Sat, 31 Jan 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
    part = b"--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a%d.txt\n\nShort.\n"
    return (
        head + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"".join(part % n for n in range(parts)) + b"--b--\n"
    )


def _mail(number: int) -> str:
    return (
        f"From anna@x.org Sat Jan 31 10:00:00 2026\nMessage-ID: <{number}@x.org>\nFrom: Anna <anna@x.org>\n"
        f"Date: Sat, 31 Jan 2026 10:00:00 +0000\nSubject: The roof {number}\n\n{_SAID * 8}\n\n"
        f"On Fri, Jan 30, 2026 at 8:00 PM Ben <b@x.org> wrote:\n> {_SAID}\n\n"
    )


def slack_workspace(size: int) -> bytes:
    """A ZIP of one channel."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("users.json", json.dumps([{"id": f"U{n}", "name": name} for n, name in enumerate(_NAMES)]))
        made.writestr("channels.json", json.dumps([{"id": "C1", "name": "roof"}]))
        made.writestr("roof/2026-01-01.json", json.dumps(_items(_slack)(size)))
    return out.getvalue()


def _members(size: int) -> Iterator[tuple[str, bytes]]:
    for number in range(size // 20_000 + 1):
        yield f"notes/{number % 50}/{number}.txt", f"{number}. {_SAID}\n\n".encode() * (20_000 // (len(_SAID) + 8))


def zipped(size: int) -> bytes:
    """A ZIP of text files of 20 kB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in _members(size):
            made.writestr(name, content)
    return out.getvalue()


def tarred(size: int, compression: str = "") -> bytes:
    """A TAR of text files of 20 kB."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}") as made:  # type: ignore[call-overload]
        for name, content in _members(size):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return out.getvalue()


def _gzipped(size: int) -> bytes:
    import gzip

    return gzip.compress(_text(lambda number: f"{number}. {_SAID}\n\n")(size))


def _cue(number: int) -> str:
    at = f"{number // 1200:02}:{number // 20 % 60:02}:{number % 20 * 3:02}"
    return f"{at}.000 --> {at}.900\n<v {_NAMES[number % 4]}>{_SAID}{number}\n\n"


def _manifest(size: int) -> bytes:
    entries = [{"path": f"notes/{n}.txt", "bytes": n, "source_key": f"k!/notes/{n}.txt"} for n in range(size // 70)]
    made = {"muniment_manifest": 1, "name": "notes/", "commit": None, "entries": entries}
    return json.dumps(made, separators=(",", ":")).encode()


def _json_of(make: Callable[[int], object]) -> Callable[[int], bytes]:
    return lambda size: json.dumps(make(size)).encode()


MAKERS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "plain text": ("a.txt", _text(lambda number: f"{number}. {_SAID}\n\n")),
    "markdown": ("a.md", _text(lambda number: f"## {number}\n\n{_SAID}\n\n- one\n- two\n\n")),
    "message list": ("a.json", _json_of(_items(_turn))),
    "discord": ("a.json", _json_of(lambda size: {
        "guild": {"id": "1", "name": "House"}, "channel": {"id": "2", "name": "roof"},
        "messages": _items(_discord)(size)})),
    "telegram": ("a.json", _json_of(lambda size: {
        "name": "Roof", "type": "private_group", "id": 1, "messages": _items(_telegram)(size)})),
    "slack channel": ("a.json", _json_of(_items(_slack))),
    "slack workspace": ("a.zip", slack_workspace),
    "chatgpt": ("a.json", lambda size: chatgpt(size // 330)),
    "claude": ("a.json", _json_of(lambda size: [{"uuid": "c", "name": "R", "chat_messages": _items(_claude)(size)}])),
    "mem0": ("a.json", _json_of(lambda size: {"results": _items(_mem0)(size)})),
    "zep": ("a.json", _json_of(lambda size: {"sessions": [{"session_id": "s", "messages": _items(_zep)(size)}]})),
    "whatsapp": ("a.txt", _text(lambda n: f"{n // 1440 % 28 + 1:02}/01/2026, {n // 60 % 24:02}:{n % 60:02} - "
                                f"{_NAMES[n % 4]}: {_SAID}{n}\n")),
    "webvtt": ("a.vtt", lambda size: b"WEBVTT\n\n" + _text(_cue)(size)),
    "subrip": ("a.srt", _text(lambda n: f"{n + 1}\n{_cue(n).replace('.', ',')}")),
    "mail": ("a.eml", lambda size: mail_of_parts(size // 90)),
    "mailbox": ("a.mbox", _text(_mail)),
    "manifest": ("a", _manifest),
    "zip": ("a.zip", zipped),
    "tar": ("a.tar", tarred),
    "compressed tar": ("a.tar.gz", lambda size: tarred(size, "gz")),
    "compressed file": ("a.txt.gz", _gzipped),
}  # fmt: skip
"""By the name of a format: the name of a file of it, and what makes about so many bytes, unpacked."""
