# ruff: noqa: E501
"""What a clause says by one rule: its object, its times and the words it rests on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from muniment.extraction.rules.given_names import sex_of
from muniment.extraction.rules.lists import names_listed, one_name, words_listed
from muniment.extraction.rules.moves import is_home, is_new_home
from muniment.extraction.rules.phrases import name_at, phrase_at
from muniment.extraction.rules.rule import Rule
from muniment.extraction.rules.vocabulary import UPPER
from muniment.extraction.statements import EntityType, Span, Statement
from muniment.extraction.time.spans import TimeSpan

_ARTICLE: Final = re.compile(r"^(?:the|an?|this|these|some|my\s+first)\s+", re.IGNORECASE)
_OWN: Final = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_POINTING: Final = re.compile(
    r"\b(?:it|that|this|these|those|them|him|her|you|your|yours|one|ones|something|anything|everything|stuff|things?|me|us|we|i|i['’]\w+|myself|ourselves|he|she|they)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_NOT_LIKED: Final = re.compile(
    r"(?:the|his|her|its|our|their|my|not|getting|going|how|what|when|where|who|all|some|being|having|seeing|hearing|knowing|to|an?|in|on"
    r"|at|for|with|about|every|each|both|such|so|more|most|and|or|a\s+lot|totally|really|literally|actually|completely|absolutely"
    r"|honestly|basically|seriously|definitely|never|always|just|only|kinda|sorta|super|very)\b",
    re.IGNORECASE,
)
_NO_PLAN: Final = re.compile(r"(?:be|have|need|keep|try|do|get|let|see|say|go|miss|love|like|take\s+a\s+look|check)\b")
_NO_VERB: Final = re.compile(r"(?:the|an?|my|our|his|her|their|some|this|that|every|\w+s)\b")
_VAGUE: Final = re.compile(
    r"(?:(?:an?|the|my|our|some|another|two|three|four|five)\s+)?(?:new\s+|great\s+|cool\s+|big\s+|little\s+)?"
    r"(?:event|place|thing|lot|bit|couple|few|one|part|way|time|ton|bunch|job|chance|break|hand|look|point|mind|day)s?"
    r"(?:\s+(?:in|at|of|for|like|with|on|to)\b.*)?",
    re.IGNORECASE,
)
_THIS: Final = re.compile(r"^th(?:is|ese)\s+(?=\w+\s+\w|\w{4})", re.IGNORECASE)
_THIS_ONE: Final = re.compile(r"th(?:is|ese)\s+\S+", re.IGNORECASE)
_ANYMORE: Final = re.compile(r"\s+(?:any\s?more|any\s+longer)\b")
_OPEN: Final = re.compile(r"(?:from|as\s+of|starting|effective|beginning|since)\s+(?:on\s+)?$", re.IGNORECASE)
TARGET: Final = re.compile(r"\b(?:to|for|until|till)\s+(?:the\s+)?$", re.IGNORECASE)
"""Before a time to which something was put, which is not when that was done."""
_CLOSE: Final = re.compile(r"(?:until|till|through|up\s+to)\s+$", re.IGNORECASE)
_STRETCH: Final = re.compile(r"(?:from|between)\b|\d{4}\s*[-–—]", re.IGNORECASE)  # noqa: RUF001
_ONE: Final = frozenset(("works_at", "lives_in"))
"""Relations of which people have one: what is said besides another is left out, since it would end that."""
_ALSO: Final = re.compile(r"\balso\b")
_BESIDES: Final = re.compile(
    r"[^.,;!?]*\b(?:as\s+well|on\s+the\s+side|(?:on|at)\s+(?:the\s+)?weekends?|during\s+the\s+(?:week|summer|winter)|(?:every|each)\s+\w+"
    r"|in\s+(?:the\s+)?(?:summers|winters)|sometimes|part\s+of\s+the\s+(?:year|week)|half\s+(?:of\s+)?the\s+(?:year|week|time)|temporarily|briefly"
    r"|over\s+the\s+(?:\w+\s+)?(?:summer|winter|weekend|holidays?|break))\b"
)
_JUST_NOW: Final = re.compile(
    r"[^.,;!?]*\bthis\s+(?:week|weekend|month|summer|winter|spring|fall|autumn|semester|term)\b"
)
"""Behind what is so, and not behind what became so: that is so for this time alone."""
_A_WHILE: Final = re.compile(
    r"[^.,;!?]*\bfor\s+(?:(?:the|this|that|an?|just|only|about|around|some|another|one|two|three|four|five|six|seven|ten|\d+|next|few|couple|of|whole|entire|or|so)\s+)*"
    r"(?:hours?|days?|nights?|weeks?|weekend|months?|summer|winter|spring|fall|autumn|holidays?|vacation|time\s+being|moment|while|bit|now|conference|wedding|festival"
    r"|semester|term|trip|visit|project|internship)\b"
)
"""Behind what holds for a time alone; behind *have been* it is how long it has been so."""
_BEEN: Final = re.compile(r"\bbeen\b|['’]ve\b|\bhave\b|\bhas\b")  # noqa: RUF001
_BECAME: Final = re.compile(r"\b(?:became|become|promoted|appointed|elected)\b")
"""What tells when something began to be so, not that it was so at that time."""
_USED: Final = re.compile(r"\bused\s+to\b")
_POST: Final = re.compile(
    r"\s+(?:as\s+(?:an?|the|their|its)\s|full-?time|part-?time|to\s+(?:work|lead|head|run|build)\b)|['’]\s"  # noqa: RUF001
)
_STOPPED: Final = re.compile(r"\bstopped\b")
_BOTH: Final = re.compile(r"both\s+")
_NOT: Final = re.compile(rf",?\s+(?:and\s+)?not\s+(?:(?:in|at|for|to|with|by)\s+)?(?=[{UPPER}])")
_BUT: Final = re.compile(rf",?\s+but\s+(?:(?:rather|now|actually)\s+)?(?:(?:in|at|for|to|with|by)\s+)?(?=[{UPPER}])")
_OVER: Final = re.compile(r"\s*(?:$|[.;!)])|,?\s+(?:now|any\s?more)\b")
_WHERE: Final = re.compile(rf"\s+(?:at|in|with|under)\s+(?=(?:the\s+)?[{UPPER}])")
_OR: Final = re.compile(r"\b(?:or|nor)\b")
_AND: Final = re.compile(r"\s(?:and|or|nor)\s")
_BETWEEN: Final = re.compile(r",\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor)\s+")
_OF_KIND: Final = re.compile(
    r"(?:movies?|films?|flavou?rs?|games?|books?|novels?|music|foods?|genres?|shows?|songs?|cuisine|dishes|classes|series|sports|art|stories)$"
)
_BARE: Final = re.compile(r"[\w-]+(?<!s)(?<!ing)")
"""What may only qualify the word at the end: action and sci-fi movies, but not dramas and short films."""
_THREE: Final = r"[\w'’-]+(?:\s[\w'’-]+){0,2}?"  # noqa: RUF001
_LIST: Final = re.compile(rf"{_THREE}(?:,\s{_THREE})+,?\s(?:and|or)\s{_THREE}(?=\s*(?:[.!;]|$))")
_AFTER_NAME: Final = frozenset(
    (
        "and", "or", "but", "with", "near", "during", "through", "without", "under", "in", "on", "at", "to", "for",
        "from", "by", "as", "since", "until", "when", "where", "while", "which", "who", "because", "so", "this",
        "that", "now", "too", "again", "today", "yesterday", "tonight", "tomorrow", "recently", "currently", "last",
        "next", "before", "after", "anymore", "any", "full-time", "part-time", "already", "once", "twice", "is",
        "was", "if", "though", "together", "alone", "about", "around", "over", "a", "an", "the", "my", "every",
        "right", "these", "for", "of", "back", "early", "late", "soon", "permanently", "temporarily", "it", "i",
        "starting", "effective", "beginning", "up", "till",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what a clause is about, and the characters [start, end) of the sentence that say so."""

    name: str
    type: EntityType
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence with its times, told by ``speaker`` as a record's characters from ``offset`` on."""

    sentence: str
    offset: int
    record_no: int
    times: Sequence[TimeSpan]
    speaker: str | None

    def read(self, rule: Rule, match: re.Match[str], subject: Subject) -> Iterator[Statement]:
        """The statements of a rule that matched behind the subject; none where its object is no sure one."""
        negated = rule.negated or any(text for name, text in match.groupdict().items() if name.startswith("neg"))
        place = self._object(rule, match)
        if place is None:
            return
        start, end = place
        places = self._members(rule, place)
        end = places[-1][1]
        if _ANYMORE.match(self.sentence, end):
            negated = True
        if len(places) > 1 and not negated and _OR.search(self.sentence, start, end):
            return
        if rule.complement == "joined" and self.sentence[start:end].casefold().startswith("neither "):
            start, negated = start + len("neither "), True
            places = [(start, end)]
        if not negated and rule.relation in _ONE and self._is_besides(rule, match, end):
            return
        if rule.hires and not self._is_employer(start, end):
            return
        if rule.relation in ("lives_in", "plans_to_move_to") and not self._is_home(rule, match, subject, place):
            return
        if negated and not (rule.denies or rule.negated):
            return
        over = bool(match.groupdict().get("past"))
        times = self._times(subject.start, end)
        stopped = negated and _STOPPED.search(match.group()) is not None
        began = rule.timing == "state" and _BECAME.search(match.group()) is not None
        timed = replace(rule, timing="from") if stopped or began else rule
        begin, finish = _interval(timed, times, self.sentence, over=over)
        if over and begin is None and finish is None:
            return
        if negated and begin is None and _USED.search(match.group()):
            begin, finish = finish, None  # who used to live there until 2020 has not since
        reach = max([end, match.end() if rule.complement == "group" else end, *(time.last for time in times)])
        first = min([subject.start, *(time.first for time in times)])
        span = Span(self.record_no, self.offset + first, self.offset + reach)
        told = [
            (text, negated)
            for first, last in places
            for text in self._objects(rule, match, first, last, negated=negated)
        ]
        ended = over and finish is not None and rule.denies and _is_end(times[0], self.sentence)
        other = self._contrast(rule, end, negated=negated)
        for text, denied in told if other is None else [*told, (other, not negated)]:
            text, says = _OWN.sub("their", text), rule.denies if denied and rule.denies else rule.says
            named = _ARTICLE.sub("", text, count=1) if rule.complement in ("phrase", "joined") else text
            yield Statement(
                subject=subject.name,
                relation=rule.relation,
                object=named,
                text=says.format(s=subject.name, o=text),
                spans=(span,),
                subject_type=subject.type,
                object_type=rule.object_type,
                negated=denied,
                kind=rule.kind,
                confidence=rule.confidence,
                event_from=begin,
                event_to=finish,
            )
            if ended and finish is not None:  # who lived there until 2020 did not later
                yield Statement(
                    subject.name, rule.relation, named, rule.denies.format(s=subject.name, o=text), (span,), subject.type,
                    rule.object_type, negated=True, kind=rule.kind, confidence=rule.confidence, event_from=finish,
                )  # fmt: skip

    def _is_besides(self, rule: Rule, match: re.Match[str], end: int) -> bool:
        """Whether what is said holds beside something else, or for a while alone."""
        if rule.timing == "state" and _JUST_NOW.match(self.sentence, end):
            return True
        if _ALSO.search(match.group()) or _BESIDES.match(self.sentence, end):
            return True
        return not _BEEN.search(match.group()) and _A_WHILE.match(self.sentence, end) is not None

    def _is_home(self, rule: Rule, match: re.Match[str], subject: Subject, place: tuple[int, int]) -> bool:
        if not rule.moves:
            return is_home(self.sentence, *place)
        alone = self.sentence[subject.start : subject.end].casefold() != "we"
        return is_new_home(self.sentence, match.group(), *place, alone=alone)

    def _is_employer(self, start: int, end: int) -> bool:
        """Whether who joined what is named there works for it: where a time or a post tells so, or it is an acronym."""
        name = self.sentence[start:end]
        if sex_of(name) is not None:
            return False
        if _POST.match(self.sentence, end) or (name.isupper() and _OVER.match(self.sentence, end)):
            return True
        return any(0 <= time.first - end <= 4 for time in self.times)

    def _members(self, rule: Rule, first: tuple[int, int]) -> list[tuple[int, int]]:
        """The place of the object, and of those that follow it in a list."""
        if rule.complement == "name" and rule.listed:
            return names_listed(self.sentence, first, self.times)
        return [first] if rule.members is None else [first, *words_listed(self.sentence, first[1], rule.members)]

    def _contrast(self, rule: Rule, end: int, *, negated: bool) -> str | None:
        """The name that is set against the object: in Ravenna, not Rome; not at Acme but at Zeta."""
        if rule.complement != "name" or not rule.denies or rule.negated:
            return None
        match = (_BUT if negated else _NOT).match(self.sentence, end)
        found = None if match is None else name_at(self.sentence, match.end())
        if found is None or not _OVER.match(self.sentence, found[1]):
            return None
        return self.sentence[found[0] : found[1]]

    def _object(self, rule: Rule, match: re.Match[str]) -> tuple[int, int] | None:
        sentence, end = self.sentence, match.end()
        if rule.complement == "group":
            if "whose" in match.groupdict():
                return match.span("whose")
            return match.span("object")
        if rule.complement == "time":
            return next(((time.first, time.last) for time in self.times if 0 <= time.first - end <= 4), None)
        if rule.complement == "name":
            denied = any(text for name, text in match.groupdict().items() if name.startswith("neg"))
            return self._name(end, either=denied and rule.listed)
        joined, acting = rule.complement == "joined", rule.kind == "intention"
        found = phrase_at(sentence, end, self.times, joined=joined, acting=acting or joined)
        if found is None:
            return None
        text = sentence[found[0] : found[1]]
        if (
            rule.complement == "joined"
            and (more := _LIST.match(sentence, found[0]))
            and not _POINTING.search(more.group())
        ):
            found, text = more.span(), more.group()
        if rule.complement == "joined" and (_NOT_LIKED.match(text) or _THIS_ONE.fullmatch(text)):
            return None
        if acting and (not text[0].islower() or _NO_VERB.match(text)):
            return None
        if acting and "going" in match.group() and _NO_PLAN.match(text):
            return None
        if _VAGUE.fullmatch(text):
            return None
        return None if _POINTING.search(_THIS.sub("", text)) and rule.subject == "person" else found

    def _name(self, place: int, *, either: bool = False) -> tuple[int, int] | None:
        both = _BOTH.match(self.sentence, place)
        found = name_at(self.sentence, both.end() if both else place)
        if found is None:
            return None
        start, end = one_name(self.sentence, found)
        inside = [time.first for time in self.times if start <= time.first < end]
        if inside:
            end = min(inside)
            end -= len(self.sentence[start:end]) - len(self.sentence[start:end].rstrip())
            if end <= start:
                return None
        if not either and re.match(r",?\s+or\s", self.sentence[end:]):
            return None
        following = re.match(r"\s+([a-z][\w-]*)", self.sentence[end:])
        timed = any(0 <= time.first - end <= 4 for time in self.times)
        if following and following.group(1) not in _AFTER_NAME and not timed and not following.group(1).endswith("ly"):
            return None
        return start, end

    def _objects(self, rule: Rule, match: re.Match[str], start: int, end: int, *, negated: bool) -> list[str]:
        text = re.sub(r"\s+", " ", self.sentence[start:end])
        if "whose" in match.groupdict():
            if text.casefold() == "my":
                return [self.speaker] if self.speaker else []
            return [re.sub(r"['’]s$", "", text)]  # noqa: RUF001
        if rule.relation == "studies":
            return [_WHERE.split(text)[0]]
        if rule.relation == "prefers":
            return [re.split(r"\s+(?:over|to|rather\s+than)\s+", text)[0]]
        if rule.complement == "joined" and _OR.search(text) and not negated:
            return []
        if rule.complement == "joined" and _AND.search(text) and len(text.split()) <= 12:
            parts = [part.strip() for part in _BETWEEN.split(text) if part.strip()]
            if _OF_KIND.search(text) and any(_BARE.fullmatch(part) for part in parts[:-1]):
                return [text]
            sure = [part for part in parts if len(part.split()) <= 3 and not _NOT_LIKED.match(_OWN.sub("my", part))]
            if len(sure) == len(parts) or ("," in text and sure):
                return sure
        return [text]

    def _times(self, start: int, end: int) -> list[TimeSpan]:
        """The time of the clause: the one in it or right behind, else the one that stands before it."""
        breaks = re.compile(r"[,;:()—–]|\b(?:and|but|because|so|when|while|after|before|which|who)\b")  # noqa: RUF001
        stop = next((found.start() for found in breaks.finditer(self.sentence, end)), len(self.sentence))
        inside = [time for time in self.times if start <= time.first < max(stop, end)]
        if inside:
            return inside if len(inside) == 1 else []
        before = [time for time in self.times if time.last <= start]
        if len(before) == 1 and not breaks.search(self.sentence[before[0].last : start].lstrip(" ,")):
            return before
        return []


