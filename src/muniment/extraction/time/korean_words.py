"""The words of times beside today in Korean, which carry particles: 어제는, 지난 달의.

A word is taken for a time only where nothing but a particle or a part of the day stands behind it: 그제 is the day
before yesterday, 그제야 is "only then".
"""

import re
from collections.abc import Iterable
from typing import Final

from muniment.extraction.time.spans import Grain

DAYS: Final = {
    word: days
    for days, words in {
        -3: "그끄저께 그끄제",
        -2: "그저께 그제",
        -1: "어제 어저께",
        0: "오늘",
        1: "내일",
        2: "모레 내일모레",
        3: "글피",
    }.items()
    for word in words.split()
}
STEPS: Final = {"지지난": -2, "저저번": -2, "지난": -1, "저번": -1, "이번": 0, "다음": 1, "다다음": 2}
YEARS: Final = {"재작년": -2, "지지난해": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1, "내후년": 2}
MONTHS: Final = {"이달": 0, "내달": 1}
STEPPED: Final[dict[str, Grain]] = {"주": "week", "달": "month"}
WEEKEND: Final = "주말"
JOINED: Final = {f"{step}{unit}": (step, unit) for step in STEPS for unit in (*STEPPED, WEEKEND)}
"""A step and its unit in one word: 지난주."""
WEEKDAYS: Final = {f"{day}요일": number for number, day in enumerate("월화수목금토일")}
UNITS: Final[dict[str, Grain]] = {
    "일": "day", "주": "week", "주일": "week", "개월": "month", "달": "month", "년": "year", "해": "year",
}  # fmt: skip
_NATIVE_WORDS: Final = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열"
_NATIVE: Final = {word: n for n, word in enumerate(_NATIVE_WORDS.split(), 1)} | {"석": 3, "넉": 4}
_CHINESE: Final = {word: n for n, word in enumerate("일이삼사오육칠팔구십", 1)}
_DAY_COUNTS: Final = "이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레 열흘"
_COUNTED_DAYS: Final = {word: n for n, word in enumerate(_DAY_COUNTS.split(), 2)} | {"보름": 15}
AGO: Final = "전"
AMOUNTS: Final[dict[str, tuple[int, Grain]]] = {
    **{f"{word}{unit}": (number, UNITS[unit]) for word, number in _NATIVE.items() for unit in ("주", "달", "해")},
    **{
        f"{word}{unit}": (number, UNITS[unit])
        for word, number in _CHINESE.items()
        for unit in ("주", "주일", "개월", "년")
    },
    **{word: (days, "day") for word, days in _COUNTED_DAYS.items()},
}
"""A number and its unit in one word: 한달, 일주일, 사흘."""
NUMBERS: Final = _NATIVE | _CHINESE
MONTH: Final = "월"
_PARTICLE_WORDS: Final = """
에 에는 에도 에만 에서 에서는 엔 의 은 는 이 가 을 를 도 만 과 와 로 으로 부터 부터는 까지 까지는
까지도 쯤 쯤에 경 경에 께 이나 나 보다 보다는 처럼 이다 다 이라 라 이라서 라서 였다 이었다
였어요 이었어요 입니다 예요 이에요
밤 밤에 밤에는 아침 아침에 아침에는 저녁 저녁에 저녁에는 오전 오전에 오후 오후에 낮 낮에 새벽 새벽에 점심 점심에
"""
_PARTICLES: Final = frozenset(_PARTICLE_WORDS.split())


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


KOREAN_BEGINNINGS: Final = frozenset({*DAYS, *STEPS, *YEARS, *MONTHS, *JOINED, *NUMBERS, *AMOUNTS}) | {
    f"{amount}{AGO}" for amount in AMOUNTS
}
"""The words with which a time may begin; numbers in figures stand beside them."""
_STEMS: Final = (
    KOREAN_BEGINNINGS | {*STEPPED, WEEKEND, *WEEKDAYS, *UNITS, AGO, MONTH} | {f"{unit}{AGO}" for unit in UNITS}
)
KOREAN_WORD: Final = re.compile(rf"(?P<stem>{_any(_STEMS)})(?:{_any(_PARTICLES)})")
"""A word of a time with a particle behind it, to be matched whole: two tokens."""
_BEGIN: Final = "".join(sorted({word[0] for word in KOREAN_BEGINNINGS}))
KOREAN_SIGN: Final = re.compile(
    rf"(?=[{_BEGIN}\d])(?:(?<!\w)(?:{_any({*DAYS, *YEARS, *MONTHS, *JOINED})}"
    rf"|(?:{_any(STEPS)})\s(?:주|달|해|{_any(WEEKDAYS)}))"
    rf"|(?:\d|{_any({*NUMBERS, *AMOUNTS})})\s?(?:{_any(UNITS)})?\s?전)"
)
"""In every text that holds such a time, and in some others."""
