"""Whether a full stop ends a sentence, or belongs to an abbreviation, an initial or an ordinal number.

The languages that write ordinals with a stop (*am 24. März*, *im 4. Stock*, *den 14. juni*) are not told apart from
the others: what stands before and behind the number decides.
"""

import re
from typing import Final

from muniment.extraction.time.languages import LOCAL_MONTHS, LOCAL_WEEKDAYS

_NEVER: Final = frozenset(
    # a name, a number or the thing itself follows
    """mr mrs ms dr prof st sr sra srta mme mlle mgr ing dipl frl hr fr nr nos núm num fig abb kap vol bd pp ca vgl bzw
    ggf evtl inkl exkl zzgl bspw sog geb gest tel str av hrsg jan feb febr mrz apr jun jul aug sep sept okt oct nov dez
    dec déc janv févr juil ene abr ago dic giu fri thu tue wed vs cf approx dept gov sen rep rev capt lt sgt p.ex bl.a
    f.eks t.ex z.b d.h u.a i.d.r z.t u.u o.g s.o s.u e.g i.e""".split()  # noqa: SIM905
)
_BEFORE_FIGURES: Final = frozenset("no art abs col max min pos".split())  # noqa: SIM905 - else they are words
_ENDINGS: Final = frozenset(
    # may end a sentence, and do before a capital
    "a.m p.m am pm etc usw jr inc ltd co corp u.s u.k e.u d.c b.c a.d usf osv mv ecc eds enz".split()  # noqa: SIM905
)
_DATES: Final = frozenset(
    name for names in (*LOCAL_MONTHS.values(), *LOCAL_WEEKDAYS.values()) for name in names
) | frozenset("mandag tirsdag onsdag torsdag fredag lørdag søndag måndag tisdag lördag jahrhundert".split())  # noqa: SIM905
_BEFORE_ORDINALS: Final = frozenset(
    """am im vom zum zur beim ab bis seit der die das den dem des jeder jeden jedem jedes ihr ihre ihren ihrem sein
    seine seinen seinem mein meine meinen meinem unser unsere unseren unserem dieser diesen diesem ein eine einen einem
    d del dens på til fra ved hver vores din min sin""".split()  # noqa: SIM905
)
_OPENERS: Final = frozenset(
    """danach dann das der die es er sie wir ich ihr man aber und wenn ob wer was wo wie wann warum dort da hier also
    denn dabei damit daher deshalb trotzdem bitte ja nein nicht alle alles heute morgen gestern in im am
    det den de jeg vi du han hun de men og så nu her der the then it he she they we i you but and so this that there
    """.split()  # noqa: SIM905
)
_WORD_BEFORE: Final = re.compile(r"[\w.]+$")
_CLITIC: Final = re.compile(r"\w['’](?:s|d|ll|m|re|t|ve)$", re.IGNORECASE)  # noqa: RUF001
_WORD_BEHIND: Final = re.compile(r"\s*([^\W\d_]+|\S)")
_ORDINAL: Final = re.compile(r"(?<![\d.,:/\w])\d{1,2}$")
_VOWELS: Final = re.compile(r"[aeiouyäöüåæøáàâéèêëíìîïóòôõúùûıа-яα-ωάέήίόύώ]", re.IGNORECASE)  # noqa: RUF001
_FAR: Final = 64  # characters looked at before a stop


def ends_sentence(text: str, stop: int, begin: int = 0) -> bool:
    """Whether the full stop at ``text[stop]`` ends the sentence that began at ``begin``.

    It does not behind an initial, a title or another abbreviation; nor behind *a.m.*, *etc.* and their like, or behind
    a word without a vowel, unless a capital follows; nor behind a number of one or two digits that is an ordinal.
    *Tom's*, *he'd* and their like are words of their own.
    """
    before = text[max(begin, stop - _FAR) : stop]
    found = _WORD_BEFORE.search(before)
    word = found.group() if found else ""
    behind = _WORD_BEHIND.match(text, stop + 1)
    follows = behind.group(1) if behind else ""
    folded = word.casefold().strip(".")
    if _ORDINAL.search(before):
        return not _is_ordinal(before[: -len(word)], follows)
    if not folded or not folded[0].isalpha() or _CLITIC.search(before):
        return True
    if len(folded) == 1 and word != "I" and word != "i":
        return False
    if folded in _NEVER or (folded in _BEFORE_FIGURES and follows[:1].isdigit()):
        return False
    if folded in _ENDINGS or not _VOWELS.search(folded):
        return follows[:1].isupper() or not follows
    return True


def _is_ordinal(before: str, follows: str) -> bool:
    """Whether a number between these is an ordinal: *am 24.* März, *im 4.* Stock, *am 3.* (Februar); or an item's."""
    if not follows:
        return False
    if not before.strip():  # the number of a list's item
        return True
    folded = follows.casefold()
    if folded in _DATES or (follows[0].isalpha() and follows[0].islower()):
        return True
    found = _WORD_BEFORE.search(before.rstrip())
    introduced = found is not None and found.group().casefold().strip(".") in _BEFORE_ORDINALS
    if follows == "(":
        return introduced
    return introduced and follows[0].isalpha() and folded not in _OPENERS
