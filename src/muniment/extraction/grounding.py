"""Whether the words that a model quotes say what it makes of them: the object, the relation, who it is about, and
yes or no; and a restatement that adds nothing to that."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

from muniment.extraction.doubt import doubted
from muniment.extraction.inflection import FORM_WORDS, content_of, holds, words_of
from muniment.extraction.names import names_in
from muniment.extraction.polarity import denies, ends, negates, polarity_of
from muniment.extraction.relation_words import ATTRIBUTES, OPPOSITES, denied_by, said_by
from muniment.extraction.statements import Span, Statement
from muniment.extraction.time.expressions import read_intervals
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.turns import Turn

Refusal = Literal["object", "relation", "subject", "polarity", "unsure"]
"""What of a statement the quoted words do not say; ``unsure`` where their sentence asks, supposes or doubts it."""

_FIRST_PERSON: Final = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]ur|[Oo]urs|i['’]\w+)\b|\bi\b")  # noqa: RUF001
_THIRD_PERSON: Final = re.compile(r"\b(?:he|she|they|it|his|her|their|its|him|them)\b", re.IGNORECASE)
_LEADS_IN: Final = re.compile(
    r"\b(?:I|we)(?:['’]\w+)?(?:\s+(?:\w+ly|just|also|have|had|am|was|now|then|do|did|not|don['’]t|didn['’]t))*\s*$",  # noqa: RUF001
    re.IGNORECASE,
)
_STARTS_ELLIPTIC: Final = re.compile(r"(?:^|[.!?\n,:]\s*|\band\s+|\bso\s+|\bbut\s+)$")
_QUOTES: Final = re.compile(r"[\"“”]")
_SENTENCE_BEFORE: Final = re.compile(r"[^.!?\n]*[.!?\n]?\s*\Z")
_MOST_BETWEEN: Final = 3
_TURNS_BACK: Final = 2
_NOMINAL: Final = datetime(2000, 1, 1, tzinfo=UTC)


def refusal(statement: Statement, turns: Sequence[Turn]) -> Refusal | None:
    """What the spans of a statement do not carry, in the turns of its window, in their order; None where nothing.

    Each word of the object stands in the spans, in any inflection, or is a number or a time that they name in other
    words, or is their speaker where they speak in the first person. The relation is said in a form of its own word, or
    in words that mean it. The subject is named in the spans, is their speaker where they speak in the first person, or
    is the only one named shortly before whom a pronoun in them can mean. What is denied has a negation that governs
    it; what is affirmed has none. No statement stands in a sentence that asks, supposes, doubts or takes it back, also
    where that is outside of the quotation.

    Of turns in other languages than English only the object and the subject are looked for: how a relation and its
    denial are said there is not known.
    """
    by_number = {turn.record_no: turn for turn in turns}
    quotes = [(by_number[span.record_no], span) for span in statement.spans]
    text = " . ".join(turn.text[span.start : span.end] for turn, span in quotes)
    held = words_of(text)
    speakers = [word for turn, span in quotes if _speaks(turn, span) for word in words_of(turn.first_person or "")]
    wanted = content_of(statement.object)
    if not all(holds(held, word) or word in speakers for word in wanted) and not _names_time(statement.object, quotes):
        return "object"
    if all(turn.language != "english" for turn, _ in quotes):
        return None if _is_there(statement.subject, held, quotes) else "subject"
    opposite = _opposite(statement.relation)
    relation, turned = statement.relation, False
    if opposite is not None and not said_by(statement.relation, held):
        relation, turned = opposite, True
    if not said_by(relation, held) and not (statement.negated and denied_by(relation, held, ended=ends(text))):
        return "relation"
    if not _about(statement.subject, relation, quotes, turns, wanted):
        return "subject"
    if not _agrees(statement, relation, text, wanted, turned=turned):
        return "polarity"
    own = [word for word in words_of(statement.relation.replace("_", " ")) if word not in FORM_WORDS]
    if statement.kind == "intention":
        return None
    unsure = all(doubted(turn.text, span.start, span.end, wanted, own) for turn, span in quotes)
    return "unsure" if unsure else None


def _is_there(subject: str, held: list[str], quotes: Sequence[tuple[Turn, Span]]) -> bool:
    """Whether the words are those of the spans or of who says them."""
    words = words_of(subject)
    speakers = {word for turn, _ in quotes for word in words_of(turn.first_person or "")}
    return bool(words) and all(word in speakers or holds(held, word) for word in words)


def restatement(statement: Statement, said: str, turns: Sequence[Turn]) -> str:
    """The sentence that restates a statement: ``said`` where it holds nothing but the words of the spans and of the
    statement's parts and denies what that denies, else one made from the parts."""
    by_number = {turn.record_no: turn for turn in turns}
    known = words_of(f"{statement.subject} {statement.relation.replace('_', ' ')} {statement.object}")
    text = " . ".join(by_number[span.record_no].text[span.start : span.end] for span in statement.spans)
    known += words_of(text)
    told = [word for word in words_of(said) if word not in FORM_WORDS]
    denied = statement.negated or negates(statement.relation.replace("_", " "))
    if told and all(holds(known, word) for word in told) and negates(said) == denied:
        return said
    return sentence_of(statement)


