"""The claims route: what is derived of the subjects that a question names leads to the records that say so.

"Where does Maya live?" shares no word with "We moved to Berlin last week". What holds at the time asked about leads to
its evidence, which takes its place; claims themselves are never candidates. The search also learns which records tell
of what held at other times, so that a ranking may put them after those that tell what does. A question that asks when,
before or after what is about all times.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from muniment.database.pool import Row
from muniment.extraction.names import common_words
from muniment.retrieval.routes.foresight import plans_asked
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search
from muniment.retrieval.supporting import EVIDENCE

_LONGEST_NAME = 5  # words
_ENDS = " .,;:!?\"'()\u201c\u201d\u2018\u2019"
_LEAST_SHARE = 0.6
_MOST_TERMS = 10_000
_ENDING = 3  # letters that an inflected word has after its stem
_OWNED = re.compile(r"(\w+)['\u2019]s\s+(\w+)")
_POSSESSIVES = ("'s", "\u2019s")

_terms: dict[tuple[str, str], frozenset[str]] = {}
"""The terms of names of relations, by language: they are few, and cutting one takes milliseconds."""


async def find(search: Search) -> list[Found]:
    """The facts under the claims that the question asks about, best first; they lead to the records they rest on.

    Where it looks ahead, what is planned goes before what holds. A relation is asked about where one of its names
    shares most of its words with the question. Few statements, each by probes of indexes; how many is bounded by
    ``profile.claims.probes``.
    """
    names, terms = _names(search), {term.term for term in search.planned.terms}
    if not names or not terms:
        return []
    found = await _of_claims(search, names, terms)
    plans = await plans_asked(search, names)
    if plans is None:
        return found
    planned = [Found(number, 2.0 - place / 100) for place, number in enumerate(plans.facts)]
    search.telling = await _spans_of(search, set(plans.facts))
    search.holding = search.telling
    search.told_terms |= {term for term in terms if any(_is_of(term, word) for word in plans.words)}
    return planned + [each for each in found if each.record_no not in plans.facts]


async def _of_claims(search: Search, names: list[str], terms: set[str]) -> list[Found]:
    plan, parameters = search.planned, search.profile.claims
    first_names = _first_names(search)
    standing = await search.scope.rows(
        "claims.asked", spaces=plan.spaces, names=names, first_names=first_names, known_at=plan.known_at
    )
    scores = await _relations_asked(search, {row["meant"]: row["called"] for row in standing}, terms)
    paired = _paired(standing) - scores.keys()
    about = [row for row in standing if row["meant"] in scores or row["meant"] in paired]
    asked = [row for row in about if row["meant"] in scores or not row["valued"]]
    if not asked:
        return []
    begin, end = _asked_about(search)
    rows = await search.scope.rows(
        "claims.search",
        spaces=[row["space_id"] for row in asked],
        names=[row["name"] for row in asked],
        relations=[row["relation"] for row in asked],
        valued=[row["valued"] for row in asked],
        scores=[scores.get(row["meant"], 0.0) for row in asked],
        named=names,
        known_at=plan.known_at,
        from_at=begin,
        to_at=end,
        most=parameters.most,
    )
    single = {row["meant"] for row in asked if row["single"]}
    rows = _asked_of_pairs(rows, paired, single)
    _note_several(search, [row for row in rows if row["holds"]], first_names, single)
    await _learn_what_holds(search, rows, single)
    if search.holding:
        search.told_terms = _told_terms(search, about, terms)
    found: dict[int, float] = {}
    for row in rows:
        for number in row["facts"] if row["holds"] else ():
            found.setdefault(number, row["score"])
    return [Found(number, score) for number, score in found.items()]


def _paired(standing: Sequence[Row]) -> set[str]:
    """The relations in which one name of the question stands as a subject and another as a value: *Is Ida vegan?*"""
    sides: dict[str, tuple[set[str], set[str]]] = {}
    for row in standing:
        sides.setdefault(row["meant"], (set(), set()))[row["valued"]].add(row["name"])
    return {relation for relation, (subjects, values) in sides.items() if subjects and values - subjects}


def _asked_of_pairs(rows: Sequence[Row], paired: set[str], single: set[str]) -> list[Row]:
    """Of relations that are asked about by a subject and a value: the claims of both, and the other values in their
    place."""
    both = {(row["subject_key"], row["relation"]) for row in rows if row["score"] >= 1}
    return [
        row
        for row in rows
        if row["relation"] not in paired
        or row["score"] >= 1
        or (row["relation"] in single and (row["subject_key"], row["relation"]) in both)
    ]


async def _relations_asked(search: Search, called: Mapping[str, Sequence[str]], terms: set[str]) -> dict[str, float]:
    """The relations that the terms ask about, each with the largest share of the words of one of its names."""
    language = search.language
    names = {relation: {relation, *aliases} for relation, aliases in called.items()}
    await _learn_terms(search, {name for each in names.values() for name in each}, language)
    shares = {
        relation: max(_share(_terms[language, name], terms) for name in each if (language, name) in _terms)
        for relation, each in names.items()
    }
    return {relation: share for relation, share in shares.items() if share >= _LEAST_SHARE}


async def _learn_terms(search: Search, names: set[str], language: str) -> None:
    """Cuts names of relations into terms, as texts are, each once for all searches."""
    unknown = sorted(name for name in names if (language, name) not in _terms)
    if not unknown:
        return
    if len(_terms) > _MOST_TERMS:
        _terms.clear()
        unknown = sorted(names)
    texts = [name.replace("_", " ") for name in unknown]
    rows = await search.scope.rows("retrieval.token_terms", texts=texts, language=language)
    found = {row["place"]: frozenset(row["terms"]) for row in rows}
    _terms.update({(language, name): found.get(place, frozenset()) for place, name in enumerate(unknown)})


def _told_terms(search: Search, asked: Sequence[Row], terms: set[str]) -> frozenset[str]:
    """The terms of the question that what holds answers: those of the names, of the relations, and of the time.

    None where the question is about something that a name owns and no relation says: *where Maya's sister lives*.
    """
    language, time = search.language, search.planned.time
    names = {word for row in asked for word in row["name"].split()}
    words = names | set(time.text.lower().split() if time else ())
    told = {term for term in terms if any(_is_of(term, word) for word in words)}
    for name in {name for row in asked for name in (row["relation"], row["meant"], *row["called"])}:
        told |= _terms.get((language, name), frozenset()) & terms
    stems = {term[1:] for term in told if term.startswith("~")}
    told |= {
        term for term in terms if any(term.startswith(stem) and len(term) - len(stem) <= _ENDING for stem in stems)
    }
    owned = [word for owner, word in _OWNED.findall(search.question.lower()) if owner in names]
    return frozenset() if any(not any(_is_of(term, word) for term in told) for word in owned) else frozenset(told)


def _is_of(term: str, word: str) -> bool:
    """Whether a term is a word or, as far as letters tell, its stem."""
    if not term.startswith("~"):
        return term == word
    stem = term[1:]
    return word.startswith(stem) or (stem.endswith("i") and word.startswith(f"{stem[:-1]}y"))


def _share(words: frozenset[str], terms: set[str]) -> float:
    """The share of the words that are among the terms, themselves or by their stems (``~``)."""
    stems = {word for word in words if word.startswith("~")}
    plain = {word for word in words - stems if len(word) > 2}
    return max(len(plain & terms), len(stems & terms)) / len(plain) if plain else 0.0


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


def _first_names(search: Search) -> list[str]:
    """The single words of the question that may be somebody's first name: no common words, none before another name; at
    most four."""
    words = [word.strip(_ENDS) for word in unicodedata.normalize("NFKC", search.question).split()]
    for possessive in _POSSESSIVES:
        words = [word.removesuffix(possessive) for word in words]
    named = [
        len(word) > 1 and (common_words().get(word.casefold()) is None or (place > 0 and word[0].isupper()))
        for place, word in enumerate(words)
    ]
    names = [
        word.lower()
        for word, one, another in zip(words, named, [*named[1:], False], strict=True)
        if one and not another
    ]
    return list(dict.fromkeys(names))[:4]


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


async def _learn_what_holds(search: Search, rows: Sequence[Row], single: set[str]) -> None:
    """Notes which records tell of what holds, which of them where one value does, and which tell only of what did so at
    other times, or was ended or denied. What happened once, and ended by itself, is no less true for that."""
    search.telling, search.outdated, search.holding = {}, {}, {}
    holding = [row for row in rows if row["holds"]]
    answered = {(row["space_id"], row["subject_key"], row["relation"]) for row in holding}
    ended = {row["claim_id"] for row in rows if not row["holds"]}  # a denial stands here by the claim that it ended
    _note_contested(search, [row for row in holding if row["relation"] in single and row["contested"]])
    firm = {
        number for row in holding if row["relation"] in single or row["claim_id"] in ended for number in row["facts"]
    }
    held = {number for row in holding for number in row["facts"]}
    others = {
        number
        for row in rows
        if not row["holds"] and (row["superseded"] or row["relation"] in single)
        if (row["space_id"], row["subject_key"], row["relation"]) in answered or row["superseded"]
        for number in row["facts"]
    } - held
    if not held and not others:
        return
    told = await _told(search, held | others)
    search.holding, search.telling = _spans(told, held), _spans(told, firm)
    search.outdated = {number: spans for number, spans in _spans(told, others).items() if number not in search.holding}


def _note_contested(search: Search, holding: Sequence[Row]) -> None:
    """Says where a relation with one value at a time has several at the moment asked about."""
    begin, end = _asked_about(search)
    if begin is None or begin != end:
        return
    values: dict[tuple[int, str, str], set[UUID]] = {}
    for row in holding:
        values.setdefault((row["space_id"], row["subject_key"], row["relation"]), set()).add(row["claim_id"])
    for (_, subject, relation), claims in sorted(values.items()):
        if len(claims) > 1:
            search.note(
                f"contested: {len(claims)} values of {relation} are told of {subject!r}, and nothing says which holds"
            )


def _note_several(search: Search, rows: Sequence[Row], first_names: Sequence[str], single: set[str]) -> None:
    """Says where a name in the question may mean several people: of one first name, or in several namespaces that each
    tell another value where there is one."""
    subjects = {(row["space_id"], row["subject_key"]) for row in rows}
    for name in first_names:
        meant = sorted({subject for _, subject in subjects if subject.split(" ")[0] == name})
        if len(meant) > 1:
            search.note(f"ambiguous: {name!r} may mean {len(meant)} people: {', '.join(meant)}")
    told = {(row["subject_key"], row["relation"], row["space_id"]) for row in rows if row["relation"] in single}
    for subject, relation in sorted({(subject, relation) for subject, relation, _ in told}):
        places = {space for each, other, space in told if (each, other) == (subject, relation)}
        if len(places) > 1:
            search.note(f"ambiguous: {subject!r} is told of in {len(places)} namespaces, and may be as many people")


async def _told(search: Search, facts: set[int]) -> Sequence[Row]:
    return await search.scope.rows(
        "claims.told",
        facts=sorted(facts),
        spaces=search.planned.spaces,
        known_at=search.planned.known_at,
        most=search.profile.support.best,
    )


async def _spans_of(search: Search, facts: set[int]) -> dict[int, list[tuple[int, int]]]:
    return _spans(await _told(search, facts), facts)


def _spans(told: Sequence[Row], facts: set[int]) -> dict[int, list[tuple[int, int]]]:
    """Where each record says what the facts say."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for row in told:
        if row["fact"] in facts:
            spans.setdefault(row["record_no"], []).append((row["span_start"], row["span_end"]))
    return spans


ROUTE = Route("claims", find, support=EVIDENCE)
