"""Words of German, French and Spanish for parts, ranges, distances and holidays; ``languages`` has the others."""

from typing import Final

from muniment.extraction.time.languages import (
    LOCAL_BOUNDS,
    LOCAL_DAYS,
    LOCAL_MONTHS,
    LOCAL_UNITS,
    LOCAL_WEEKDAYS,
    STEPS_OF,
)
from muniment.extraction.time.vocabulary import MONTHS

# "Anfang Mai", "fin mai", "a principios de mayo": which third
LOCAL_THIRDS: Final[dict[str, dict[str, int]]] = {
    "german": {"anfang": 0, "mitte": 1, "ende": 2},
    "french": {"début": 0, "mi": 1, "fin": 2},
    "spanish": {"principios": 0, "comienzos": 0, "mediados": 1, "finales": 2, "fines": 2},
}
# what opens a range, and what stands between its ends
LOCAL_RANGES: Final[dict[str, dict[str, frozenset[str]]]] = {
    "german": {"zwischen": frozenset({"und"}), "vom": frozenset({"bis"}), "von": frozenset({"bis"})},
    "french": {"entre": frozenset({"et"}), "du": frozenset({"au"}), "de": frozenset({"à"})},
    "spanish": {
        "entre": frozenset({"y"}), "del": frozenset({"al"}), "de": frozenset({"a"}),
        "desde": frozenset({"hasta", "al"}),
    },
}  # fmt: skip
# "zwei Wochen vor dem 9. Juni": on which side of the time behind it
LOCAL_SIDES: Final[dict[str, dict[str, int]]] = {
    "german": {"vor": -1, "nach": 1},
    "french": {"avant": -1, "après": 1},
    "spanish": {"antes": -1, "después": 1},
}
# "in zwei Wochen", "dans deux semaines", "dentro de dos semanas"
LOCAL_AHEAD: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "german": (("in",),),
    "french": (("dans",), ("d'ici",)),
    "spanish": (("dentro", "de"), ("en",)),
}
LOCAL_HOLIDAYS: Final[dict[str, dict[str, tuple[int, int]]]] = {
    "german": {
        "weihnachten": (12, 25), "heiligabend": (12, 24), "silvester": (12, 31), "neujahr": (1, 1),
        "nikolaus": (12, 6),
    },
    "french": {"noël": (12, 25), "saint-sylvestre": (12, 31), "toussaint": (11, 1)},
    "spanish": {"navidad": (12, 25), "nochebuena": (12, 24), "nochevieja": (12, 31)},
}  # fmt: skip
# "gestern Abend", "hier soir", "ayer por la noche": hours since midnight
LOCAL_HOURS: Final[dict[str, dict[tuple[str, ...], tuple[int, int]]]] = {
    "german": {
        ("früh",): (6, 12), ("morgen",): (6, 12), ("vormittag",): (6, 12), ("nachmittag",): (12, 18),
        ("abend",): (18, 24), ("nacht",): (18, 30),
    },
    "french": {("matin",): (6, 12), ("après-midi",): (12, 18), ("soir",): (18, 24)},
    "spanish": {
        ("por", "la", "mañana"): (6, 12), ("por", "la", "tarde"): (12, 18), ("por", "la", "noche"): (18, 30),
    },
}  # fmt: skip
WEEKENDS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "german": (("wochenende",),),
    "french": (("week-end",), ("weekend",)),
    "spanish": (("fin", "de", "semana"),),
}
COMING: Final[dict[str, tuple[str, ...]]] = {"french": ("qui", "vient"), "spanish": ("que", "viene")}
_EVERYWHERE: Final = frozenset({"tag", "an", "ans", "mes", "este", "jour", "du", "de", "von", "in", "en", "mi", "fin"})
# by these a text of nothing but its time is known
TELLING: Final[dict[str, frozenset[str]]] = {
    language: frozenset({
        *LOCAL_DAYS[language], *LOCAL_BOUNDS[language], *LOCAL_UNITS[language], *LOCAL_WEEKDAYS[language],
        *STEPS_OF[language], *LOCAL_THIRDS[language], *LOCAL_RANGES[language], *LOCAL_HOLIDAYS[language],
        *LOCAL_MONTHS[language],
    }) - _EVERYWHERE - MONTHS.keys()
    for language in LOCAL_UNITS
}  # fmt: skip
