"""Episodes without a model: who spoke when of what, what was stated and decided, and how it ended."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.derivation.cards.rules import FORM, KEYWORDS, states_something
from muniment.derivation.episodes.boundaries import BoundaryParameters, boundaries
from muniment.derivation.summaries.source import GroupSource
from muniment.derivation.summaries.versions import Draft
from muniment.derivation.summaries.words import keywords, time_told
from muniment.extraction.sentences import sentences_of
from muniment.extraction.time.told_days import with_days
from muniment.extraction.turns import Turn

PARAMETERS: Final = BoundaryParameters()
_STATEMENTS: Final = 3
_DECISIONS: Final = 5
_LONGEST: Final = 300
_DECIDES: Final = re.compile(
    r"\b(?:decided|agreed|postponed?|approved|let['’]s|we(?:['’]ll| will)|must|required?|settled on|going with)\b",  # noqa: RUF001
    re.IGNORECASE,
)


def episodes_of(source: GroupSource, parameters: BoundaryParameters = PARAMETERS) -> list[Draft]:
    """The episodes of a conversation in their deterministic form; none of a document or a short conversation."""
    if not source.turns or any(turn.modality != "conversation" for turn in source.turns):
        return []
    times = [turn.said_at for turn in source.turns]
    vectors = [source.vectors.get(turn.record_no) for turn in source.turns]
    starts = boundaries(times, vectors, parameters)
    ends = [*starts[1:], len(source.turns)]
    return [_episode(source, source.turns[start:end]) for start, end in zip(starts, ends, strict=False)]


def _episode(source: GroupSource, turns: Sequence[Turn]) -> Draft:
    speakers = list(dict.fromkeys(turn.speaker for turn in turns if turn.speaker))
    about = ", ".join(keywords([turn.text for turn in turns], KEYWORDS, source.speakers))
    who = " and ".join(speakers[:6])
    stated = [(turn, sentence) for turn in turns for sentence in _statements(turn)]
    decisions = [sentence for _, sentence in stated if _DECIDES.search(sentence)][:_DECISIONS]
    facts = [fact for fact in source.facts if fact.basis_no in {turn.record_no for turn in turns}]
    offsets = {turn.record_no: turn.said_offset for turn in turns}
    plans = [
        with_days(fact.text, fact.event_from, fact.event_to, offsets[fact.basis_no])
        for fact in facts
        if fact.kind == "intention"
    ]
    shown = stated[:_STATEMENTS]
    lines = [" ".join(part for part in (time_told(turns), who, f"about {about}." if about else "") if part)]
    lines += [f"{turn.speaker}: {sentence}" if turn.speaker else sentence for turn, sentence in shown]
    lines += [f"Decided: {each}" for each in decisions if each not in [sentence for _, sentence in shown]]
    outcome = stated[-1][1] if len(stated) > len(shown) else None
    lines += [f"In the end: {outcome}"] if outcome is not None and outcome not in decisions else []
    lines += [f"Planned: {each}" for each in plans]
    said = [turn.said_at for turn in turns if turn.said_at is not None]
    return Draft(
        kind="episode",
        title=f"{who}: {about}" if who else about,
        text="\n".join(lines),
        records=[turn.record_no for turn in turns],
        form=FORM,
        phrasings=list(dict.fromkeys(fact.text for fact in facts if fact.kind != "intention"))[:8],
        detail={"participants": speakers, "decisions": decisions, "outcome": outcome, "plans": plans},
        first_at=min(said) if said else None,
        last_at=max(said) if said else None,
        part=source.positions[turns[0].record_no],
    )


def _statements(turn: Turn) -> list[str]:
    return [
        sentence.text[:_LONGEST]
        for sentence in sentences_of(turn.text)
        if not sentence.asks and (states_something(sentence.text) or _DECIDES.search(sentence.text))
    ]
