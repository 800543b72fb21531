"""Transcripts with times: WebVTT and SubRip. Cues of one speaker that follow each other are one turn."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, piece_of
from muniment.sources.decode import require_words
from muniment.sources.locating import Locator
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.splitting import trim

_MOMENT = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"^[ \t]*({_MOMENT})[ \t]*-->[ \t]*({_MOMENT})[^\r\n]*(?=[\r\n]|\Z)", re.MULTILINE)
_BLANK = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?=[\r\n]|\Z)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>\r\n]{1,200})>")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}\n]*\}")
_PREFIX = re.compile(
    r"(?:>>[ \t]*|-[ \t]*)?(?:\[([^\[\]:\n]{1,60})\]:?[ \t]|([A-ZÀ-ÞА-Я][^:\n.!?]{0,60}):[ \t]+)(?=\S)"
)
_LONGEST_PAUSE = 10.0


@dataclass(frozen=True, slots=True)
class _Cue:
    """One cue: its span in the file, when it begins and ends, who speaks, and the text without tags."""

    start: int
    end: int
    begins: str
    ends: str
    speaker: str | None
    text: str


def looks_like_subtitles(data: bytes) -> bool:
    """Whether the bytes begin as WebVTT, or as SubRip does with a number and a timing."""
    head = data[:4096].decode("utf-8", "ignore").lstrip("\ufeff\r\n ")
    return (
        re.match(r"WEBVTT(?:[ \t\r\n]|$)", head) is not None
        or re.match(rf"\d+\s*\n\s*{_MOMENT}\s*-->", head) is not None
    )


def read_subtitles(data: bytes, origin: Origin) -> Parsed:
    """Turns with the time at which they begin and end, counted from the start of the recording.

    The speaker is that of a voice tag, or stands before a colon or in brackets at the beginning of a cue. Raises
    ``source.format_unsupported`` where no cue is, and what ``decode_text`` raises.
    """
    text, said = decode_text(data)
    require_words(text)
    locator = Locator(text, origin)
    talk = Talk(f"transcript:{origin.source_key}", origin.title or (origin.filename or "").rpartition(".")[0] or None)
    none = True
    for turn in _turns(list(_cues(text)), origin.settings.chunk_characters):
        none = False
        start, end = turn[0].start, turn[-1].end
        placed = locator.place(*trim(text, start, end))
        place = {"lines": placed["lines"], "chars": placed["chars"], "start": turn[0].begins, "end": turn[-1].ends}
        speaker = turn[0].speaker
        talk.turns.append(Turn("\n".join(cue.text for cue in turn), place, speaker, None if speaker else "speaker"))
    if none:
        raise MunimentError("source.format_unsupported", "There is no cue with a timing in it.")
    timeless = "The times are counted from the start of the recording: no turn has a time of the calendar."
    found = Found([talk], [*said, timeless])
    return conversations(found, origin)


def locate_subtitles(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the cues in the characters that a locator names, without timings and tags."""
    start, end = locator["chars"]
    return piece_of("\n".join(cue.text for cue in _cues(decode_text(data)[0][start:end])), locator)


def _cues(text: str) -> Iterator[_Cue]:
    timings = list(_TIMING.finditer(text))
    speaker: str | None = None
    for timing in timings:
        blank = _BLANK.search(text, timing.end())
        end = blank.start() if blank else len(text)
        begin = timing.start()
        spoken, words = _spoken(text[timing.end() : end].strip())
        if words:
            speaker = spoken
            yield _Cue(begin, end, timing[1].replace(",", "."), timing[2].replace(",", "."), speaker, words)


def _spoken(payload: str) -> tuple[str | None, str]:
    voice = _VOICE.search(payload)
    text = html.unescape(_TAG.sub("", payload)).replace("\x00", "�").strip()
    if voice:
        return html.unescape(voice[1]).strip(), text
    prefix = _PREFIX.match(text)
    if prefix:
        return (prefix[1] or prefix[2]).strip(), text[prefix.end() :].strip()
    return None, text


def _turns(cues: list[_Cue], size: int) -> Iterator[list[_Cue]]:
    """The cues of a turn: of one speaker, without a long pause, up to the size of a chunk."""
    turn: list[_Cue] = []
    length = 0
    for cue in cues:
        follows = turn and cue.speaker == turn[0].speaker and length + len(cue.text) < size
        if turn and (not follows or _seconds(cue.begins) - _seconds(turn[-1].ends) > _LONGEST_PAUSE):
            yield turn
            turn, length = [], 0
        turn.append(cue)
        length += len(cue.text) + 1
    if turn:
        yield turn


def _seconds(moment: str) -> float:
    parts = [float(part) for part in moment.split(":")]
    return sum(part * 60.0**power for power, part in enumerate(reversed(parts)))
