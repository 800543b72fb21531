"""Words that stand for somebody and are nobody's name: They, He, Us, themselves."""

import re
from typing import Final

_PRONOUNS: Final = frozenset(
    """i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
    we us our ours ourselves they them their theirs themselves themself this that these those who whom whose
    which what one oneself someone somebody something anyone anybody anything everyone everybody everything no-
    one nobody nothing none other others another both each either neither all some y'all ya u ich mich mir wir
    uns euch nous vous ils elles nosotros nosotras ellos ellas noi loro""".split()  # noqa: SIM905
)
_BESIDE: Final = frozenset("two three four of and or the else all both same together".split())  # noqa: SIM905
_WORD: Final = re.compile(r"[\w-]+(?:['’](?!s\b|re\b|ll\b|ve\b|d\b|m\b)\w+)*", re.IGNORECASE)  # noqa: RUF001


def is_pronoun(name: str) -> bool:
    """Whether a name is made of pronouns alone, in whatever case: They, he/she, both of them, They're."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(name)]  # noqa: RUF001
    words = [word for word in words if word not in ("s", "re", "ll", "ve", "d", "m")]
    return any(word in _PRONOUNS for word in words) and all(word in _PRONOUNS or word in _BESIDE for word in words)
