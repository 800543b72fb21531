"""Whom *he* or *she* stands for: the only person named before, in the same message or in the one or two before it.

Where two could be meant, or a name stands there of which nothing is known, nobody is.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.extraction.places import is_place
from muniment.extraction.rules.given_names import is_given, sex_of
from muniment.extraction.rules.phrases import name_at
from muniment.extraction.rules.vocabulary import LOWER, UPPER
from muniment.extraction.statements import Span, Statement
from muniment.extraction.turns import Turn

POINTING: Final = re.compile(r"[Hh]e(?=['’\s])|[Ss]he(?=['’\s])")  # noqa: RUF001
TURNS_BACK: Final = 2
_LONGEST: Final = 3000  # characters before a pronoun that are looked at; behind more nobody is sure
_CAPITALISED: Final = re.compile(rf"\b[{UPPER}][\w'’-]*[{LOWER}]\b")  # noqa: RUF001
_WORD_BEFORE: Final = re.compile(rf"([{UPPER}][\w-]*)\s$")
_SPOKEN_OF: Final = re.compile(r"\b(?:met|saw|seen|visited|called|with|about|know|knew|remember|named)\s+$")
"""Before somebody who is spoken of, and not to."""
_MALE: Final = frozenset(
    ("brother", "husband", "father", "dad", "son", "boyfriend", "fiancé", "uncle", "nephew", "grandfather", "grandpa")
)
_FEMALE: Final = frozenset(
    (
        "sister", "wife", "mother", "mom", "mum", "daughter", "girlfriend", "fiancée", "aunt", "niece", "grandmother",
        "grandma",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A person, and the words that name them."""

    name: str
    spans: tuple[Span, ...]


def may_point(text: str) -> bool:
    """Whether it is worth to look for whom a text means by he or she."""
    return re.search(r"\b[Ss]?[Hh]e\b", text) is not None


def antecedent(
    pronoun: str,
    turn: Turn,
    place: int,
    told: Sequence[Statement],
    before: Sequence[Turn],
    read: Callable[[Turn, Sequence[Turn]], list[Statement]],
) -> Antecedent | None:
    """Whom a pronoun at a place of a turn stands for; ``told`` is what the turn said till then, ``before`` the turns
    before it in their order, of which ``read`` gives the statements."""
    if place > _LONGEST:
        return None
    found, known = _named(turn, turn.text[:place], told), told
    if not found and turn.modality == "conversation":
        for back in range(1, min(TURNS_BACK, len(before)) + 1):
            earlier = before[-back]
            if len(earlier.text) > _LONGEST:
                return None
            known = read(earlier, before[:-back])
            found = _named(earlier, earlier.text, known)
            if found:
                break
    meant = [who for who in found if _fits(pronoun, who.name, known)]
    return meant[0] if len(meant) == 1 and meant[0].spans else None


def _named(turn: Turn, text: str, told: Iterable[Statement]) -> list[Antecedent]:
    """Whoever a text names, as far as that may be a person; without spans those of whom nothing is told."""
    speaker = (turn.first_person or "").casefold()
    found: dict[str, Antecedent] = {}
    known: set[str] = {speaker}
    for each in told:
        for name, kind in ((each.subject, each.subject_type), (each.object, each.object_type)):
            known.add(name.casefold())
            if kind == "person" and name.casefold() != speaker:
                found.setdefault(name.casefold(), Antecedent(name, each.spans))
    said = {word for name in known for word in name.split()}
    for match in _CAPITALISED.finditer(text):
        word = match.group()
        if word.casefold() in said or not is_given(word):
            continue
        if any(is_place(run) for run in _runs_at(text, match)):
            continue
        if sex_of(word) is None and is_place(word):
            continue
        whole = name_at(text, match.start()) if sex_of(word) and _SPOKEN_OF.search(text, 0, match.start()) else None
        if whole is None:
            found.setdefault(word.casefold(), Antecedent(word, ()))
            continue
        name = text[whole[0] : whole[1]]
        said.update(name.casefold().split())
        found.setdefault(name.casefold(), Antecedent(name, (Span(turn.record_no, *whole),)))
    return list(found.values())


def _runs_at(text: str, match: re.Match[str]) -> list[str]:
    """The names of two words that a word is part of: San Jose, New Delhi."""
    before = _WORD_BEFORE.search(text, max(0, match.start() - 30), match.start())
    behind = _CAPITALISED.match(text, match.end() + 1)
    found = [] if before is None else [f"{before.group(1)} {match.group()}"]
    return found if behind is None else [*found, f"{match.group()} {behind.group()}"]


def _fits(pronoun: str, name: str, told: Iterable[Statement]) -> bool:
    """Whether the sex that a name, or what kin its bearer is, tells is that of the pronoun."""
    wanted = "man" if pronoun.casefold() == "he" else "woman"
    kin = {each.relation.removesuffix("_of") for each in told if each.subject == name}
    sexes = {sex_of(name), "man" if kin & _MALE else None, "woman" if kin & _FEMALE else None} - {None}
    return sexes <= {wanted}
