"""Questions of what somebody said: their verb of saying is their own, and no evidence."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from muniment.retrieval.participants import name_parts, of_name
from muniment.retrieval.state import Plan, Term

_VERB: Final = (
    "say|says|said|tell|tells|told|mention|mentions|mentioned|state|stated|report|reported|explain|explains|explained"
    r"|describe|describes|described|(?:talk|talks|talked|speak|speaks|spoke)(?=\W+(?:about|of)\b)"
)
_BEFORE_NOUNS: Final = "the a an this that which what our my his her their your its any each every"  # "the state flag"
_BARE: Final = "".join(rf"(?<!\b{word}\s)" for word in _BEFORE_NOUNS.split())
_OWN: Final = re.compile(
    rf"""
      ^\W*(?:(?:so|and|but|well)\W+)?(?:what|how|who|whom|did|does|do|has|have|had)\b
        (?:\W+[\w'\u2019-]+){{0,6}}?\W+{_BARE}(?P<english>{_VERB})\b
    | ^\W*(?:was|wie|wann|wo|warum|wer|hat|haben)\b(?:\W+[\w-]+){{0,12}}?
        \W+(?P<german>sagt|sagte|sagten|gesagt|erzählt|erzählte|erzählen|meinte|meint|gemeint|berichtet|berichtete)\b
    | ^\W*(?:qu['\u2019]|que|quoi|quand|comment|qui)\W*(?:[\w'\u2019-]+\W+){{0,6}}?
        (?P<french>dit|disait|disent|raconté|racontait|racontent|parlé|parlait)\b
    | ^\W*(?:qué|que|cuándo|cómo|quién)\W+(?:[\w-]+\W+){{0,6}}?
        (?P<spanish>dijo|dice|dijeron|dicho|contó|contado|habló|hablado|mencionó)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def own_verb(question: str) -> str | None:
    """The verb of saying by which the question asks what somebody said, None where it does not ask so."""
    found = _OWN.match(question)
    return None if found is None else next(verb for verb in found.groups() if verb is not None)


def is_own_verb(term: str, verb: str) -> bool:
    """Whether a term is the verb, or may be its stem."""
    base = _plain(term.removeprefix("~"))
    return len(base) > 1 and _plain(verb).startswith(base)


def topic(plan: Plan, question: str, terms: Iterable[Term]) -> list[Term]:
    """Those of the terms that say what the question is about: not its own verb of saying, nor the names of speakers."""
    verb, parts = own_verb(question), name_parts(plan.named.values())
    return [
        term for term in terms
        if not of_name(term.term, parts) and (verb is None or not is_own_verb(term.term, verb))
    ]  # fmt: skip


def _plain(word: str) -> str:
    """Case folded and without accents, as stems stand in the index."""
    return "".join(char for char in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(char))
