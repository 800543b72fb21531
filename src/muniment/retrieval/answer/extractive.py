"""An answer without a language model: the sentences that cover the question best, quoted word for word.

Where claims hold that the question asks about, the sentences that say so come before others, and those that say what
no longer holds, or not yet, are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from muniment.database.pool import Row
from muniment.extraction.names import names_in
from muniment.retrieval.answer.abstention import ABSTENTION, Reason, reason_to_abstain
from muniment.retrieval.answer.bareness import BECAUSE, bareness
from muniment.retrieval.answer.citations import citation
from muniment.retrieval.answer.claims import answered_by_claims, tells_what_ended, tells_what_holds
from muniment.retrieval.answer.context_of_sentences import with_context
from muniment.retrieval.answer.dates import first_told_of
from muniment.retrieval.answer.saying import own_verb, topic
from muniment.retrieval.answer.sentences import ASKING, sentences, statements
from muniment.retrieval.guarding import guarded
from muniment.retrieval.lessening import lesser_terms, time_terms
from muniment.retrieval.parameters import AnswerParameters
from muniment.retrieval.participants import speakers_named
from muniment.retrieval.state import Evidence, Search


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence that may be quoted: its record, which of the question's terms it answers, and the record's standing.

    One that ``tells`` says what holds of what the question asks about. It stands at the character ``begin``.
    """

    evidence: Evidence
    sentence: str
    terms: frozenset[str]
    standing: float
    tells: bool = False
    begin: int = 0


async def answer(search: Search) -> tuple[str, dict[str, Any]]:
    """Fills answer, abstention and citations from the evidence; only evidence is cited."""
    reason = reason_to_abstain(search, search.evidence)
    if reason is not None:
        return _abstained(search, reason)
    parameters = search.profile.answer
    verb = own_verb(search.question)
    plan = search.planned
    lesser = lesser_terms(search.question, plan.times, plan.named.values())
    if "temporal" in search.found:  # which knows when records tell of, whatever they write a date with
        lesser |= time_terms(search.question, plan.times)
    held = plan.held if verb is None else topic(plan, search.question, plan.held)
    weights = {term.term: term.weight * term.idf for term in held if term.term not in lesser}
    quotations = await _quotations(search, parameters, frozenset(weights))
    if verb is not None:
        quotations = _of_the_named(search, quotations)
    if search.planned.only_time and (search.inside or search.partly):
        chosen = then_told(search, quotations)
    else:
        named = frozenset(search.planned.speakers)
        chosen = choose(quotations, weights, parameters, named)
        lacks = bareness(chosen[0].evidence)
        if lacks is not None:
            saying = [quoted for quoted in quotations if bareness(quoted.evidence) is None]
            others = choose(saying, weights, parameters, named) if saying else []
            if not others or _covered(others[0], weights) < _AS_MUCH * _covered(chosen[0], weights):
                return _abstained(search, Reason(lacks, BECAUSE[lacks]))
            chosen = others
        chosen = [quoted for quoted in chosen if bareness(quoted.evidence) is None]
    _note_other_times(search, chosen)
    chosen = _with_context(search, chosen)
    search.answer, search.abstain = "\n".join(_line(quoted, n) for n, quoted in enumerate(chosen, start=1)), False
    search.citations = [citation(quoted.evidence, quoted.sentence) for quoted in chosen]
    return f"{len(chosen)} sentences quoted", {
        "policy": "extractive",
        "sentences": len(quotations),
        "cited": [quoted.evidence.candidate.record_no for quoted in chosen],
    }


def _note_other_times(search: Search, chosen: list[Quotation]) -> None:
    """Says so where the question names a time, and nothing that is quoted tells of it."""
    told = {quoted.evidence.candidate.record_no for quoted in chosen}
    dated = search.planned.time is not None and "temporal" in search.found
    if dated and told.isdisjoint(search.inside | search.partly):
        search.note("nothing that is quoted tells of the time that was asked about itself")


def _abstained(search: Search, reason: Reason) -> tuple[str, dict[str, Any]]:
    search.answer, search.abstain, search.reason = ABSTENTION, True, reason.rule
    search.note(f"not answered: {reason.because}")
    return f"abstained: {reason.because}", reason.detail()


def _covered(quoted: Quotation, weights: dict[str, float]) -> float:
    return sum(weights[term] for term in quoted.terms)


