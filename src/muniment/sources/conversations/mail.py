"""E-mail: one message (.eml) or a mailbox (.mbox). Threads are conversations, mails their turns."""

import email
import email.policy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import Message as Mail
from itertools import islice
from typing import Any

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.conversations.mail_alternatives import html_only
from muniment.sources.conversations.mail_body import html_text, passages, said_in
from muniment.sources.conversations.mail_headers import address, decoded, header, identifiers, person, sent_at, to_text
from muniment.sources.conversations.mail_repeats import OwnWords
from muniment.sources.conversations.threads import Threads
from muniment.sources.conversations.turns import (
    Found,
    Talk,
    Turn,
    clean_name,
    content_ids,
    conversations,
    piece_of,
    storable,
    zoned,
)
from muniment.sources.parsed import Origin, Parsed, Part

_BOUNDARY = re.compile(rb"boundary[ \t]*=[ \t]*\"?([^\";\r\n]{1,200})", re.IGNORECASE)
_DELIMITER = re.compile(rb"^--([^\r\n]{1,200})", re.MULTILINE)
_NESTED = re.compile(rb"content-type:[ \t]*(?:multipart/|message/)", re.IGNORECASE)
_FROM = re.compile(rb"^From [^\r\n]*\r?\n", re.MULTILINE)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_FIRST_HEADERS = re.compile(
    rb"(?:From [^\r\n]*\r?\n)?(?:[!-9;-~]{1,76}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){2,}", re.MULTILINE
)
_MAIL_HEADER = re.compile(
    rb"^(?:message-id|received|mime-version|return-path|delivered-to):", re.IGNORECASE | re.MULTILINE
)
_ANY_HEADER = re.compile(rb"^(?:from|date|subject):", re.IGNORECASE | re.MULTILINE)
_REPLY = re.compile(r"(?:(?:re|fwd?|aw|wg|sv|tr|rv|antw)(?:\[\d+\])?:\s*)+", re.IGNORECASE)


_Leaf = tuple[Mail, str]
"""A part that holds no parts, and its number as IMAP counts."""


@dataclass(slots=True)
class Letter:
    """A mail that was read: who wrote what and when, and what is attached.

    ``beside`` are the words that only its HTML has, with their place; of what it quotes ``quoted_beside`` lines.
    """

    subject: str
    sender: str | None
    at: datetime | None
    local_time: datetime | None
    identity: str | None
    references: list[str]
    body: str
    place: dict[str, Any]
    metadata: dict[str, str | int | float | bool] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    beside: tuple[str, dict[str, Any]] = ("", {})
    quoted_beside: int = 0
    address: str | None = None


@dataclass(slots=True)
class _Mails(Found):
    """What was found, how many quotations say only what mails that were found say themselves, and how many lines only
    HTML quotes."""

    repeated: int = 0
    beside: int = 0


def looks_like_mail(data: bytes) -> bool:
    """Whether the bytes begin with headers that only mail has."""
    head = data[:16_384]
    match = _FIRST_HEADERS.match(head)
    return match is not None and bool(_MAIL_HEADER.search(match[0])) and bool(_ANY_HEADER.search(match[0]))


def looks_like_mailbox(data: bytes) -> bool:
    """Whether the bytes begin with the line between the mails of a mailbox, and headers behind it."""
    return data.startswith(b"From ") and looks_like_mail(data)


def read_mail(data: bytes, origin: Origin) -> Parsed:
    """One mail: its own words and what it quotes, each as turns; its attachments as parts.

    Raises ``source.unreadable`` where its parts nest deeper than ``max_source_depth``, and ``input.too_many``.
    """
    return read_letters([read_letter(data, 0, origin.settings)], origin)


def read_mailbox(data: bytes, origin: Origin) -> Parsed:
    """The mails of a mailbox by threads. One that cannot be read is left out with a note. Raises as ``read_mail``."""
    letters, notes = [], []
    limit = origin.settings.max_source_items
    if sum(1 for _ in islice(_FROM.finditer(data), limit + 1)) > limit:
        detail = f"The mailbox has more than {limit} mails."
        raise MunimentError("input.too_many", detail, limit=limit, setting="MUNIMENT_MAX_SOURCE_ITEMS")
    for number, raw in enumerate(_split(data)):
        try:
            letters.append(read_letter(raw, number, origin.settings))
        except MunimentError as error:
            notes.append(f"Mail {number} is left out: {error.detail}")
    return read_letters(letters, origin, notes)


