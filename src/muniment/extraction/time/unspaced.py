"""Days, weeks, months and years beside today in languages of which no more is read than these and the months."""

import re
from collections.abc import Iterable
from typing import Final

from muniment.extraction.time.spans import Grain

_DAYS: Final[dict[int, str]] = {
    -3: "大前天",
    -2: "позавчера позавчора avantieri anteontem eergisteren toissapäivänä alaltăieri 前天 一昨日 おととい",
    -1: "أمس вчера вчора ieri ontem gisteren igår eilen dün dünkü 昨天 昨日 きのう",
    0: "сегодня сьогодні oggi hoje vandaag idag tänään bugün astăzi 今天 今日",
    1: "غدًا завтра domani amanhã imorgon imorgen huomenna yarın mâine 明天 明日 あした",  # noqa: RUF001
    2: "послезавтра післязавтра dopodomani overmorgen ylihuomenna poimâine 后天 後天 明後日 あさって",
    3: "大后天 大後天",
}
FOREIGN_DAYS: Final[dict[str, int]] = {word: days for days, words in _DAYS.items() for word in words.split()}
# Swedish, Danish, Norwegian: two words
AFTER_I: Final[dict[str, int]] = {"går": -1, "dag": 0, "morgen": 1, "morgon": 1}
_WEEKDAYS: Final = tuple(
    (
        *(f"{day}{end}" for end in ("曜日", "曜")),
        *(f"{week}{number}" for week in ("星期", "周", "週", "礼拜") for number in numbers),
    )
    for day, numbers in zip("月火水木金土日", ("一", "二", "三", "四", "五", "六", "日天"), strict=True)
)
_WEEKS: Final[dict[int, str]] = {
    -2: "先々週 上上周 上上星期",
    -1: "先週 上週 上周 上星期 上个星期 上個星期",
    0: "今週 本周 本週 这周 這週 这个星期 這個星期",
    1: "来週 下週 下周 下星期 下个星期 下個星期",
    2: "再来週 下下周 下下星期",
}
_LONGER: Final[dict[tuple[Grain, int], str]] = {
    ("month", -1): "先月 上个月 上個月 上月",
    ("month", 0): "今月 本月 这个月 這個月",
    ("month", 1): "来月 下个月 下個月 下月",
    ("year", -2): "一昨年",
    ("year", -1): "去年 昨年",
    ("year", 0): "今年",
    ("year", 1): "来年 明年",
}


def _days_of_weeks() -> dict[str, tuple[int, int]]:
    """先週の金曜日, 上周五: how many weeks away, and the day of the week."""
    found: dict[str, tuple[int, int]] = {}
    for step, weeks in _WEEKS.items():
        for week in weeks.split():
            for number, names in enumerate(_WEEKDAYS):
                for name in names:
                    found[week + name] = found[f"{week}の{name}"] = step, number
                    if week[-1] in "周週期":  # 上周五, 上星期五
                        found[week + name[-1]] = step, number
    return found


DAYS_OF_WEEKS: Final = _days_of_weeks()
UNITS_BESIDE: Final[dict[str, tuple[Grain, int]]] = {
    **{week: ("week", step) for step, weeks in _WEEKS.items() for week in weeks.split()},
    **{word: unit for unit, words in _LONGER.items() for word in words.split()},
}
BEFORE_NOW: Final[dict[str, Grain]] = {
    **dict.fromkeys(("日前", "天前"), "day"),
    **dict.fromkeys(("週間前", "周前", "週前"), "week"),
    **dict.fromkeys(("か月前", "ヶ月前", "カ月前", "个月前", "個月前"), "month"),
    "年前": "year",
}
"""Behind a number: 3日前."""


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_WEEK: Final = [week for weeks in _WEEKS.values() for week in weeks.split()]
_UNSPACED_DAYS: Final = [word for word in FOREIGN_DAYS if word[0] >= "\u2e80"]
_NAMES: Final = [name for names in _WEEKDAYS for name in names]
# by its parts: a choice among the some thousand words that these make takes a third of a second to compile
UNSPACED_DAY: Final = re.compile(
    rf"(?:{_any(_WEEK)})の?(?:{_any(_NAMES)})"
    rf"|(?:{_any(week for week in _WEEK if week[-1] in '周週期')})[{''.join({name[-1] for name in _NAMES})}]"
    rf"|{_any({*_UNSPACED_DAYS, *UNITS_BESIDE, *BEFORE_NOW})}"
)
"""Such a word in a script that does not part words."""
