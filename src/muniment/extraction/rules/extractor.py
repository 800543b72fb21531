"""Facts by rule: what a sentence of a known form says for sure. Rather none than a wrong one."""

import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from muniment.extraction.certainty import (
    TakenBack,
    hands_over,
    is_ironic_as_a_whole,
    is_unsure,
    may_take_back,
    opens_fiction,
    taken_back,
)
from muniment.extraction.rules.antecedents import Antecedent, antecedent, may_point
from muniment.extraction.rules.mending import TURNS_BACK, Mending, Said, may_mend, mended, mending_in, wrong_of
from muniment.extraction.rules.mending import taken_back as denied_again
from muniment.extraction.rules.others_words import is_in, others_words
from muniment.extraction.rules.told import first_pointing, statements_in
from muniment.extraction.sentences import Sentence, sentences_of
from muniment.extraction.statements import Span, Statement
from muniment.extraction.turns import Turn
from muniment.model.derivations import RULES_VERSION

EXTRACTOR: Final = f"rules:{RULES_VERSION}"

MOST_STATEMENTS: Final = 16
_MODALITIES: Final = frozenset({"conversation", "document"})


def statements_of(turn: Turn, before: Sequence[Turn] = ()) -> list[Statement]:
    """The statements of a record, each once, at most 16, in its order. About linear in the text.

    English prose alone; of what an assistant or a program says nothing is taken. ``before`` are the turns that stand
    before it in its conversation, in their order: what the same person said there may be put right or taken back here,
    and whom they named there may be meant here.
    """
    if turn.by_machine or turn.language != "english" or turn.modality not in _MODALITIES:
        return []
    if is_ironic_as_a_whole(turn.text):
        return []
    read = _Reading(turn, before)
    for sentence, following in pairwise([*read.own_sentences(), None]):
        assert sentence is not None
        read.take(sentence, following)
        if len(read.found) >= MOST_STATEMENTS:
            break
    return list(read.found.values())[:MOST_STATEMENTS]


def looks_back(text: str) -> bool:
    """Whether what a text says may depend on the turns before it."""
    return may_mend(text) or may_take_back(text) or may_point(text)


class _Reading:
    """A turn as it is read, sentence by sentence; ``found`` is what it said till then."""

    def __init__(self, turn: Turn, before: Sequence[Turn]) -> None:
        self.turn, self.before = turn, before
        self.found: dict[Hashable, Statement] = {}
        self.others = others_words(turn.text, turn.first_person)
        self._last: list[Hashable] = []  # what the last sentence that says something said

    def own_sentences(self) -> Iterator[Sentence]:
        """The sentences that are the speaker's own, and of this world."""
        afar = -1  # up to where another world goes on, or what was handed over
        for sentence in sentences_of(self.turn.text):
            if sentence.start < afar or is_in(self.others, sentence.start):
                continue
            if hands_over(sentence.text):
                afar = len(self.turn.text)
                continue
            yield sentence
            if opens_fiction(sentence.text):
                line = self.turn.text.find("\n", sentence.start + len(sentence.text))
                afar = len(self.turn.text) if line < 0 else line

    def take(self, sentence: Sentence, following: Sentence | None) -> None:
        """Adds what a sentence says, and takes out what it takes back."""
        mending = mending_in(self.turn, sentence)
        if mending is not None:
            self._mend(mending)
            return
        back = None if sentence.asks else taken_back(sentence.text)
        if back is not None:
            self._take_back(back, sentence)
            sentence = Sentence(sentence.text[back.end :], sentence.start + back.end, sentence.asks)
            if not sentence.text:
                return
        if sentence.asks or is_unsure(sentence.text) or opens_fiction(sentence.text):
            return
        if following is not None and (takes := taken_back(following.text)) is not None and not takes.plain:
            return
        told = list(self._told(sentence))
        denied = {(each.subject, each.object) for each in told if each.negated and not each.ends}
        new: list[Hashable] = []
        for statement in told:
            if statement.ends and (statement.subject, statement.object) in denied:
                continue  # the same words say which relation ended
            if statement.identity() not in self.found:
                self.found[statement.identity()] = statement
                new.append(statement.identity())
        self._last = new or self._last

    def _told(self, sentence: Sentence) -> Iterator[Statement]:
        pointing = first_pointing(sentence.text)
        meant = None if pointing is None else self._antecedent(sentence, pointing)
        yield from statements_in(self.turn, sentence, self.others, meant)

    def _antecedent(self, sentence: Sentence, pointing: re.Match[str]) -> Antecedent | None:
        here = list(self.found.values())
        return antecedent(
            pointing.group(), self.turn, sentence.start + pointing.start(), here, self.before, statements_of
        )

    def _take_back(self, back: TakenBack, sentence: Sentence) -> None:
        if self.found:
            for identity in [*self.found] if back.whole else self._last:
                self.found.pop(identity, None)
            self._last = []
        elif back.plain and not self.turn.text[: sentence.start].strip():
            said, previous = self._said_before()
            span = Span(self.turn.record_no, sentence.start, sentence.start + len(sentence.text[: back.end].rstrip()))
            for statement in denied_again(span, said, previous):
                self.found.setdefault(statement.identity(), statement)

    def _mend(self, mending: Mending) -> None:
        """Puts right what the same person said before, in this record or in turns before it."""
        here = [Said(each, self.turn) for each in self.found.values() if not each.ends]
        said, previous = self._said_before()
        said = [each for each in said if not each.statement.ends]
        wrong = wrong_of(mending, [*said, *here], self.turn.record_no if here else previous)
        if wrong is None:
            return
        if wrong.turn.record_no == self.turn.record_no:
            self.found.pop(wrong.statement.identity(), None)
        for statement in mended(mending, wrong, self.turn):
            self.found.setdefault(statement.identity(), statement)

    def _said_before(self) -> tuple[list[Said], int | None]:
        """What the same person stated in the turns before, and the last of these turns that is theirs."""
        earlier = self.before[-TURNS_BACK:]
        me = (self.turn.first_person or "").casefold()
        own = [(n, each) for n, each in enumerate(earlier) if me and (each.first_person or "").casefold() == me]
        said = [Said(each, one) for place, one in own for each in statements_of(one, earlier[:place])]
        return said, own[-1][1].record_no if own else None
