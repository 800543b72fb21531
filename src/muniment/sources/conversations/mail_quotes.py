# ruff: noqa: RUF001, E501, SIM905 — words of many languages
"""The words of mail programs above what they quote: "On Monday Ben wrote:", and heads as "From: … Sent: …"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.sources.conversations.mail_dates import written_time

Line = tuple[int, str]
"""How many marks of quotation a line begins with, and what stands behind them."""

_COLON: Final = "[ \u00a0]?[:：]"
_VERBS: Final = (
    r"wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|kirjoitti|napisał(?:\(a\)|a)?|napsala?(?:\(a\))?"
    r"|пишет|писала?|написала?|yazdı|írta|a scris|έγραψε|כתב|كتب|写道|寫道|のメール|작성"
)
_SAID: Final = re.compile(
    rf"[ \t]*(?:(?:On|Am|Le|El|Il|Op|Em|Den|W dniu|Dne)\b.{{0,300}}?|.{{0,300}}?)(?<!\w)(?:{_VERBS})(?!\w).{{0,200}}?"
    rf"{_COLON}[ \t]*",
    re.DOTALL,
)
_PLAIN: Final = re.compile(r"[ \t]*(?:On|Am|Le|El|Il|Op|Em|Den|W dniu|Dne)\b", re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"(?:\"([^\"\n]{1,80})\"|([^\d,<>:\"\n]{1,80}))?[ \u00a0\n]*[(\[]?<([^<>\s]{1,200}@[^<>\s]{1,200})>"
)
_NAME: Final = r"([^\d,<>:\n]{1,80}?)[ \u00a0\n]*"
_WHO: Final = re.compile(
    rf"(?<!\w)(?:schrieb|escribió|schreef|escreveu)[ \u00a0]+{_NAME}{_COLON}"
    rf"|(?:^|[,\d])(?:[ \u00a0\u202f]?[AP]\.?M\.?)?[ \u00a0\n]*{_NAME}(?:{_VERBS})(?!\w)",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(rf"^[ \u00a0]*(?:[AP]\.?M\.?\b|Uhr\b|(?:{_VERBS})(?!\w)|[(.)]|[ \u00a0])+", re.IGNORECASE)
_FORWARDED: Final = re.compile(
    r"[ \t]*\*?(?:-{2,} ?(?:Original Message|Original-Nachricht|Ursprüngliche Nachricht|Message d'origine|Message original"
    r"|Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht|Forwarded message|Forwarded by .{1,80}?"
    r"|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht"
    r"|Исходное сообщение|Пересылаемое сообщение|原始邮件|原始郵件|元のメッセージ) ?-{2,}"
    r"|(?:Begin forwarded message|Anfang der weitergeleiteten Nachricht|Début du message réexpédié|Inizio messaggio inoltrato"
    r"|Inicio del mensaje reenviado) ?:)\*?[ \t]*",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"[ \t]*_{20,}[ \t]*")
_HEADER: Final = re.compile(rf"[ \t]*\*{{0,2}}([^\W\d_][^\n:：*<>@]{{0,30}}?)\*{{0,2}}{_COLON}\*{{0,2}}[ \t]*(.*)")
_FROM: Final = frozenset(
    "from von de da van från fra lähettäjä od от kimden feladó de_la από 发件人 寄件者 寄件人 差出人 보낸_사람 מאת من".split()
)
_SENT: Final = frozenset(
    "sent gesendet envoyé enviado inviato verzonden skickat sendt lähetetty wysłano wysłane odesláno отправлено gönderildi"
    " gönderilme_tarihi elküldve trimis στάλθηκε 发送时间 傳送時間 送信日時 보낸_날짜 נשלח sent_on envoyé_le enviado_el".split()
)
_DATE: Final = frozenset("date datum fecha data dato päivä дата tarih dátum 日期 日付 날짜 التاريخ תאריך".split())
_SUBJECT: Final = frozenset(
    "subject betreff objet asunto oggetto onderwerp assunto ämne emne aihe temat předmět тема konu tárgy subiect θέμα 主题"
    " 主旨 件名 제목 נושא الموضوع".split()
)
_ATTRIBUTION_LINES: Final = 3
_HEAD_LINES: Final = 8
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """The words above a quotation, in the lines ``[first, end)``: who said it and when, where they tell.

    What is quoted begins with ``level`` marks. ``at`` has a zone only where one is stated.
    """

    first: int
    end: int
    level: int
    said: str | None = None
    at: datetime | None = None


def openings(lines: Sequence[Line]) -> Iterator[Opening]:
    """What opens quotations, in order and apart from each other. Cost: linear in the lines."""
    at = 0
    while at < len(lines):
        found = _head(lines, at) or _attribution(lines, at)
        if found is not None:
            yield found
        at = at + 1 if found is None else found.end


def _head(lines: Sequence[Line], first: int) -> Opening | None:
    """A line that says that a mail follows, with the head behind it; or a head that only mail has."""
    level, words = lines[first]
    marked = _FORWARDED.fullmatch(words) is not None
    if not marked and _RULE.fullmatch(words) is None:
        return _headers(lines, first, strict=True)
    behind = _filled(lines, first + 1)
    found = None if behind is None else _headers(lines, behind, strict=not marked)
    if found is not None:
        return Opening(first, found.end, found.level, found.said, found.at)
    return Opening(first, first + 1, level) if marked else None


def _headers(lines: Sequence[Line], first: int, *, strict: bool) -> Opening | None:
    level, words = lines[first]
    if _HEADER.fullmatch(words) is None or (strict and _name(words) not in _FROM):
        return None
    named: dict[str, str] = {}
    end = first
    while end < min(first + _HEAD_LINES, len(lines)) and lines[end][0] == level and lines[end][1].strip():
        if header := _HEADER.fullmatch(lines[end][1]):
            named.setdefault(_kind(_name(lines[end][1])), header[2])
        end += 1
    if "from" not in named or not ("sent" in named or "date" in named):
        return None
    if strict and not ("@" in named["from"] or "sent" in named or "subject" in named):
        return None
    end = _last_header(lines, first, end)
    return Opening(first, end, level, _person(named["from"]), written_time(named.get("sent") or named.get("date", "")))


def _last_header(lines: Sequence[Line], first: int, end: int) -> int:
    """The end of a head that no empty line parts from the words below it: behind the last line that is known."""
    if end < len(lines) and not lines[end][1].strip():
        return end
    return max(number for number in range(first, end) if _kind(_name(lines[number][1]))) + 1


def _name(words: str) -> str:
    header = _HEADER.fullmatch(words)
    return "" if header is None else header[1].strip().casefold().replace(" ", "_")


def _kind(name: str) -> str:
    for kind, names in (("from", _FROM), ("sent", _SENT), ("date", _DATE), ("subject", _SUBJECT)):
        if name in names:
            return kind
    return ""


def _attribution(lines: Sequence[Line], first: int) -> Opening | None:
    """The words "On Monday Ben wrote:" before lines that are marked; or, with a date, before lines that are not."""
    level = lines[first][0]
    for last in range(first, min(first + _ATTRIBUTION_LINES, len(lines))):
        if lines[last][0] != level or not lines[last][1].strip():
            return None
        if not lines[last][1].rstrip().endswith((":", "：")):
            continue
        behind = _filled(lines, last + 1)
        if behind is None:
            return None
        marked = lines[behind][0] > level
        start = _introduction(lines, first, last, marked=marked)
        if start != first:
            return None
        words = _joined(lines, first, last)
        return Opening(first, last + 1, level + 1 if marked else level, _who(words), written_time(words))
    return None


def _introduction(lines: Sequence[Line], first: int, last: int, *, marked: bool) -> int | None:
    """The line at which words that end in a colon begin to say who wrote what follows: as few lines as tell when, or
    begin as programs begin them; else, above lines that are marked, the last alone."""
    for start in range(last, first - 1, -1):
        words = _joined(lines, start, last)
        said, dated = _SAID.fullmatch(words) is not None, written_time(words) is not None
        if dated and (said or (marked and _ADDRESS.search(words) is not None)):
            return start
        if said and marked and _PLAIN.match(words) is not None:
            return start
    return last if marked and _SAID.fullmatch(_joined(lines, last, last)) is not None else None


def _joined(lines: Sequence[Line], first: int, last: int) -> str:
    return "\n".join(words.strip()[:_LONGEST] for _, words in lines[first : last + 1])


def _filled(lines: Sequence[Line], at: int) -> int | None:
    """The next line that says something, of the next few."""
    for number in range(at, min(at + 4, len(lines))):
        if lines[number][1].strip():
            return number
    return None


def _who(words: str) -> str | None:
    if found := _ADDRESS.search(words):
        name = (found[1] or _LEADING.sub("", (found[2] or "").rsplit("\n", 1)[-1] if found[2] else "")).strip(' "*(')
        return name or found[3]
    found = _WHO.search(words)
    return (found[1] or found[2] or "").strip(' "*\n') or None if found else None


def _person(value: str) -> str | None:
    found = _ADDRESS.search(value)
    bare = re.split(r"[<\[]", value)[0].strip(' "*')
    return bare or (found[3] if found else None)
