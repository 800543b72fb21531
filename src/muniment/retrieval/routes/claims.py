"""The claims route: what is derived of the subjects that a question names leads to the records that say so.

"Where does Maya live?" shares no word with "We moved to Berlin last week". What holds at the time asked about leads to
its evidence, which takes its place; claims themselves are never candidates. The search also learns which records tell
of what held at other times, so that a ranking may put them after those that tell what does. A question that asks when,
before or after what is about all times.
"""

import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta

from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search
from muniment.retrieval.supporting import EVIDENCE

_LONGEST_NAME = 5  # words
_ENDS = " .,;:!?\"'()\u201c\u201d\u2018\u2019"
_POSSESSIVES = ("'s", "\u2019s")


async def find(search: Search) -> list[Found]:
    """The facts under the claims that the question asks about, best first; they lead to the records they rest on.

    Two statements at most, each by probes of indexes; how many is bounded by ``profile.claims.probes``.
    """
    plan, parameters = search.planned, search.profile.claims
    names = _names(search)
    terms = [term.term for term in plan.terms]
    if not names or not terms:
        return []
    begin, end = _asked_about(search)
    rows = await search.scope.rows(
        "claims.search",
        spaces=plan.spaces,
        names=names,
        terms=terms,
        language=search.profile.lexical.language,
        known_at=plan.known_at,
        from_at=begin,
        to_at=end,
        most=parameters.most,
    )
    holding = [row for row in rows if row["holds"]]
    answered = {(row["subject_key"], row["relation"]) for row in holding}
    others = [
        number
        for row in rows
        if not row["holds"] and (row["subject_key"], row["relation"]) in answered
        for number in row["facts"]
    ]
    await _learn_outdated(search, others, {number for row in holding for number in row["facts"]})
    found: dict[int, float] = {}
    for row in holding:
        for number in row["facts"]:
            found.setdefault(number, row["score"])
    return [Found(number, score) for number, score in found.items()]


def names_asked(question: str, longest: int = _LONGEST_NAME) -> Iterator[str]:
    """Every run of up to ``longest`` words of the question as names are compared, those with a capital letter first."""
    words = unicodedata.normalize("NFKC", question).split()
    runs = [
        " ".join(words[first:last])
        for first in range(len(words))
        for last in range(first + 1, min(first + longest, len(words)) + 1)
    ]
    for run in sorted(runs, key=lambda run: run == run.lower()):
        name = run.strip(_ENDS)
        for possessive in _POSSESSIVES:
            name = name.removesuffix(possessive)
        if len(name) > 1:
            yield name.lower()


def _names(search: Search) -> list[str]:
    plan = search.planned
    names = [speaker.lower() for speaker in plan.named]
    if plan.first_person:
        names += ["user", *([search.namespace.user_id.lower()] if search.namespace.user_id else [])]
    names += names_asked(search.question)
    most = search.profile.claims.probes // max(1, len(plan.spaces))
    return list(dict.fromkeys(names))[:most]


def _asked_about(search: Search) -> tuple[datetime | None, datetime | None]:
    """The stretch of time that the question is about, its end included; None is open.

    An undated one is about its own moment, or ``as_of``; one that asks when, before or after what, about all times.
    """
    span = search.planned.time
    if span is not None:
        begin, end = span.window
        return begin, None if end is None else end - timedelta(microseconds=1)
    always = search.planned.outlook.intent == "temporal" and search.request.as_of is None
    at = None if always else search.request.as_of or search.asked_at
    return at, at


async def _learn_outdated(search: Search, facts: list[int], but: set[int]) -> None:
    facts = [number for number in facts if number not in but]
    search.outdated = set()
    if not facts:
        return
    plan = search.planned
    rows = await search.scope.rows(
        "supporting.evidence",
        hits=[*facts, *but],
        spaces=plan.spaces,
        known_at=plan.known_at,
        most=search.profile.support.best,
    )
    told = {row["record_no"] for row in rows if row["routing"] in but}
    search.outdated = {row["record_no"] for row in rows if row["routing"] not in but} - told


ROUTE = Route("claims", find, support=EVIDENCE)
