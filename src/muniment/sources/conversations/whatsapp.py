"""WhatsApp: a chat exported as text. Its dates are those of the phone's language, and have no zone."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.conversations.day_halves import DAY_HALVES, hour_of_day
from muniment.sources.conversations.turns import Found, Talk, Turn, content_ids, conversations, in_order, piece_of
from muniment.sources.decode import require_words
from muniment.sources.locating import Locator
from muniment.sources.parsed import Origin, Parsed, Span
from muniment.sources.splitting import trim

_GAP = "[ \u00a0\u202f]"  # spaces that do not break stand before AM and PM
_MARKS = r"[\u200e\u200f\u202a-\u202e\ufeff]{0,4}"  # of the direction of writing
_NOON = rf"{_GAP}?(?P<noon>{DAY_HALVES})"
_DATE = (
    rf"(?P<a>\d{{1,4}}){_MARKS}(?:[./-]|년{_GAP}){_MARKS}[ ]?(?P<b>\d{{1,2}}){_MARKS}(?:[./-]|월{_GAP}){_MARKS}[ ]?"
    rf"(?P<c>\d{{1,4}})(?:일|\.)?(?:{_GAP}?\u0433\.)?"
)
_TIME = (
    rf"(?:klo{_GAP})?(?:(?P<front>{DAY_HALVES}){_GAP}?)?(?P<hour>\d{{1,2}})[:.](?P<minute>\d{{2}})"
    rf"(?:[:.](?P<second>\d{{2}}))?(?:{_NOON})?{_MARKS}(?:{_GAP}?ч\.)?"
)
# what some languages put between the date and the time, and no other word: it may say which half of the day it is
_BETWEEN = rf"{_MARKS}(?:[,،]{_MARKS})?{_GAP}+(?:(?:à|um|at|às|a las|alle|kl\.?|ob|la){_GAP}+)?{_MARKS}"
_MOMENT = rf"{_DATE}{_BETWEEN}{_TIME}"
_START = re.compile(
    rf"^{_MARKS}(?:\[{_MOMENT}\]{_GAP}*|{_MOMENT.replace('?P<', '?P<x')}(?:{_GAP}+[-\u2013]|,){_GAP}+)", re.MULTILINE
)
_SPEAKER = re.compile(rf"{_MARKS}([^:\r\n]{{1,100}}?){_MARKS} ?:(?:[ \u00a0]|(?=[\r\n]|$))")
_QUOTE = re.compile('["“”„«»]')
_OMITTED = re.compile(
    rf"{_MARKS}(?:<[^<>\n]{{1,60}}>|(?:image|video|audio|sticker|GIF|document|Contact card) omitted)", re.IGNORECASE
)
_ATTACHED = re.compile(
    rf"{_MARKS}(?:<[^<>:\n]{{1,30}}: ([^<>\n]{{1,200}})>|([^\n]{{1,200}}\.\w{{2,5}}) \([^()\n]{{1,60}}\))"
)
_EDITED = re.compile(
    r"<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje|Ce message a été modifié)>"
)
_EXPORT_NAMES = re.compile(
    r"(?:WhatsApp[ _-]Chat(?:[ _](?:with|mit|avec|con))?|Chat de WhatsApp con|Discussion WhatsApp avec)[ _-]*(.+?)"
    r"(?: ?\(\d+\))?(?:\.txt)?",
    re.IGNORECASE,
)
_LOG_LEVEL = re.compile(
    r"(?:.*\W)?(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|ALERT|EMERG|EMERGENCY|TRACE|SEVERE)\W*"
)
_RARE = 0.05  # of the messages: lines of another shape that are fewer were pasted into one
_BUDDHIST = 543  # years of the era in which Thai phones count
_SNIFFED = 16_384


@dataclass(frozen=True, slots=True)
class _Head:
    """The beginning of a message: where it starts and ends, the three numbers of its date, and its time.

    ``shape`` is how it is written: all that one phone exports are written alike.
    """

    start: int
    end: int
    numbers: tuple[str, str, str]
    separator: str
    clock: tuple[int, int, int]
    shape: tuple[bool, str, bool]


def looks_like_whatsapp(data: bytes) -> bool:
    """Whether the first line begins as a message does, and one of the first lines names a speaker that is no log's."""
    text = data[:_SNIFFED].decode("utf-8", "ignore").lstrip("\ufeff")
    heads = list(_START.finditer(text))
    if not heads or text[: heads[0].start()].strip():
        return False
    speakers = [found[1].strip() for head in heads if (found := _SPEAKER.match(text, head.end()))]
    return bool(speakers) and 2 * sum(_LOG_LEVEL.fullmatch(each) is not None for each in speakers) <= len(speakers)


