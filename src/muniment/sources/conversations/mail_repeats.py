"""Quotations that say only what the mail says that they quote, where it stands in the same file."""

import re
from collections.abc import Set
from datetime import datetime
from typing import Final

_WORD: Final = re.compile(r"\w+")
_FEW: Final = 40  # characters that two people may well write alike
_ZONES: Final = 2  # days by which the dates of one moment may differ, between a zone that is told and one that is not

Person = frozenset[str]
"""The words of a name or an address: "Ito, Ben" is Ben Ito."""


class OwnWords:
    """What the senders of mails wrote themselves, by threads and senders, with the days on which they did.

    Two people may write the same, and one the same twice: what is quoted is known here only where the one who is said
    to have written it did, on the day that is told, or by the day of the mail that quotes it. Each step is a look-up.
    """

    def __init__(self) -> None:
        self._days: dict[tuple[str, Person | None, str], set[int | None]] = {}
        self._first: dict[tuple[str, Person | None, str], int] = {}
        self._people: dict[tuple[str, Person], Person] = {}
        self._by_a_word: dict[tuple[str, str], Person | None] = {}

    def add(
        self, thread: str, sender: str | None, address: str | None, at: datetime | None, paragraphs: Set[str]
    ) -> None:
        """Adds the paragraphs of a mail of a ``sender``, who is the same by the ``address``."""
        name = _person(sender)
        if name:
            self._people[thread, name] = name
            for word in name:
                alone = self._by_a_word.setdefault((thread, word), name)
                self._by_a_word[thread, word] = name if alone == name else None
        if name and (other := _person(address)):
            self._people.setdefault((thread, other), name)
        day = None if at is None else at.toordinal()
        for paragraph in paragraphs:
            for who in (name, None):
                key = (thread, who, paragraph)
                self._days.setdefault(key, set()).add(day)
                self._first[key] = min(self._first.get(key, day or 0), day or 0)

    def say(
        self, thread: str, said: str | None, at: datetime | None, by: datetime | None, paragraphs: Set[str]
    ) -> bool:
        """Whether a mail of whom is ``said`` to be quoted says all the paragraphs: on the day of ``at``, or where that
        is not told, at last on the day of the mail ``by`` that it is quoted in.

        Where nobody is said, or a name that only holds that of one sender or is held in it, more than a few words have
        to be the same.
        """
        words = _person(said)
        who = self._people.get((thread, words))
        if who is None:
            who = self._like(thread, words) if words else None
            if (words and who is None) or sum(map(len, paragraphs)) < _FEW:
                return False
        return all(self._says((thread, who, each), at, by) for each in paragraphs)

    def _like(self, thread: str, words: Person) -> Person | None:
        """The one sender whose name has these words and others, or some of these words alone."""
        found = {self._by_a_word.get((thread, word)) for word in words} - {None}
        like = [each for each in found if each is not None and (each <= words or words <= each)]
        return like[0] if len(like) == 1 else None

    def _says(self, key: tuple[str, Person | None, str], at: datetime | None, by: datetime | None) -> bool:
        days = self._days.get(key, set())
        if at is not None:
            day = at.toordinal()
            return None in days or any(day + shift in days for shift in range(-_ZONES, _ZONES + 1))
        return bool(days) and (by is None or self._first[key] <= by.toordinal() + _ZONES)


def _person(name: str | None) -> Person:
    return frozenset(_WORD.findall((name or "").casefold()))
