"""The words of which time expressions are made. English whole; of other languages what ``languages`` has."""

from typing import Final

from muniment.extraction.time.spans import Grain

MONTHS: Final[dict[str, int]] = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
    "october": 10, "november": 11, "december": 12,
}  # fmt: skip
MONTHS_SHORT: Final[dict[str, int]] = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11,
    "dec": 12,
}  # fmt: skip
# names of persons and other words: alone they are months only behind one of MONTH_INTRODUCTIONS
DOUBTFUL_MONTHS: Final = frozenset({"march", "april", "may", "june", "august"})
MONTH_INTRODUCTIONS: Final = frozenset(
    [
        "in",
        "during",
        "since",
        "until",
        "till",
        "before",
        "after",
        "last",
        "next",
        "early",
        "late",
        "mid",
        "between",
        "throughout",
    ]
)
WEEKDAYS: Final[dict[str, int]] = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
}  # fmt: skip
WEEKDAYS_SHORT: Final[dict[str, int]] = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
SEASONS: Final[dict[str, int]] = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # their first month
UNITS: Final[dict[str, Grain]] = {
    "second": "second", "minute": "minute", "hour": "hour", "day": "day", "night": "day", "week": "week",
    "fortnight": "week", "weekend": "week", "month": "month", "quarter": "quarter", "year": "year", "decade": "decade",
    "century": "century",
}  # fmt: skip
PLURALS: Final[dict[str, str]] = {
    "seconds": "second", "minutes": "minute", "mins": "minute", "hours": "hour", "hrs": "hour", "days": "day",
    "nights": "night", "weeks": "week", "fortnights": "fortnight", "weekends": "weekend", "months": "month",
    "quarters": "quarter", "years": "year", "yrs": "year", "decades": "decade", "centuries": "century",
}  # fmt: skip
NUMBERS: Final[dict[str, int]] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100,
}  # fmt: skip
VAGUE: Final[dict[str, tuple[int, int]]] = {"couple": (2, 3), "few": (2, 5), "several": (3, 7)}
ORDINALS: Final[dict[str, int]] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
DECADES: Final[dict[str, int]] = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip
DAYS: Final[dict[str, int]] = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
# hours since midnight; a night ends in the morning after
PARTS: Final[dict[str, tuple[int, int]]] = {
    "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30),
}  # fmt: skip
STEPS: Final[dict[str, int]] = {
    "last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1,
    "following": 1,
}  # fmt: skip
THIRDS: Final[dict[str, int]] = {
    "early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2,
}  # fmt: skip
HOLIDAYS: Final[dict[tuple[str, ...], tuple[int, int]]] = {  # month and day; words without the 's at their ends
    ("christmas",): (12, 25), ("christmas", "day"): (12, 25), ("christmas", "eve"): (12, 24), ("xmas",): (12, 25),
    ("boxing", "day"): (12, 26), ("new", "year", "eve"): (12, 31), ("new", "years", "eve"): (12, 31),
    ("new", "year", "day"): (1, 1), ("new", "years", "day"): (1, 1), ("epiphany",): (1, 6),
    ("valentine", "day"): (2, 14), ("valentines", "day"): (2, 14), ("st", "patrick", "day"): (3, 17),
    ("saint", "patrick", "day"): (3, 17), ("april", "fools"): (4, 1), ("april", "fools", "day"): (4, 1),
    ("april", "fool", "day"): (4, 1), ("may", "day"): (5, 1), ("juneteenth",): (6, 19), ("canada", "day"): (7, 1),
    ("independence", "day"): (7, 4), ("bastille", "day"): (7, 14), ("halloween",): (10, 31),
    ("all", "saints", "day"): (11, 1), ("veterans", "day"): (11, 11),
}  # fmt: skip
HOLIDAY_STARTS: Final = frozenset(words[0] for words in HOLIDAYS)
BOUNDS: Final[dict[str, str]] = {
    "since": "since", "before": "before", "until": "before", "till": "before", "after": "after",
}  # fmt: skip
# words after which "in two weeks" is how long it took
DONE: Final = frozenset(["read", "once", "twice"])
YEAR_INTRODUCTIONS: Final = frozenset(
    [
        "in",
        "of",
        "since",
        "until",
        "till",
        "before",
        "after",
        "during",
        "from",
        "to",
        "and",
        "between",
        "early",
        "late",
        "mid",
        "year",
        "by",
        "through",
        "throughout",
    ]
)
# what a number from 1900 to 2100 may stand before and still be a year
AFTER_YEARS: Final = frozenset(
    [
        "and",
        "or",
        "but",
        "was",
        "were",
        "is",
        "are",
        "be",
        "did",
        "do",
        "does",
        "has",
        "have",
        "had",
        "will",
        "would",
        "when",
        "where",
        "who",
        "what",
        "that",
        "which",
        "while",
        "because",
        "as",
        "the",
        "a",
        "an",
        "my",
        "his",
        "her",
        "their",
        "our",
        "your",
        "i",
        "we",
        "you",
        "he",
        "she",
        "they",
        "it",
        "to",
        "at",
        "in",
        "on",
        "for",
        "by",
        "with",
        "from",
        "until",
        "through",
    ]
)
NOT_YEARS: Final = frozenset(
    [
        "dollars",
        "euros",
        "pounds",
        "yen",
        "people",
        "men",
        "women",
        "children",
        "words",
        "tokens",
        "pages",
        "points",
        "steps",
        "calories",
        "times",
        "copies",
        "users",
        "km",
        "kilometers",
        "kilometres",
        "miles",
        "meters",
        "metres",
        "feet",
        "m",
        "kg",
        "grams",
        "hours",
        "minutes",
        "seconds",
        "days",
        "weeks",
        "months",
        "years",
        "percent",
        "per",
        "mb",
        "gb",
        "ml",
        "calorie",
        "dollar",
        "euro",
        "pound",
        "mile",
    ]
)
NOT_BEFORE_YEARS: Final = frozenset(
    ["room", "page", "port", "line", "chapter", "version", "v", "model", "number", "no", "about", "over", "than"]
)
NOT_BEFORE_DATES: Final = frozenset(["version", "v", "release", "build", "ip", "section"])