def sentence_of(statement: Statement) -> str:
    """A statement as a sentence of its parts: Boris lives in Toulon."""
    words = statement.relation.replace("_", " ").split()
    if words[-1] == "of" or words[0] in ("married", "engaged", "born", "allergic", "related", "located", "based"):
        words.insert(0, "is")
    if words[0] in ATTRIBUTES or words[0] in ("favorite", "favourite"):
        verb = "is not" if statement.negated else "is"
        return f"{statement.subject}'s {' '.join(words)} {verb} {statement.object}."
    if not statement.negated:
        return f"{statement.subject} {' '.join(words)} {statement.object}."
    if words[0] in ("is", "was", "has", "can", "will", "are", "were"):
        return f"{statement.subject} {words[0]} not {' '.join([*words[1:], statement.object])}."
    if words[0].endswith("s") and not words[0].endswith("ss"):
        return f"{statement.subject} does not {' '.join([_base(words[0]), *words[1:], statement.object])}."
    return f"It is not so that {statement.subject} {' '.join([*words, statement.object])}."


def _base(verb: str) -> str:
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "goes", "does")) else verb[:-1]


def _opposite(relation: str) -> str | None:
    first, _, rest = relation.partition("_")
    other = OPPOSITES.get(first)
    return None if other is None else f"{other}_{rest}".strip("_")


def _agrees(statement: Statement, relation: str, text: str, wanted: list[str], *, turned: bool) -> bool:
    if not turned and negates(relation.replace("_", " ")):  # never_visited: the relation says it itself
        return statement.negated or negates(text)
    there = [word for word in wanted if holds(words_of(text), word)]
    negated = statement.negated != turned
    if there:
        return denies(text, there) if negated else polarity_of(text, there) == "affirmed"
    own = words_of(relation.replace("_", " "))
    return denies(text, own) or negates(text) if negated else not negates(text)


def _speaks(turn: Turn, span: Span) -> bool:
    """Whether a span speaks of its speaker: it says I or my, or leaves out an I before it or one that is meant."""
    if turn.first_person is None:
        return False
    if any(
        not _is_quoted(turn.text, found.start()) for found in _FIRST_PERSON.finditer(turn.text, span.start, span.end)
    ):
        return True
    if _is_quoted(turn.text, span.start):
        return False
    before = turn.text[max(0, span.start - 60) : span.start]
    if _LEADS_IN.search(before):
        return True
    first = re.match(r"[\w'’]+", turn.text[span.start : span.end])  # noqa: RUF001
    return first is not None and _STARTS_ELLIPTIC.search(before) is not None and _is_elliptic(first.group())


def _is_quoted(text: str, place: int) -> bool:
    return len(_QUOTES.findall(text, 0, place)) % 2 == 1


