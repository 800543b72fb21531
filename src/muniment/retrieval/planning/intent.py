"""The intent of a question, by the words that it is asked with (the specification's section 6)."""

import re

from muniment.retrieval.planning.outlook import Intent

_CUES: tuple[tuple[Intent, str], ...] = (
    (
        "multi_hop",
        r"because|relationships? between|leads? to|led to|in common|how (?:did|does|do|has|have|could|would) .{1,200}?"
        r"\b(?:affect|influence|impact)s?|why (?:did|does|do|has|have|is|are|was|were)",
    ),
    ("inference", r"would|likely|probably|might|could|should"),
    ("temporal", r"when|what (?:year|month|day|date|time)|before|after|how long ago|how long|since when|until when"),
    ("list", r"list|enumerate|which|how many|what are all"),
)
_PATTERNS = tuple((intent, re.compile(rf"\b(?:{cues})\b", re.IGNORECASE | re.DOTALL)) for intent, cues in _CUES)


def intent_of(question: str) -> tuple[Intent, str | None]:
    """The intent and the words that gave it; the first that matches wins, ``fact`` where none does. English cues."""
    for intent, pattern in _PATTERNS:
        match = pattern.search(question)
        if match is not None:
            return intent, match.group()
    return "fact", None