def read_whatsapp(data: bytes, origin: Origin) -> Parsed:
    """A turn each message, of any number of lines; what WhatsApp itself says has the role system and no speaker.

    Whether the day or the month stands first is told by all dates of the file together; a note says where nothing
    tells it. Raises ``source.format_unsupported`` where no line begins a message, and what ``decode_text`` raises.
    """
    text, said = decode_text(data)
    require_words(text)
    heads = _of_one_phone(list(_heads(text)))
    if not heads:
        raise MunimentError("source.format_unsupported", "No line begins as a message of WhatsApp does.")
    found = Found(notes=said)
    order = _order(heads, found.notes)
    heads = [head for head in heads if _time(head, order)] or heads  # what is no date in this order was pasted
    title = _title(origin)
    talk = Talk(f"whatsapp:{title or _unnamed(origin, _time(heads[0], order))}", title)
    locator = Locator(text, origin)
    ends = [head.start for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        speaker, start = _speaker(text, head, end)
        span = trim(text, start, end)
        if span[0] < span[1]:
            talk.turns.append(_turn(text, span, speaker, _time(head, order), locator))
    if text[: heads[0].start].strip():
        found.notes.append("What stands before the first message is left out.")
    _name(talk)
    media = sum("attachments" in turn.metadata or "media_omitted" in turn.metadata for turn in talk.turns)
    if media:
        found.notes.append(f"{media} pictures, recordings and files, which the text does not hold, are left out.")
    found.talks.append(talk)
    return conversations(found, origin)


def locate_whatsapp(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters of the file that a locator names."""
    start, end = locator["chars"]
    return piece_of(decode_text(data)[0][start:end], locator)


def _heads(text: str) -> Iterator[_Head]:
    for match in _START.finditer(text):
        groups = {name.removeprefix("x"): value for name, value in match.groupdict().items() if value is not None}
        clock = _clock(groups)
        if clock is None:
            continue
        between = match.group(0)[len(groups["a"]) :].lstrip("[")
        separator = next((each for each in between if each in "./-년"), "/")
        shape = ("[" in match.group(0), separator, len(groups["a"]) == 4)
        yield _Head(match.start(), match.end(), (groups["a"], groups["b"], groups["c"]), separator, clock, shape)


def _of_one_phone(heads: list[_Head]) -> list[_Head]:
    """The heads without those few that are written otherwise: lines that were pasted into a message."""
    shapes = Counter(head.shape for head in heads)
    most = max(shapes.values(), default=0)
    return [head for head in heads if shapes[head.shape] == most or shapes[head.shape] > _RARE * len(heads)]


def _clock(groups: Mapping[str, str]) -> tuple[int, int, int] | None:
    hour, minute, second = int(groups["hour"]), int(groups["minute"]), int(groups.get("second", "0"))
    if noon := groups.get("front") or groups.get("noon"):
        hour = hour_of_day(hour, noon)
    return (hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def _order(heads: list[_Head], notes: list[str]) -> str:
    """In which order day, month and year stand: ``ymd``, ``dmy`` or ``mdy``."""
    if 2 * sum(len(head.numbers[0]) == 4 for head in heads) > len(heads):
        return "ymd"
    first, second = (sum(12 < int(head.numbers[at]) < 32 for head in heads) for at in (0, 1))
    if first > second or (first == second and heads[0].separator == "."):  # most lines decide: one may be pasted
        return "dmy"
    if second > first:
        return "mdy"
    rising = {order: in_order(at for head in heads if (at := _time(head, order))) for order in ("dmy", "mdy")}
    if rising["dmy"] == rising["mdy"]:
        notes.append("No date tells whether the day or the month stands first: they are read with the day first.")
    return "mdy" if rising["mdy"] > rising["dmy"] else "dmy"


def _time(head: _Head, order: str) -> datetime | None:
    parts = dict(zip(order, (int(number) for number in head.numbers), strict=True))
    year = parts["y"] + (2000 if parts["y"] < 100 else 0)
    year -= _BUDDHIST if year > 2400 else 0
    try:
        return datetime(year, parts["m"], parts["d"], *head.clock)
    except ValueError:
        return None


def _speaker(text: str, head: _Head, end: int) -> tuple[str | None, int]:
    found = _SPEAKER.match(text, head.end, end)
    if found is None or _QUOTE.search(found[1]):  # 'Ben changed the subject from "a: b"' is said by nobody
        return None, head.end
    return found[1].strip(), found.end()


def _turn(text: str, span: Span, speaker: str | None, at: datetime | None, locator: Locator) -> Turn:
    said = text[slice(*span)]
    metadata: dict[str, str | int | float | bool] = {}
    if attached := _ATTACHED.match(said):
        metadata["attachments"] = attached[1] or attached[2]
    elif _OMITTED.fullmatch(said):
        metadata["media_omitted"] = True
    if _EDITED.search(said):
        metadata["edited"] = True
    placed = locator.place(*span)
    place = {"lines": placed["lines"], "chars": placed["chars"]}
    return Turn(said, place, speaker, None if speaker else "system", None, at, None, metadata)


def _name(talk: Talk) -> None:
    """Gives the turns ids by which the next export, that may begin later, knows them again."""
    contents = [
        (turn.local_time.isoformat() if turn.local_time else "", turn.speaker or "", turn.text) for turn in talk.turns
    ]
    for turn, identity in zip(talk.turns, content_ids("w:", contents), strict=True):
        turn.id = identity


def _title(origin: Origin) -> str | None:
    """Who the chat is with: as the name of the file says, or of the ZIP that it is in, which WhatsApp makes of it."""
    if origin.title:
        return origin.title
    stem = (origin.filename or "").removesuffix(".txt")
    around = origin.source_key.split("!/")[-2:-1]
    for name in (stem, *(PurePosixPath(each).name.removesuffix(".zip") for each in around)):
        if (found := _EXPORT_NAMES.fullmatch(name)) and (told := found[1].strip(" _-")):
            return told
    return stem if stem and stem != "_chat" else None


def _unnamed(origin: Origin, first: datetime | None) -> str:
    """What tells a chat from others whose files have its name, as iPhones give all the same: when it began."""
    return origin.source_key if first is None else f"{origin.source_key} of {first.isoformat()}"