def _closes(time: TimeSpan, sentence: str) -> bool:
    return _CLOSE.search(sentence[: time.first]) is not None or (
        time.bound == "before" and not time.text.casefold().startswith("before")
    )


def _is_end(time: TimeSpan, sentence: str) -> bool:
    """Whether a time tells till when something was so, and not only that it was so then."""
    return _closes(time, sentence) or _STRETCH.match(time.text) is not None


def _interval(
    rule: Rule, times: Sequence[TimeSpan], sentence: str, *, over: bool
) -> tuple[datetime | None, datetime | None]:
    """When a statement holds or happened, by its rule and the time of its clause, in UTC."""
    if not times or rule.timing == "none":
        return None, None
    time = times[0]
    start, end = time.start.astimezone(UTC), time.end.astimezone(UTC)
    opens = time.bound == "since" or _OPEN.search(sentence[: time.first]) is not None
    closes = _closes(time, sentence)
    if rule.relation == "status" and TARGET.search(sentence[: time.first]):
        return None, None
    if over and closes:
        return None, start
    if rule.timing in ("event", "plan") or over:
        return (start, end) if time.bound == "in" and not closes else (None, None)
    if rule.timing == "from":
        return (start, None) if opens or time.bound == "in" else (None, None)
    if opens:
        return start, None
    return (None, start) if closes else (None, None)
