# ruff: noqa: E501
"""By which words a relation is said, beside forms of its own: what a text may hold where it states the relation."""

from collections.abc import Sequence
from typing import Final

from muniment.extraction.inflection import FORM_WORDS, holds, words_of
from muniment.extraction.rules.vocabulary import ANIMALS, KIN, OCCUPATIONS

_JOBS: Final = frozenset(word for each in OCCUPATIONS.split("|") for word in each.replace(r"\s+", " ").split())
_PETS: Final = frozenset(ANIMALS.replace(r"\s+", "|").split("|"))
_FAMILY: Final = frozenset(word for each in KIN for word in each.split())
_CUES: Final[tuple[tuple[str, str | frozenset[str]], ...]] = (
    ("lives living live resides residence residing", "live reside based move relocate settle home stay dwell apartment flat"),
    ("moved moves relocated", "move relocate settle left"),
    ("comes originates hometown from", "from grew raised born hometown native come roots"),
    ("works worked employed employer job", "work job employ join start hire position role company career colleague office"
     " promote founder ceo team"),
    ("works worked occupation profession job", _JOBS),
    ("works became becomes", "i'm become promote am is he's she's"),
    ("likes loves enjoys interested interest fond hobby fan favorite favourite passionate",
     "like love enjoy adore fan into favorite favourite fond passion prefer interest keen hobby crazy obsessed"),
    ("dislikes hates dislike hate", "hate dislike stand detest loathe awful disgust fed bother annoy"),
    ("prefers preference", "prefer rather favorite favourite better"),
    ("married spouse husband wife", "marry wife husband spouse wed wedding"),
    ("divorced separated", "divorce separate split ex"),
    ("dating partner engaged girlfriend boyfriend", "date girlfriend boyfriend partner engage fiancé fiancée seeing together"),
    ("sibling parent child family relative related kin cousin mother father sister brother", _FAMILY | {"child", "kid", "parent"}),
    ("children kids child parent", "son daughter kid child baby twin mother father mom mum dad"),
    ("friend friends knows", "friend buddy pal mate know met"),
    ("reports manager boss supervisor", "manager boss supervisor report lead"),
    ("owns own has have", "my our have own buy get i've his her their belong"),
    ("pet pets", _PETS | {"pet"}),
    ("bought purchased acquired", "buy purchase get acquire order new"),
    ("visited visits went travelled traveled trip goes attended attends", "visit go trip travel fly been tour attend come"
     " stay explore at"),
    ("joined member joins belongs part", "join member part belong sign become"),
    ("plans intends wants planning intention hopes going aims goal wishes will decided considers considering",
     "plan go will intend want hope aim gonna decide consider i'll we'll he'll she'll they'll wish dream thinking goal"
     " i'd we're looking moving soon"),
    ("born birthday birthplace birthdate", "bear born birthday birth"),
    ("requires needs depends required", "require need must depend mandatory necessary before"),
    ("uses used using", "use with run switch"),
    ("speaks language", "speak fluent language talk"),
    ("studies studied student education degree major graduated attended", "study student major degree course class school"
     " college university graduate learn phd"),
    ("started began starts began", "start begin launch took new"),
    ("finished completed ended stopped quit", "finish complete end stop quit done over"),
    ("leads lead manages heads head runs led managed ceo", "lead head manage run charge boss ceo director took"),
    ("founded created made built wrote painted organized hosted developed",
     "found create make build write paint organize organise host develop start design publish author put establish"),
    ("won award awarded achieved", "win award prize place achieve"),
    ("participated participates took", "part participate join take run compete attend"),
    ("located based situated headquartered", "locate base situate in at headquarter is"),
    ("happened occurred happens identifies identified identity",
     "on at in is was am i'm happen occur identify"),
    ("scheduled due deadline happens takes held planned", "schedule on is at move set due deadline plan postpone for was"),
    ("feels felt feeling", "feel am i'm is was so makes"),
    ("taught teaches", "teach teacher class"),
    ("cooks cooked", "cook make bake recipe"),
    ("supports supported helps helped", "support help there encourage"),
    ("read reads reading", "read book finish"),
    ("watched watches watching", "watch see movie film show"),
    ("caused causes because", "cause because due led result lead make"),
    ("died deceased passed", "die pass lose death"),
    ("allergic allergy", "allergic allergy"),
    ("adopted got", "adopt get take rescue"),
    ("received got given", "get receive give gift"),
    ("volunteers volunteered", "volunteer help"),
    ("known called named alias nickname name", "call name know nickname aka alias am i'm is"),
)  # fmt: skip
ATTRIBUTES: Final = frozenset(
    (
        "status", "state", "type", "kind", "gender", "nationality", "age", "name", "title", "color", "colour",
        "location", "description", "attribute", "price", "cost", "date", "time", "number", "value", "version", "email",
        "phone", "ethnicity", "religion", "diet", "duration", "size", "quantity", "identity",
        "personality", "trait", "birthday", "hometown", "nickname", "occupation", "profession",
    )
)  # fmt: skip
"""Relations whose object says what is meant: there is no verb for them."""
OPPOSITES: Final = {"dislikes": "likes", "dislike": "likes", "hates": "likes", "hate": "likes"}
"""Relations that are said by denying another."""

ENDED: Final = frozenset(
    (
        "works",
        "worked",
        "employed",
        "lives",
        "resides",
        "married",
        "dating",
        "partner",
        "engaged",
        "owns",
        "has",
        "member",
        "leads",
        "lead",
        "manages",
        "ceo",
        "founder",
        "uses",
        "plays",
        "studies",
        "drives",
        "belongs",
        "part",
    )
)
"""Relations that are denied by saying that they ended: left, sold, resigned."""
_LIKED: Final = frozenset(("likes", "like", "loves", "enjoys", "prefers"))


def denied_by(relation: str, held: Sequence[str], *, ended: bool) -> bool:
    """Whether words that a text holds say a relation as one that is denied: hates for likes; and with ``ended``, that it
    is over, for one that may end."""
    first = relation.split("_")[0]
    return (ended and first in ENDED) or (first in _LIKED and said_by("dislikes", held))


def said_by(relation: str, held: Sequence[str]) -> bool:
    """Whether words that a text holds say a relation (lower snake-case): forms of its own, or others that mean it."""
    own = [word for word in words_of(relation.replace("_", " ")) if word not in FORM_WORDS]
    if not own or any(word in ATTRIBUTES for word in own) or any(holds(held, word) for word in own):
        return True
    told = set(own)
    for names, cues in _CUES:
        if not told.isdisjoint(names.split()):
            meant = cues.split() if isinstance(cues, str) else cues
            if any(holds(held, word) for word in meant):
                return True
    return False
