"""A group's card without a model: its four commonest words, and its first four sentences that state something."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.derivation.summaries.source import GroupSource
from muniment.derivation.summaries.versions import Draft
from muniment.derivation.summaries.words import keywords
from muniment.extraction.sentences import sentences_of

FORM: Final = "rules:2"
KEYWORDS: Final = 4
SENTENCES: Final = 4
_LONGEST: Final = 300  # characters of a sentence
_LEAST_WORDS: Final = 5
_PHRASINGS: Final = 8
_WORD: Final = re.compile(r"[\w'’-]+")  # noqa: RUF001
_TELLING: Final = re.compile(r"(?<=\s)[A-Z][a-z]|\d")
_NAMES: Final = 6


def card_of(source: GroupSource) -> Draft:
    """The card in its deterministic form, of the same turns always the same."""
    words = keywords([turn.text for turn in source.turns], KEYWORDS, source.speakers)
    chosen = _factual(source)
    speakers = source.speakers[:_NAMES]
    facts = list(source.facts)[:_PHRASINGS]
    first_at, last_at = source.said()
    about = ", ".join(words)
    title = f"{' and '.join(speakers)}: {about}" if speakers else about
    told = [f"{speaker}: {text}" if speaker else text for _, speaker, text in chosen]
    return Draft(
        kind="card",
        title=title,
        text="\n".join(told),
        records=sorted({number for number, _, _ in chosen} | {fact.record_no for fact in facts}),
        form=FORM,
        phrasings=list(dict.fromkeys(fact.text for fact in facts)),
        detail={"keywords": words, "participants": source.speakers},
        first_at=first_at,
        last_at=last_at,
    )


def _factual(source: GroupSource) -> list[tuple[int, str | None, str]]:
    """The first sentences that state something, with their records and speakers; where none does, the first ones."""
    stating = [each for each in _sentences(source) if each[0]]
    found = (stating or list(_sentences(source)))[:SENTENCES]
    return [(number, speaker, text) for _, number, speaker, text in found]


def _sentences(source: GroupSource) -> Iterator[tuple[bool, int, str | None, str]]:
    spans: dict[int, list[tuple[int, int]]] = {}
    for fact in source.facts:
        spans.setdefault(fact.basis_no, []).append((fact.start, fact.end))
    for turn in source.turns:
        for sentence in sentences_of(turn.text):
            end = sentence.start + len(sentence.text)
            carries = any(start < end and sentence.start < stop for start, stop in spans.get(turn.record_no, ()))
            states = carries or (not sentence.asks and states_something(sentence.text))
            yield states, turn.record_no, turn.speaker, _short(sentence.text)


def states_something(sentence: str) -> bool:
    """Whether a sentence names somebody, something or a number, and is more than an exclamation."""
    return len(_WORD.findall(sentence)) >= _LEAST_WORDS and _TELLING.search(sentence) is not None


def _short(sentence: str) -> str:
    if len(sentence) <= _LONGEST:
        return sentence
    return sentence[: max(sentence.rfind(" ", 0, _LONGEST), 0) or _LONGEST].rstrip()