def _is_elliptic(word: str) -> bool:
    """Whether a sentence that begins with the word leaves out its subject: Moved to Berlin, Working at Acme."""
    return word.casefold().endswith(("ed", "ing")) or word.casefold() in (
        "went", "got", "bought", "left", "met", "saw", "am", "just", "been", "had", "made", "took", "quit", "started",
    )  # fmt: skip


def _about(
    subject: str, relation: str, quotes: Sequence[tuple[Turn, Span]], turns: Sequence[Turn], wanted: list[str]
) -> bool:
    words = [word for word in words_of(subject) if word not in FORM_WORDS]
    if not words:
        return False
    held = [word for turn, span in quotes for word in words_of(turn.text[span.start : span.end])]
    speakers = [word for turn, span in quotes if _speaks(turn, span) for word in words_of(turn.first_person or "")]
    doers = _doers(relation, held)
    if all(word in speakers for word in words) and not all(holds(held, word) for word in words):
        return doers != {"other"}
    if all(holds(held, word) or word in speakers for word in words):
        return doers != {"speaker"} or any(word in speakers for word in words)
    return any(_meant(words, turn, span, turns, wanted) for turn, span in quotes)


def _doers(relation: str, held: list[str]) -> set[Literal["speaker", "other"]]:
    """Who does what the relation's own verb says, by its form: lives is of another, I live of the speaker."""
    verb = relation.split("_")[0]
    found: set[Literal["speaker", "other"]] = set()
    for place, word in enumerate(held):
        if not holds([word], verb) or verb in FORM_WORDS:
            continue
        before = held[max(0, place - _MOST_BETWEEN) : place]
        first = [n for n, each in enumerate(before) if each.partition("'")[0] in ("i", "we")]
        if first:
            joined = first[0] + max(0, place - _MOST_BETWEEN) - 1
            found |= {"speaker", "other"} if joined > 0 and held[joined] == "and" else {"speaker"}
        elif word == verb and verb.endswith("s"):
            found.add("other")
        else:
            found |= {"speaker", "other"}
    return found


def _meant(words: list[str], turn: Turn, span: Span, turns: Sequence[Turn], wanted: list[str]) -> bool:
    """Whether a pronoun in the span can mean nobody but what is named by the words, in this turn or the two before.

    What has no proper name must be named in the sentence before.
    """
    if not _THIRD_PERSON.search(turn.text, span.start, span.end):
        return False
    place = next(n for n, each in enumerate(turns) if each.record_no == turn.record_no)
    texts = [each.text for each in turns[max(0, place - _TURNS_BACK) : place]] + [turn.text[: span.start]]
    named = {name for text in [*texts, turn.text[span.start : span.end]] for name in names_in(text)}
    others = [name for name in named if not any(word in words or holds(wanted, word) for word in words_of(name))]
    listeners = {word for each in turns for word in words_of(each.first_person or "")}
    if any(not listeners.issuperset(words_of(name)) for name in others):
        return False
    if any(set(words) <= set(words_of(name)) for name in named):
        return set(words) <= set(words_of(" . ".join(texts)))
    last = _SENTENCE_BEFORE.search(next((text for text in reversed(texts) if text.strip()), ""))
    return last is not None and all(holds(words_of(last.group()), word) for word in words)


def _names_time(object_: str, quotes: Sequence[tuple[Turn, Span]]) -> bool:
    """Whether the object is a time, and a span names the same one in other words."""
    for turn, span in quotes:
        reference = turn.said_local() or _NOMINAL
        meant = {(each.start, each.end) for each in _read(object_, reference, turn)}
        said = [
            (each.start, each.end)
            for each in _read(turn.text, reference, turn)
            if span.start <= each.first and each.last <= span.end
        ]
        if meant and meant <= set(said):
            return True
    return False


def _read(text: str, reference: datetime, turn: Turn) -> Iterator[TimeSpan]:
    yield from read_intervals(text, reference, turn.language)
