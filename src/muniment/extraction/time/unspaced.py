"""Yesterday, today and tomorrow in languages of which no more is read than these and the months."""

import re
from typing import Final

_DAYS: Final[dict[int, str]] = {
    -3: "大前天",
    -2: "позавчера позавчора avantieri anteontem eergisteren toissapäivänä alaltăieri 前天 一昨日 おととい 그저께 그제",
    -1: "вчера вчора ieri ontem gisteren igår eilen dün dünkü 昨天 昨日 きのう 어제",
    0: "сегодня сьогодні oggi hoje vandaag idag tänään bugün astăzi 今天 今日 오늘",
    1: "завтра domani amanhã imorgon imorgen huomenna yarın mâine 明天 明日 あした 내일",  # noqa: RUF001
    2: "послезавтра післязавтра dopodomani overmorgen ylihuomenna poimâine 后天 後天 明後日 あさって 모레",
    3: "大后天 大後天",
}
FOREIGN_DAYS: Final[dict[str, int]] = {word: days for days, words in _DAYS.items() for word in words.split()}
# Swedish, Danish, Norwegian: two words
AFTER_I: Final[dict[str, int]] = {"går": -1, "dag": 0, "morgen": 1, "morgon": 1}
_UNSPACED: Final = sorted((word for word in FOREIGN_DAYS if word[0] >= "\u2e80"), key=len, reverse=True)
UNSPACED_DAY: Final = re.compile("|".join(_UNSPACED))
"""Such a word in a script that does not part words."""
