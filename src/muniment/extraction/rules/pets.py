# ruff: noqa: E501
"""Pets that are no more: my dog Rex died, Rex passed away, we had to put Rex down."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.extraction.rules.clauses import Clause, Subject
from muniment.extraction.rules.endings import ending
from muniment.extraction.rules.rule import ADVERBS, HAVE
from muniment.extraction.rules.vocabulary import ANIMALS, UPPER
from muniment.extraction.statements import Statement

_PET: Final = rf"(?P<pet>(?:[Mm]y|[Oo]ur)\s+(?:[\w-]+\s+){{0,2}}?(?:{ANIMALS})\s*,?\s+(?:named\s+|called\s+)?)"
_NO_NAME: Final = r"(?!(?:I|He|She|It|They|We|You|My|Our|His|Her|The|This|That|Who|Nobody|Everyone|Someone)\b)"
_NAME: Final = rf"(?P<name>{_NO_NAME}[{UPPER}][\w-]+)"
_DONE: Final = rf"(?:{ADVERBS}|{HAVE}{ADVERBS}|\s+had{ADVERBS})"
# what may stand behind: the end, or when and of what it was, and nothing that goes on
_END: Final = r"(?=\s*(?:[.!]|$)|\s*[,;)]|\s+(?:last|this|in|on|yesterday|today|two|three|four|five|a\s+(?:year|month|week|few|couple|while)|after|because|recently|ago|earlier|of)\b)"
_GONE: Final = rf"(?:{_DONE}\s+(?:died|passed\s+away)|{_DONE}\s+(?:was|been|be)\s+put\s+(?:down|to\s+sleep)|{_DONE}\s+crossed\s+the\s+rainbow\s+bridge){_END}"
_WHO_IS_GONE: Final = re.compile(rf"{_PET}?{_NAME}\s*,?{_GONE}")
_HAD_TO: Final = r"(?:I|[Ww]e)(?:\s+(?:sadly|recently|just|finally))*\s+(?:had|have|needed)\s+to\s+"
_PUT_DOWN: Final = re.compile(rf"{_HAD_TO}put\s+{_PET}?{_NAME}\s+(?:down|to\s+sleep){_END}")
_EUTHANIZED: Final = re.compile(rf"{_HAD_TO}euthani[sz]e\s+{_PET}?{_NAME}{_END}")
_BACK: Final = re.compile(
    r"\b(?:but|back|found|almost|nearly|in\s+the\s+(?:film|movie|book|game|story))\b", re.IGNORECASE
)


def pets_gone(clause: Clause, starts: Sequence[int]) -> Iterator[Statement]:
    """That the speaker has a pet no more; of a name alone only where it is known to be that of their pet."""
    if clause.speaker is None:
        return
    for start in starts:
        for pattern in (_WHO_IS_GONE, _PUT_DOWN, _EUTHANIZED):
            match = pattern.match(clause.sentence, start)
            if match is None or _BACK.search(clause.sentence, match.end()):
                continue
            name = match.group("name")
            speaker = Subject(clause.speaker, "person", start, match.end())
            gone = ending(clause, speaker, name, match.end(), ("has_pet",))
            if match.group("pet"):
                text = f"{clause.speaker} no longer has {name}."
                gone = replace(gone, relation="has_pet", text=text, object_type="thing", ends=())
            yield gone
