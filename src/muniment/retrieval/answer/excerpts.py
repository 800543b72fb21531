"""The words of a record that an answer rests on."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from muniment.retrieval.answer.sentences import statements

_WORD = re.compile(r"\w+")
_QUESTION_SHARE = 0.25
_ADDS = 0.25


def excerpts(records: Sequence[str], answer: str, question: str) -> list[str]:
    """Of each record the sentence that shares most with the answer, or two in a row: an exact substring.

    A shared word counts ln(1 + n / df) over the n sentences of all these records, so that rare words decide; what is
    shared with the question alone counts a quarter. The sentence before or after comes along where it adds a quarter
    of the answer's weight.
    """
    sentences = [statements(record) for record in records]
    bags = [[_words(sentence) for sentence in found] for found in sentences]
    counts = Counter(word for found in bags for bag in found for word in bag)
    total = sum(len(found) for found in bags)
    wanted = dict.fromkeys(_words(question), _QUESTION_SHARE) | dict.fromkeys(_words(answer), 1.0)
    worth = {word: share * math.log(1 + total / counts[word]) for word, share in wanted.items() if counts[word]}
    return [_excerpt(*each, worth) for each in zip(records, sentences, bags, strict=True)]


def _excerpt(record: str, sentences: list[str], bags: list[frozenset[str]], worth: dict[str, float]) -> str:
    if not sentences:
        return record
    best = max(range(len(sentences)), key=lambda place: (_worth(bags[place], worth), -place))
    enough = _ADDS * sum(worth.values())
    for other in (best + 1, best - 1):
        if not 0 <= other < len(sentences) or enough == 0 or _worth(bags[other] - bags[best], worth) < enough:
            continue
        pair = _joined(record, sentences[min(best, other)], sentences[max(best, other)])
        if pair is not None:
            return pair
    return sentences[best]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _worth(bag: frozenset[str], worth: dict[str, float]) -> float:
    return sum(worth.get(word, 0.0) for word in bag)


def _joined(record: str, first: str, second: str) -> str | None:
    """From the beginning of the first sentence to the end of the second, where only white space lies between."""
    start = record.find(first)
    after = record.find(second, start + len(first))
    if start < 0 or after < 0 or record[start + len(first) : after].strip():
        return None
    return record[start : after + len(second)]