def locate_mail(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters of a mail's body that a locator names."""
    return _located(data, locator)


def locate_mailbox(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters of the body of the mail that a locator names by its number."""
    for number, raw in enumerate(_split(data)):
        if number == locator["mail"]:
            return _located(raw, locator)
    raise MunimentError("source.unreadable", "The locator leads to nothing in the source.")


def read_letters(letters: list[Letter], origin: Origin, notes: list[str] | None = None) -> Parsed:
    """Mails as conversations by thread, in order of their times where all have one.

    Raises ``input.empty_text`` where none says anything.
    """
    threads = Threads()
    made = content_ids("mail:", [(each.subject, each.sender or "", str(each.at), each.body) for each in letters])
    names = [each.identity or other for each, other in zip(letters, made, strict=True)]
    for letter, name in zip(letters, names, strict=True):
        threads.add(name, letter.references)
    own = _own_words(letters, names, threads)
    talks: dict[str, Talk] = {}
    found = _Mails(notes=notes or [])
    several = len(letters) > 1
    for letter, name in sorted(zip(letters, names, strict=True), key=_when):
        root = threads.root(name)
        title = _REPLY.sub("", letter.subject, count=1).strip() or letter.subject
        talk = talks.setdefault(root, Talk(f"mail:{root}", title or None))
        talk.turns += _turns(letter, name, root, own, found)
        found.parts += [
            Part(f"{letter.place['mail']}/{part.key}", part.filename, part.media_type, part.data, part.at)
            for part in letter.parts
        ] if several else letter.parts  # fmt: skip
    found.talks += talks.values()
    if found.repeated:
        found.notes.append(f"{found.repeated} quotations of mails that stand here too are left out.")
    if found.beside:
        found.notes.append(f"{found.beside} lines that only the HTML of mails quotes are left out.")
    return conversations(found, origin)


def read_letter(raw: bytes, number: int, settings: Settings) -> Letter:
    """A mail of its bytes. Raises ``source.unreadable`` and ``input.too_many``."""
    mail = _parse(raw, settings)
    at, local = sent_at(header(mail, "date"))
    leaves = list(_leaves(mail, settings))
    body, place = _body(leaves)
    beside, path, quoted = _beside(leaves, body)
    metadata: dict[str, str | int | float | bool] = {}
    for name in ("to", "cc"):
        if shown := header(mail, name):
            metadata[name] = storable(shown)
    parts = list(_attachments(leaves, at))
    if parts:
        metadata["attachments"] = ", ".join(part.filename or part.key for part in parts)
    own = identifiers(str(mail.get("message-id") or ""))
    references = identifiers(str(mail.get("references") or "")) or identifiers(str(mail.get("in-reply-to") or ""))
    beside_place = {"mail": number, "part": path, "only": "html"}
    return Letter(
        storable(header(mail, "subject")), person(header(mail, "from")), at, local, own[0] if own else None, references,
        body, {"mail": number, **place}, metadata, parts, (beside, beside_place), quoted, address(header(mail, "from")),
    )  # fmt: skip


def _when(pair: tuple[Letter, str]) -> tuple[bool, float]:
    at = pair[0].at
    return (at is None, 0.0 if at is None else at.timestamp())


def _own_words(letters: list[Letter], names: list[str], threads: Threads) -> OwnWords:
    """The paragraphs that senders wrote themselves, by threads: who quotes them says nothing new."""
    own = OwnWords()
    for letter, name in zip(letters, names, strict=True):
        told = [letter.body[slice(*each.span)] for each in passages(letter.body) if not each.quoted]
        words = set[str]().union(*map(said_in, told))
        own.add(threads.root(name), letter.sender, letter.address, letter.at or letter.local_time, words)
    return own


def _turns(letter: Letter, name: str, root: str, own: OwnWords, found: _Mails) -> Iterator[Turn]:
    count = 0
    written = letter.at or letter.local_time
    for passage in passages(letter.body):
        text = letter.body[slice(*passage.span)]
        if not text.strip():
            continue
        start = passage.span[0] + len(text) - len(text.lstrip())
        place = letter.place | {"chars": [start, start + len(text.strip())]}
        count += 1
        quoted = said_in(letter.body[passage.opened : passage.span[1]]) if passage.quoted else set()
        if quoted and own.say(root, passage.said, passage.at, written, quoted):
            found.repeated += 1
            continue
        turn = Turn(
            text.strip(), place, letter.sender, "user", letter.at, letter.local_time,
            name if count == 1 else f"{name}/{count}", dict(letter.metadata), letter.subject or None, cut=True,
        )  # fmt: skip
        if passage.quoted:
            turn.speaker, turn.role = passage.said, "quoted"
            turn.at, turn.local_time = zoned(passage.at)
            turn.metadata["quoted_by"] = letter.sender or "unknown"
        yield turn
    words, place = letter.beside
    found.beside += letter.quoted_beside
    if words:
        yield Turn(
            words, place | {"chars": [0, len(words)]}, letter.sender, "user", letter.at, letter.local_time,
            f"{name}/html", letter.metadata | {"only": "html"}, letter.subject or None, cut=True,
        )  # fmt: skip


def _parse(raw: bytes, settings: Settings) -> Mail:
    """The tree of a mail. What nests deeper than the parser can follow is found before it tries."""
    limit = settings.max_source_items
    declared = set(islice((found[1].strip() for found in _BOUNDARY.finditer(raw)), limit + 1))
    if len(declared) > limit or sum(found[1].rstrip() in declared for found in _DELIMITER.finditer(raw)) > limit:
        detail = f"The mail has more than {limit} parts."
        raise MunimentError("input.too_many", detail, limit=limit, setting="MUNIMENT_MAX_SOURCE_ITEMS")
    if len(_NESTED.findall(raw)) > 4 * settings.max_source_depth + 96:
        raise _too_deep(settings)
    try:
        mail = email.message_from_bytes(raw, policy=email.policy.compat32)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError):
        raise MunimentError("source.unreadable", "The mail is broken.") from None
    return mail


def _leaves(mail: Mail, settings: Settings, depth: int = 0, path: str = "") -> Iterator[_Leaf]:
    """The parts that hold no parts, each with its number as IMAP counts: 1, 2.1."""
    if depth > settings.max_source_depth:
        raise _too_deep(settings)
    payload = mail.get_payload()
    if not isinstance(payload, list) or mail.get_content_type() == "message/rfc822":
        yield mail, path or "1"
        return
    for number, each in enumerate(payload, 1):
        if isinstance(each, Mail):
            yield from _leaves(each, settings, depth + 1, f"{path}.{number}".lstrip("."))


def _body(leaves: Sequence[_Leaf]) -> tuple[str, dict[str, Any]]:
    """The text of a mail: that of its plain parts that are not attached, or of its HTML where there are none."""
    plain, marked = [], []
    for leaf, path in leaves:
        if _attached(leaf):
            continue
        if leaf.get_content_type() == "text/plain":
            plain.append((path, _text(leaf)))
        elif leaf.get_content_type() == "text/html":
            marked.append((path, leaf))
    told = [(path, text) for path, text in plain if text.strip()]
    if not told:
        told = [(path, text) for path, leaf in marked if (text := html_text(_text(leaf))).strip()]
    return "\n\n".join(text for _, text in told), {"part": "+".join(path for path, _ in told)}


def _beside(leaves: Sequence[_Leaf], body: str) -> tuple[str, str, int]:
    """What only the HTML of a mail says beside its plain text, the parts that it is in, and how much more it quotes."""
    if not any(
        leaf.get_content_type() == "text/plain" and _text(leaf).strip() for leaf, _ in leaves if not _attached(leaf)
    ):
        return "", "", 0
    marked = [(path, leaf) for leaf, path in leaves if not _attached(leaf) and leaf.get_content_type() == "text/html"]
    own, quoted = html_only(body, "\n\n".join(html_text(_text(leaf)) for _, leaf in marked))
    return own, "+".join(path for path, _ in marked), quoted


def _text(leaf: Mail) -> str:
    payload = leaf.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    return storable(to_text(data, leaf.get_content_charset()).replace("\r\n", "\n"))


def _attached(leaf: Mail) -> bool:
    return leaf.get_content_disposition() == "attachment" or leaf.get_content_maintype() not in ("text", "multipart")


def _attachments(leaves: Sequence[_Leaf], at: datetime | None) -> Iterator[Part]:
    for leaf, path in leaves:
        if not _attached(leaf):
            continue
        name = _filename(leaf)
        data = _bytes(leaf)
        if data:
            yield Part(f"{path}/{name or 'part'}", name, leaf.get_content_type(), data, at)


def _bytes(leaf: Mail) -> bytes:
    if leaf.get_content_type() != "message/rfc822":
        decoded_payload = leaf.get_payload(decode=True)
        return decoded_payload if isinstance(decoded_payload, bytes) else b""
    payload = leaf.get_payload()
    inner = payload[0] if isinstance(payload, list) and payload else None
    try:
        return inner.as_bytes() if isinstance(inner, Mail) else b""
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError, KeyError):
        return b""


def _filename(leaf: Mail) -> str | None:
    try:
        raw = leaf.get_filename()
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    named = clean_name(decoded(raw)) if raw else None
    if named is None and leaf.get_content_type() == "message/rfc822":
        return "message.eml"
    return None if named is None else re.split(r"[/\\]", named)[-1] or None


def _split(data: bytes) -> Iterator[bytes]:
    """The mails of a mailbox without the lines between them, their escaped lines as they were."""
    starts = [
        found
        for found in _FROM.finditer(data)
        if found.start() == 0 or data[max(0, found.start() - 4) : found.start()].endswith((b"\n\n", b"\n\r\n"))
    ]
    ends = [found.start() for found in starts[1:]] + [len(data)]
    for found, end in zip(starts, ends, strict=True):
        yield _ESCAPED.sub(rb"\1", data[found.end() : end])


def _located(raw: bytes, locator: Mapping[str, Any]) -> str:
    leaves = list(_leaves(_parse(raw, Settings()), Settings()))
    body, _ = _body(leaves)
    start, end = locator["chars"]
    if locator.get("only") == "html":
        body = _beside(leaves, body)[0]
    return piece_of(body[start:end], locator)


def _too_deep(settings: Settings) -> MunimentError:
    return MunimentError(
        "source.unreadable", "The parts of the mail nest too deep.", limit=settings.max_source_depth,
        setting="MUNIMENT_MAX_SOURCE_DEPTH",
    )  # fmt: skip
