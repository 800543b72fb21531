"""What German, French and Spanish verbs say of the time beside them: whether it lies ahead or behind."""

import re
from typing import Final, Literal

from muniment.extraction.time.languages import ARTICLES
from muniment.extraction.time.reader import Reader
from muniment.extraction.time.tense_words import (
    FRENCH_AHEAD,
    FRENCH_BACK,
    FRENCH_BE,
    FRENCH_HAVE,
    FRENCH_MOVED,
    FRENCH_NO_PARTICIPLES,
    GERMAN_AHEAD,
    GERMAN_BACK,
    GERMAN_BE,
    GERMAN_HAVE,
    GERMAN_NO_PARTICIPLES,
    GERMAN_NO_PAST,
    GERMAN_STATES,
    SPANISH_AHEAD,
    SPANISH_BACK,
    SPANISH_HAVE,
    SPANISH_NO_PAST,
    words_of,
)

Tense = Literal["ahead", "back"]
_GERMAN_PARTICIPLE: Final = re.compile(
    r"(?:ab|an|auf|aus|ein|los|mit|nach|um|vor|weg|zu|zurück|statt|fest|her|hin|teil)?ge\w{2,}(?:t|en)|\w{2,}iert"
    r"|(?:be|ver|ent|er|zer|miss)\w{3,}(?:t|en)"
)
_GERMAN_PRETERITE: Final = re.compile(r"[^\W\d_]{2,}(?:te|ten|test|tet)")
_ELIDED: Final = re.compile(r"(?:j|n|s|l|d|qu|c|m|t)'")
_FRENCH_IMPERFECT: Final = re.compile(r"\w{2,}(?:ait|aient)")
_FRENCH_FUTURE: Final = re.compile(r"\w{2,}(?:erai|eras|era|erons|erez|eront|ira|irons|iront|ra|rai|rons|rez|ront)")
_FRENCH_PARTICIPLE: Final = re.compile(r"\w*(?:ée?s?|ie?s?|it|ue?s?|erte?|einte?|orte?|aite?)")
_FRENCH_ADVERBS: Final = words_of("pas déjà bien tous toutes tout beaucoup enfin récemment jamais il elle on ils elles")
_FRENCH_NO_FUTURE: Final = frozenset({"opéra", "para", "caméra", "vrai"})
_SPANISH_PRETERITE: Final = re.compile(r"\w{2,}(?:ó|aron|ieron|aste|iste|é|í|aba|aban|ábamos)")
_SPANISH_FUTURE: Final = re.compile(r"\w{1,}(?:rá|rán|rás|remos|aré|eré|iré)")
_SPANISH_PARTICIPLE: Final = re.compile(r"\w+(?:ado|ido|ído|cho|sto|rto)")


def german_verb(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """War, zog, hat gekauft, ist gefahren: behind; ist am, findet statt, beginnt, wird: ahead."""
    word = reader.word(j)
    if not word or (reader.capital(j) and j > clause[0] and word not in ("abgabe", "frist")):
        return None
    if word in GERMAN_BACK:
        return "back"
    if word in GERMAN_BE or word in GERMAN_HAVE:
        done = (k for k in range(clause[0], clause[1]) if k != j and _german_participle(reader, k))
        return "back" if any(reader.word(k) not in GERMAN_STATES for k in done) else "ahead"
    if word in GERMAN_AHEAD:
        helped = any(reader.word(k) in GERMAN_BE | GERMAN_HAVE | GERMAN_BACK for k in range(*clause))
        return None if helped else "ahead"
    article = reader.word(j - 1) in ARTICLES["german"] | {"ein", "eine", "einen", "einem", "meine", "seine", "ihre"}
    plain = word not in GERMAN_NO_PAST and not article and not reader.capital(j)
    return "back" if plain and _GERMAN_PRETERITE.fullmatch(word) else None


def _german_participle(reader: Reader, k: int) -> bool:
    word = reader.word(k)
    return (
        bool(word)
        and not reader.capital(k)
        and word not in GERMAN_NO_PARTICIPLES
        and _GERMAN_PARTICIPLE.fullmatch(word) is not None
    )


def french_verb(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """Était, a acheté, suis allée, s'est marié: behind; est le, a lieu, commence, aura, va partir: ahead."""
    whole = reader.word(j)
    word = _ELIDED.sub("", whole, count=1) if _ELIDED.match(whole) else whole
    if not word:
        return None
    if word in FRENCH_BACK:
        return "back"
    if word == "a" and reader.word(j + 1) == "lieu":
        return "ahead"
    participle = _french_participle(reader, j + 1, clause[1])
    if word in FRENCH_HAVE and reader.word(j - 1) not in ("y", "il") and participle:
        return "back"
    if word in FRENCH_BE and participle:
        reflexive = whole.startswith(("s'", "t'")) or reader.word(j - 1) in ("me", "nous", "se", "vous")
        return "back" if reflexive or participle.startswith(tuple(FRENCH_MOVED)) else "ahead"
    if word in FRENCH_AHEAD:
        return "ahead"
    if _FRENCH_IMPERFECT.fullmatch(word) and word not in ("lait", "fait", "parfait", "souhait", "portrait"):
        return "back"
    future = _FRENCH_FUTURE.fullmatch(word) and word not in _FRENCH_NO_FUTURE and not reader.capital(j)
    return "ahead" if future and reader.word(j - 1) not in ARTICLES["french"] else None


def _french_participle(reader: Reader, k: int, end: int) -> str:
    while k < end and (reader.word(k) in _FRENCH_ADVERBS or reader.mark(k, "-")):
        k += 1
    word = reader.word(k) if k < end else ""
    return word if word not in FRENCH_NO_PARTICIPLES and _FRENCH_PARTICIPLE.fullmatch(word) else ""


def spanish_verb(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """Fue, compró, ha llegado, estaba: behind; es el, empieza, vamos a, será: ahead."""
    word = reader.word(j)
    if not word:
        return None
    if word in SPANISH_BACK:
        return None if reader.word(j - 1) in ARTICLES["spanish"] else "back"
    if word in SPANISH_HAVE and j + 1 < clause[1] and _SPANISH_PARTICIPLE.fullmatch(reader.word(j + 1)):
        return "back"
    if word in SPANISH_AHEAD:
        article = reader.word(j - 1) in ARTICLES["spanish"] | {"una", "un", "mi"}
        return None if article and word in ("casa", "vuelo") else "ahead"
    if _SPANISH_FUTURE.fullmatch(word) and not reader.capital(j):
        return "ahead"
    plain = word not in SPANISH_NO_PAST and (not reader.capital(j) or j == clause[0])
    return "back" if plain and _SPANISH_PRETERITE.fullmatch(word) else None
