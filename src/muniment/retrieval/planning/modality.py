"""Which modalities a question names, and the route weights that follow (the specification's section 6)."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from muniment.model.filters import Modality

_CUES: Mapping[Modality, str] = MappingProxyType(
    {
        "code": r"functions?|methods?|class(?:es)?|modules?|source code|code|snippets?|implement(?:s|ed|ation)?|api|"
        r"stack traces?|exceptions?|imports?|variables?|\w+\(\)|\w+\.(?:py|js|ts|go|rs|java|c|cpp|rb|sql)",
        "table": r"tables?|spreadsheets?|columns?|rows?|csv|sheets?|cells?",
        "image": r"images?|pictures?|photos?|photographs?|screenshots?|diagrams?|figures?|drawings?|charts?",
        "document": r"documents?|pdfs?|papers?|reports?|pages?|sections?|chapters?|articles?|manuals?|handbooks?|"
        r"files?",
        "conversation": r"conversations?|chats?|messages?|said|says|told|tell|talk(?:ed)?|discuss(?:ed|ion)?|"
        r"mention(?:ed)?|asked|replied|meetings?",
    }
)
_PATTERNS = {modality: re.compile(rf"(?<!\w)(?:{cues})(?!\w)", re.IGNORECASE) for modality, cues in _CUES.items()}


def modalities_named(question: str, held: Sequence[Modality]) -> tuple[Modality, ...]:
    """The modalities whose cues stand in the question, of those that the visible store holds. English cues."""
    return tuple(modality for modality, pattern in _PATTERNS.items() if modality in held and pattern.search(question))


def balance_of(named: Sequence[Modality], held: Sequence[Modality]) -> str:
    """The name of the route weights: a modality, ``mixed`` or ``balanced``.

    One named modality gives its own, several ``mixed``, none ``balanced``; a store that holds a single modality with
    weights of its own gives those in any case.
    """
    weighted = [modality for modality in held if modality in _CUES]
    if len(held) == 1 and weighted:
        return weighted[0]
    if len(named) == 1:
        return named[0]
    return "mixed" if named else "balanced"
