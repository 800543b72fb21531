# ruff: noqa: E501
"""Whether capitalised words that open a clause name a person, and of which sex their first name surely is."""

import re
from typing import Final, Literal

from muniment.extraction.names import common_words

# names that are common words too, of English or of other languages
_GIVEN: Final = frozenset(
    (
        "christian", "grace", "hope", "faith", "will", "mark", "may", "april", "june", "august", "rose", "joy", "art",
        "bill", "frank", "jack", "dawn", "summer", "autumn", "violet", "iris", "ivy", "lily", "daisy", "ruby", "pearl",
        "amber", "crystal", "angel", "drew", "grant", "chase", "hunter", "mason", "carter", "chance", "rich", "rob",
        "pat", "sue", "dean", "earl", "duke", "prince", "guy", "olive", "sky", "star", "melody", "harmony", "charity",
        "patience", "penny", "sandy", "robin", "jay", "ray", "max", "don", "ken", "gene", "buddy", "miles", "sunny",
        "mia", "ella", "uma", "una", "elle", "kit", "gay", "trust", "bird", "wren", "forest", "river", "rain", "story",
        "lance", "woody", "dale", "glen", "cliff", "heath", "clay", "reed", "basil", "sage", "holly", "hazel", "poppy",
        "ginger", "jasmine", "heather", "willow", "chuck", "skye", "honor", "mercy",
    )
)  # fmt: skip
# with a verb in the third person or the past behind them they are names
_DOES: Final = re.compile(r"\s+(?:\w+(?:s|ed)|is|was|left|went|bought|no\s+longer|doesn['’]t)\b")  # noqa: RUF001
_TITLE: Final = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Sir|Dame|Rev|Fr|Sr)\.?")
_MEN: Final = frozenset(
    """adam ahmed alan albert alex alexander ali andreas andrew anthony antonio arthur ben benjamin bernd bill bob boris brian
    bruno carl carlos charles chris christoph daniel dan dave david dennis diego dmitri edward eric erik ethan felix
    fernando francesco frank fred george giovanni greg gus gustav hans harry heinrich henry hugo ian igor ivan jack jacob
    jake james jan jason javier jens jim joe johan john jonas jonathan jorge jose josé joseph juan julian justin karl kevin
    klaus lars leo liam luca lucas luis luke marco marcus mario mark martin matt matthew max michael miguel mike mohamed
    mohammed nathan nick nils noah oliver omar oscar otto pablo patrick paul pedro peter philip pierre rafael ralf raj
    richard robert roberto roger ron ryan samuel scott sean sebastian sergei simon stefan stephen steve steven sven
    thomas tim timothy tobias tom tomas tony ulrich victor viktor vincent walter will william wolfgang""".split()  # noqa: SIM905
)
_WOMEN: Final = frozenset(
    """abigail agnes alice alicia amanda amy ana andrea angela anita ann anna anne annika barbara beatrice bella birgit
    camilla carla carmen caroline catherine cecilia chiara christina claire clara claudia cleo cristina diana dora
    elena elisabeth elizabeth ella ellen emilia emily emma erika eva fatima fiona francesca gabriela greta hannah heidi
    helen helena ida inga ingrid irene iris isabel isabella jane jasmine jennifer jessica joanna johanna julia juliet
    karen karin katharina kate katherine kathleen katja laura lea lena leila linda lisa louise lucia lucy luisa magda
    margaret maria marie marina marta martha mary maya melanie mia michelle mona monica monika nadia nancy natalia
    natasha nina nora olga olivia paula petra priya rachel rebecca rita rosa ruth sandra sara sarah silvia simone sofia
    sonia sophia sophie stella stephanie susan susanna svetlana tanja tanya teresa uma ursula valentina vera victoria
    viola wendy yvonne zoe zoë""".split()  # noqa: SIM905
)  # fmt: skip


def is_person(words: list[str], behind: str) -> bool:
    """Whether capitalised words, with what stands behind them, are a name: they are no common words, or common ones
    that are given to people, with another name or a verb of theirs behind; a title may open them."""
    while len(words) > 1 and _TITLE.fullmatch(words[0]):
        words = words[1:]
    first = words[0].casefold()
    if common_words().get(first) is None:
        return True
    if first not in _GIVEN:
        return False
    return (len(words) > 1 and common_words().get(words[1].casefold()) is None) or bool(_DOES.match(behind))


def is_given(word: str) -> bool:
    """Whether a word is no common one, or one that people are called by as well."""
    return common_words().get(word.casefold()) is None or word.casefold() in _GIVEN


def sex_of(name: str) -> Literal["man", "woman"] | None:
    """Of which sex people with this first name are, where the name is a well-known one of one sex alone."""
    words = name.casefold().split()
    if not words or words[0] in ("alex", "andrea", "jan", "robin", "simone"):
        return None
    if words[0] in ("mr", "mr."):
        return "man"
    if words[0] in ("mrs", "mrs.", "ms", "ms."):
        return "woman"
    return "man" if words[0] in _MEN else "woman" if words[0] in _WOMEN else None