def _of_the_named(search: Search, quotations: list[Quotation]) -> list[Quotation]:
    """Where the question asks what somebody said: what that person said, and where others name the person; all where
    there is none that is about what the question asks."""
    named = search.planned.named
    if not named:
        return quotations
    theirs = [
        quoted for quoted in quotations
        if quoted.evidence.speaker in named or speakers_named(quoted.evidence.text, named)
    ]  # fmt: skip
    asked = {term.term for term in topic(search.planned, search.question, search.planned.held)}
    return theirs if any(not asked or not asked.isdisjoint(quoted.terms) for quoted in theirs) else quotations


def _with_context(search: Search, chosen: list[Quotation]) -> list[Quotation]:
    """Each with what it needs beside it, what lies in another that is quoted left out."""
    wider: list[Quotation] = []
    for quoted in chosen:
        item = quoted.evidence
        shown = quoted.sentence
        if not quoted.tells and item.candidate.record_no not in search.outdated:  # else what ended might come along
            shown = with_context(item.text, quoted.sentence, quoted.begin, _placed(item.text))
        if not any(other.evidence is item and shown in other.sentence for other in wider):
            wider.append(replace(quoted, sentence=shown))
    return wider


def _placed(text: str) -> list[tuple[int, str]]:
    """The sentences of a text with where they begin."""
    placed, after = [], 0
    for sentence in sentences(text):
        after = text.index(sentence, after)
        placed.append((after, sentence))
        after += len(sentence)
    return placed


_AS_MUCH = 0.6  # of what a heading covers of the question: what is said elsewhere answers it too
_LEAST_SECONDS = 0.25  # to compare the sentences, also where the time is up
_ANOTHER_PART = 2.0  # times the gain
_INSIDE = 0.3  # added to the standing of a record whose time is the one asked about


def choose(
    quotations: list[Quotation],
    weights: dict[str, float],
    parameters: AnswerParameters,
    named: frozenset[str] = frozenset(),
) -> list[Quotation]:
    """The sentence that covers most of the question, counting its record's standing, then those that add to it.

    Sentences that tell what holds come first, whatever words they share with the question: each tells another value.
    Each further sentence must cover at least ``gain`` of the question that none before covers, and speak of the same
    subject as one before, or cover twice as much: then it answers another part of the question. At least one is chosen,
    whatever its length; questions are quoted only where there is nothing else. ``named`` are the speakers whom the
    question names.
    """
    whole = sum(weights.values()) or 1.0
    chosen = _telling(quotations, parameters)
    covered = {term for quoted in chosen for term in quoted.terms}
    room = parameters.characters - sum(len(quoted.sentence) for quoted in chosen)
    statements = [q for q in quotations if not q.sentence.endswith(ASKING)] or quotations
    while len(chosen) < parameters.sentences:
        best: tuple[float, Quotation] | None = None
        for quoted in statements:
            fresh = sum(weights[term] for term in quoted.terms - covered) / whole
            if quoted in chosen or (chosen and (fresh < parameters.gain or len(quoted.sentence) > room)):
                continue
            apart = bool(chosen) and not any(_same_subject(quoted, other, weights, named) for other in chosen)
            if apart and fresh < _ANOTHER_PART * parameters.gain:
                continue
            value = fresh + parameters.rank_weight * quoted.standing
            if best is None or value > best[0] + 1e-12:
                best = (value, quoted)
        if best is None:
            break
        chosen.append(best[1])
        covered |= best[1].terms
        room -= len(best[1].sentence)
    return chosen


def then_told(search: Search, quotations: list[Quotation]) -> list[Quotation]:
    """Of each record whose time is the one asked about, in their order, the first sentence that tells of that time,
    else the record's first. Where there is none, of those whose times are longer or only partly in it. Where the
    question names somebody, of what that person said, or where others name the person, if there is any."""
    parameters, span = search.profile.answer, search.planned.time
    then = [quoted for quoted in quotations if quoted.evidence.candidate.record_no in search.inside | search.partly]
    own = [quoted for quoted in then if quoted.evidence.speaker in search.planned.named]
    naming = [quoted for quoted in then if speakers_named(quoted.evidence.text, search.planned.named)]
    quotations = own or naming or quotations
    quoted_records = {quoted.evidence.candidate.record_no for quoted in quotations}
    among = search.partly if quoted_records.isdisjoint(search.inside) else search.inside
    inside: dict[int, list[Quotation]] = {}
    for quoted in quotations:
        number = quoted.evidence.candidate.record_no
        if number in among:
            inside.setdefault(number, []).append(quoted)
    if inside and among is search.partly:
        search.note("the time that was asked about is told of only as part of other times, or partly")
    chosen: list[Quotation] = []
    room = parameters.characters
    for told in inside.values():
        place = first_told_of([quoted.sentence for quoted in told], told[0].evidence.at, span)
        if len(chosen) < parameters.sentences and (not chosen or len(told[place].sentence) <= room):
            chosen.append(told[place])
            room -= len(told[place].sentence)
    return chosen or quotations[:1]


