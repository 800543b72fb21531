# ruff: noqa: E501, RUF001 — words of many languages
"""The words by which phones call the halves of a day, before or behind a time of twelve hours."""

import re
from typing import Final

_GAP: Final = "[ \u00a0\u202f]"  # spaces that do not break stand before AM and PM
_MORNING: Final = (
    '上午|凌晨|清晨|早上|早晨|오전|午前|ق.ظ|ص|قبل‌ازظهر|قبل از ظهر|לפנה״צ|לפנה"צ|पूर्वाह्न|म.पू.|পূর্বাহ্ণ|ਪੂ.ਦੁ.|ಪೂರ್ವಾಹ್ನ|முற்பகல்|மு.ப.|පෙ.ව.'
    "|ກ່ອນທ່ຽງ|ก่อนเที่ยง|နံနက်|ጥዋት|π.μ.|пр.об.|ү.ө.|ÖÖ|TO|de.|dop.|vm.|fm|SA|PG|e paradites|da manhã|e.k.|r.n.|yb"
)
_AFTERNOON: Final = (
    '下午|中午|晚上|傍晚|오후|午後|ب.ظ|م|بعدازظهر|بعد از ظهر|אחה״צ|אחה"צ|अपराह्न|म.उ.|অপরাহ্ণ|ਬਾ.ਦੁ.|ಅಪರಾಹ್ನ|பிற்பகல்|பி.ப.|ප.ව.'
    "|ຫຼັງທ່ຽງ|หลังเที่ยง|ညနေ|ከሰዓት|μ.μ.|сл.об.|ү.х.|ÖS|TK|du.|odp.|pop.|nm.|em|CH|PTG|e pasdites|da tarde|da noite|p.k.|i.n.|yh"
)
_NO_WORD: Final = re.compile(r"[.\s\u00a0\u202f]")


def _pattern(words: str) -> str:
    return "".join(
        r"\.?" if letter == "." else f"{_GAP}?" if letter == " " else re.escape(letter) for letter in words.strip()
    )


_ALL: Final = sorted(f"{_MORNING}|{_AFTERNOON}".split("|"), key=len, reverse=True)
DAY_HALVES: Final = rf"(?:[AaPp]\.?{_GAP}?[Mm]\b\.?|{'|'.join(map(_pattern, _ALL))})"
"""A pattern for the word of either half."""
_LATER: Final = frozenset(_NO_WORD.sub("", word).casefold() for word in f"pm|{_AFTERNOON}".split("|"))


def hour_of_day(hour: int, word: str) -> int:
    """The hour from 0 to 23 of one that stands beside a word for a half of the day."""
    known = _NO_WORD.sub("", word).casefold()
    if known == "中午" and hour == 11:  # what is called noon begins before it
        return 11
    return hour % 12 + (12 if known in _LATER else 0)
