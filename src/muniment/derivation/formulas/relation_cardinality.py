"""Whether a subject has one value of a relation at a time, as its facts show where nobody said so."""

from typing import Final

REPLACED: Final = 3  # subjects
BESIDE: Final = 2


def has_one_value(replaced: int, beside: int, *, before: bool) -> bool:
    """What to hold of a relation of which ``before`` was held.

    ``replaced`` are subjects of which one value was denied and another told, ``beside`` those of which two were told at
    once, or one again after the other. Three replacements and no two beside each other make it one of one value; two
    subjects with two beside each other make it one of many.
    """
    if before:
        return beside < BESIDE
    return replaced >= REPLACED and beside == 0
