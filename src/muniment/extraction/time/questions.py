"""What a question asks about time: whether it asks when, which time it names, and its words beside those."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.calendar import finer
from muniment.extraction.time.detection import languages_of
from muniment.extraction.time.expressions import intervals_in
from muniment.extraction.time.spans import TimeSpan

_WHEN: Final = re.compile(
    r"(?:^|[,;:.?!]\s*|\b(?:and|know|remember|recall|tell me|say|said|since|until)\s+)when\b"
    r"|\bwhen\s+(?:did|do|does|was|were|is|are|will|has|have|had|would|can|could|should)\b"
    r"|\b(?:what|which)\s+(?:(?:exact|specific)\s+)?(?:year|month|week|weekend|day|date|time|season|decade)\b"
    r"|\bhow\s+(?:long\s+ago|recently)\b|\b(?:on|at|in)\s+(?:what|which)\s+(?:year|month|week|day|date|time)\b"
    r"|^\s*(?:wann|seit wann|quand|depuis quand|cu[aá]ndo|desde cu[aá]ndo|quando|wanneer)\b",
    re.IGNORECASE,
)

_GENERIC: Final = """
what which who s did do does doing done was were is are be been will would has have had can i we you us me my our your
the a an any anything something everything thing things event events happen happened happens happening take takes took
taking taken place occur occurred occurs go going went on in at during by for from of there up that this day date and
all tell show list give about scheduled planned plan plans calendar agenda know remember so please new news was welche
welches wer ist sind war waren wird werden wurde hat haben habe ich wir du ihr uns mir mich passiert passierte geschah
geschehen geschieht los gewesen gab gibt es findet fand finden statt stattgefunden gemacht machen machten machte tat
getan am im um den dem der die das ein eine alles so und an zu ereignis ereignisse termin termine steht stand que qu
qui quoi quel quelle quels est sont était il elle on a ai avons avez nous je tu vous s se passe passé passer passait
arrivé arrive fait faire faisons lieu eu le la les l de du des en y événement événements prévu prévus qué que pasó
pasa pasaba pasará ocurrió ocurre sucedió hubo hay hicimos hice hacer hago hemos hecho he tiene lugar tuvo el los las
en lo fue es son eventos evento
"""
GENERIC_WORDS: Final = frozenset(_GENERIC.split())
"""Words of a question that tell nothing of what it is about; the search in plain SQL has the same."""
_SHORT: Final = 1000  # characters
_LETTERS: Final = re.compile(r"[^\W\d_]+")


def question_times(question: str, asked_at: datetime, language: str) -> list[TimeSpan]:
    """The time expressions of a question, read in that of the languages that it may be in in which most of it is
    understood, the likeliest first: a question is short, and often no more than its time. A long one tells its
    language by its other words, and is read once."""
    likely = languages_of(_LETTERS.findall(question.lower()), language)
    if len(question) > _SHORT:
        likely = likely[:1]
    readings = [intervals_in(question, asked_at, each) for each in likely]
    return max(readings, key=lambda spans: sum(span.last - span.first for span in spans))


def asks_when(question: str) -> bool:
    """Whether the question asks for a time: when something was, in which year, how long ago."""
    return _WHEN.search(question) is not None


def without_times(question: str, spans: Sequence[TimeSpan]) -> str:
    """The question without its time expressions and the words that ask for a time: what happened, not when."""
    return _WHEN.sub(" ", beside_times(question, spans))


def beside_times(question: str, spans: Iterable[TimeSpan]) -> str:
    """What stands beside these time expressions, each of which leaves a blank."""
    kept: list[str] = []
    end = 0
    for span in sorted(spans, key=lambda each: each.first):
        kept += [question[end : span.first], " "]
        end = max(end, span.last)
    return "".join([*kept, question[end:]])


def asks_only_of_time(question: str, spans: Sequence[TimeSpan], names: frozenset[str] = frozenset()) -> bool:
    """Whether the question has no word beside its times and ``names``, case folded, that tells what it is about: "what
    happened yesterday?", "what did Ann do then?"."""
    said = _LETTERS.findall(without_times(question, spans).casefold())
    return bool(spans) and (GENERIC_WORDS | names).issuperset(said)


def named_time(spans: Sequence[TimeSpan]) -> TimeSpan | None:
    """The time that a question is about where it names several: the finest, the first of these."""
    best: TimeSpan | None = None
    for span in spans:
        if best is None or finer(span.grain, best.grain):
            best = span
    return best


def window_unit(span: TimeSpan) -> timedelta:
    """The length by which distances to the window are measured: its own, of an open one that of its edge, at least a
    day."""
    return max(span.end - span.start, timedelta(days=1))
