"""Text that speaks to a language model instead of to people. It is marked, and otherwise is text as any other."""

import re
from dataclasses import replace
from typing import Final

from muniment.sources.parsed import Parsed

MARK: Final = "instructions"
_NAMED: Final = 20  # chunks in a note
_ASK: Final = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your)\b[^.\n]{0,40}
        \b(?:instructions?|prompts?|rules|directions|guidelines)\b
    | \b(?:ignoriere|vergiss|missachte)\b[^.\n]{0,60}\b(?:anweisung|instruktion|vorgabe)(?:en)?\b
    | \b(?:ignore|oublie)[rz]?\b[^.\n]{0,60}\binstructions?\s+pr[ée]c[ée]dentes?\b
    | \bignora\b[^.\n]{0,60}\binstrucciones\s+(?:anteriores|previas)\b
    | \b(?:reveal|print|repeat|show)\b[^.\n]{0,30}\b(?:system\s+prompt|your\s+instructions)\b
    | \byou\s+are\s+now\b[^.\n]{0,40}\b(?:assistant|model|ai|mode|dan)\b
    | <\|(?:im_start|system|endoftext)\|> | \[/?INST\] | ^\s*(?:\#{2,}\s*)?system\s*(?:prompt|message)\s*:
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def speaks_to_a_model(text: str) -> bool:
    """Whether some of the text is worded as what a language model is told to do."""
    return _ASK.search(text) is not None


def mark_instructions(parsed: Parsed) -> None:
    """Marks such chunks in their metadata, and names them in a note."""
    found = [number for number, chunk in enumerate(parsed.chunks) if speaks_to_a_model(chunk.text)]
    for number in found:
        chunk = parsed.chunks[number]
        parsed.chunks[number] = replace(chunk, metadata={**chunk.metadata, MARK: True})
    if found:
        named = ", ".join(str(number) for number in found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
        parsed.notes.append(f"Text that speaks to a language model, marked and not followed: chunk {named}.")
