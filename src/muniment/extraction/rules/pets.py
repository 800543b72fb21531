"""Pets that are no more: my dog Rex died, Rex ran away, we had to put Rex down."""

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
_GONE: Final = (
    rf"(?:{_DONE}\s+(?:died|passed\s+away|run\s+away|ran\s+away)|{_DONE}\s+(?:was|been|be)\s+put\s+(?:down|to\s+sleep)|{_DONE}\s+crossed\s+the\s+rainbow\s+bridge"
    r"|\s+is\s+(?:dead|gone))(?=\s*(?:[.,;!)]|$)|\s+(?:last|this|in|on|yesterday|today|two|three|four|five|a\s+(?:year|month|week|few|couple|while)|after|because|and|recently|when|before|ago|earlier|over|at|of|from)\b)"
)
_WHO_IS_GONE: Final = re.compile(rf"{_PET}?{_NAME}\s*,?{_GONE}")
_PUT_DOWN: Final = re.compile(
    rf"(?:I|[Ww]e)(?:\s+(?:sadly|recently|just|finally))*\s+(?:(?:had|have|needed)\s+to\s+(?:put|euthani[sz]e)|put|euthani[sz]ed|lost)\s+{_PET}?{_NAME}(?P<down>\s+(?:down|to\s+sleep))?"
)


def pets_gone(clause: Clause, starts: Sequence[int]) -> Iterator[Statement]:
    """That the speaker has a pet no more; of a name alone only where it is known to be that of their pet."""
    if clause.speaker is None:
        return
    for start in starts:
        for pattern in (_WHO_IS_GONE, _PUT_DOWN):
            match = pattern.match(clause.sentence, start)
            if match is None or (pattern is _PUT_DOWN and not (match.group("pet") or match.group("down"))):
                continue
            name, speaker = match.group("name"), Subject(clause.speaker, "person", start, match.end())
            gone = ending(clause, speaker, name, match.end(), ("has_pet",))
            if match.group("pet"):
                text = f"{clause.speaker} no longer has {name}."
                gone = replace(gone, relation="has_pet", text=text, object_type="thing", ends=())
            yield gone