def _telling(quotations: list[Quotation], parameters: AnswerParameters) -> list[Quotation]:
    """Those that tell what holds, the best standing first, each sentence once, as many as have room."""
    chosen: dict[str, Quotation] = {}
    room = parameters.characters
    for quoted in sorted((q for q in quotations if q.tells), key=lambda q: -q.standing):
        if quoted.sentence in chosen or (chosen and len(quoted.sentence) > room):
            continue
        chosen[quoted.sentence] = quoted
        room -= len(quoted.sentence)
    return list(chosen.values())[: parameters.sentences]


def _same_subject(quoted: Quotation, other: Quotation, weights: dict[str, float], named: frozenset[str]) -> bool:
    """Whether a sentence goes on with what another speaks of.

    It does where it stands in the same record or directly beside it in the same group, where the same person said both
    whom the question names, where it holds the term of the question that weighs most in the other, or one of the names
    that stand there.
    """
    here, there = quoted.evidence, other.evidence
    if here.group_key == there.group_key and abs(here.position - there.position) <= 1:
        return True
    if here.speaker is not None and here.speaker == there.speaker and here.speaker in named:
        return True
    if other.terms and max(other.terms, key=lambda term: (weights[term], term)) in quoted.terms:
        return True
    return not set(names_in(other.sentence)).isdisjoint(names_in(quoted.sentence))


async def _quotations(search: Search, parameters: AnswerParameters, known: frozenset[str]) -> list[Quotation]:
    pieces = _current(search, [piece for item in search.evidence[: parameters.hits] for piece in _pieces(item)])
    texts = [sentence for _, sentence, _ in pieces]
    rows = await guarded(search, 1.0, partial(_terms_of, search, texts), least=_LEAST_SECONDS)
    if rows is None:
        search.cut_short("the sentences could not be compared with the question in time: the best records are quoted")
        rows = []
    terms = {row["place"]: known.intersection(row["terms"]) for row in rows}
    top = max(item.candidate.hit_score for item in search.evidence) or 1.0
    answered = answered_by_claims(search, search.evidence)
    quotations = []
    for place, (item, sentence, begin) in enumerate(pieces):
        tells = answered and tells_what_holds(search, item, sentence, begin)
        said = terms.get(place, frozenset())
        if tells:
            said |= known.intersection(search.told_terms)
        standing = item.candidate.hit_score / top
        standing += _INSIDE * (item.candidate.record_no in search.inside)
        quotations.append(Quotation(item, sentence, said, standing, tells, begin))
    return quotations


async def _terms_of(search: Search, texts: list[str]) -> Sequence[Row]:
    return await search.scope.rows("retrieval.token_terms", texts=texts, language=search.language)


_Piece = tuple[Evidence, str, int]


def _pieces(item: Evidence) -> Iterator[_Piece]:
    """The sentences of a record, each with where it begins."""
    after = 0
    for sentence in statements(item.text):
        after = item.text.index(sentence, after)
        yield item, sentence, after
        after += len(sentence)


def _current(search: Search, pieces: list[_Piece]) -> list[_Piece]:
    """Those that do not say what does not hold at the time asked about; all where there are no others."""
    return [piece for piece in pieces if not tells_what_ended(search, *piece)] or pieces


def _line(quoted: Quotation, number: int) -> str:
    """The sentence with who said it and when, where that is known, and the number of its citation."""
    item = quoted.evidence
    said = [part for part in (item.speaker or item.role, item.at.date().isoformat() if item.at else None) if part]
    opening = f"{', '.join(said)}: " if said else ""
    return f"{opening}{quoted.sentence} [{number}]"
