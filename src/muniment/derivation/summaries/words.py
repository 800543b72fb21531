"""The words of texts that tell what they are about."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from muniment.extraction.turns import Turn

_CHUNK: Final = re.compile(r"[^\s,;!?()\[\]{}<>\"“”„«»…—–|、。，！？；：・]+")  # noqa: RUF001
_WORD: Final = re.compile(r"['’.:*_`~-]*([^\W\d_]+(?:['’-][^\W\d_]+)*)['’.:*_`~-]*\Z")  # noqa: RUF001
_ACCOUNT: Final = re.compile(r"\b[A-Z]{2}\d{2}(?:\s{0,2}[A-Z0-9]{4}){2,7}(?:\s{0,2}[A-Z0-9]{1,3})?\b")
_STOP: Final = frozenset(
    """a about above actually after again against all also am an and another any anything are as at away back be because
    been before being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't
    down during each even ever every everyone everything few for from further get gets getting give go goes going gonna
    good got great had hadn't has hasn't have haven't having he her here hers herself hey hi him himself his how i i'd
    i'll i'm i've if in into is isn't it it's its itself just keep kind know last let let's like little look lot lots
    made make makes making many maybe me mean might more most much must my myself need never new next nice no nor not
    nothing now of off oh ok okay on once one only or other others our ours ourselves out over own people pretty put
    quite really right said same say see she should so some someone something soon sounds still such sure take than
    thank thanks that that's the their theirs them themselves then there there's these they they're thing things think
    this those through time times to too took tried try trying two under until up us use used using very want wanted
    wants was wasn't way we we'll we're we've well went were what what's when where which while who whom why will with
    won't would wouldn't wow yeah year years yes yesterday yet you you'll you're you've your yours yourself yup lol haha
    today tomorrow day days week weeks month months feel feeling felt came come coming first been always definitely
    glad happy hope love loved loves bit since around ago""".split()  # noqa: SIM905
)


def keywords(texts: Sequence[str], most: int, without: Collection[str] = ()) -> list[str]:
    """The words that most texts hold, at least three letters long, of equals those that come first.

    Function words of English are no keywords, nor are the words of ``without``, names for instance. What stands in an
    address, a path, a number or a key is none either: what a policy finds by its form is not told in pieces.
    """
    left_out = {word for name in without for word in _folded(name)}
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(list(dict.fromkeys(_folded(text))))
    order = {word: place for place, word in enumerate(counts)}
    kept = [word for word in counts if len(word) >= 3 and word not in _STOP and word not in left_out]
    return sorted(kept, key=lambda word: (-counts[word], order[word]))[:most]


def _folded(text: str) -> list[str]:
    found = (_WORD.match(chunk) for chunk in _CHUNK.findall(_ACCOUNT.sub(" ", text)))
    words = (match.group(1).casefold().replace("’", "'") for match in found if match)  # noqa: RUF001
    return [word.removesuffix("'s") for word in words]


def time_told(turns: Sequence[Turn]) -> str:
    """When turns were said, by the clocks of those who said them: *Monday, 3 March 2025, 10:00 to 10:20:*; empty where
    nobody tells."""
    local = [at for turn in turns if (at := turn.said_local()) is not None]
    if not local:
        return ""
    first, last = min(local), max(local)
    day = f"{first:%A}, {first.day} {first:%B %Y}"
    return f"{day}, {first:%H:%M} to {last:%H:%M}:" if first.date() == last.date() else f"From {day}:"
