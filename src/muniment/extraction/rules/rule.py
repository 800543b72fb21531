# ruff: noqa: E501
"""What a rule is: words behind a subject that say a relation for sure, and what of them is the object."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from muniment.extraction.statements import EntityType, StatementKind

Complement = Literal["name", "phrase", "joined", "group", "time"]
"""The object: a proper name, a phrase, one with "and", the group ``object``, a time."""
Timing = Literal["event", "from", "state", "plan", "none"]
"""What a time in the clause says: when it happened, since when or when it holds, when it is planned, nothing."""
SubjectForm = Literal["person", "thing"]

ADVERBS: Final = (
    r"(?:\s+(?:just|recently|now|also|really|still|currently|actually|finally|already|always|definitely|truly"
    r"|absolutely|totally|even|simply|officially|mostly|officially|happily|proudly|both|kinda|soon))*"
)
BE: Final = r"(?:['’](?:m|s)|\s+am|\s+is)"  # noqa: RUF001
HAVE: Final = r"(?:['’](?:ve|s)|\s+have|\s+has)"  # noqa: RUF001
_SO_LONG: Final = r"for\s+(?:the\s+(?:last|past)\s+)?(?:\w+\s+){1,2}(?:years?|months?|weeks?|decades?)"
_TO_THIS_DAY: Final = rf"(?=[^.;!?]*\b(?:since|{_SO_LONG}|all\s+(?:my|his|her)\s+life)\b)"
IN_PART: Final = r"(?!\s+(?:really\s+|actually\s+)?(?:just|only|merely|simply|solely|always|exactly|necessarily|totally|absolutely|completely|entirely)\b)"
"""Behind a negation that denies only a part of what follows, or says that there is more: I don't just like tea."""
DO_NOT: Final = rf"(?:\s+do(?:es)?n['’]t|\s+do(?:es)?\s+not){IN_PART}"  # noqa: RUF001
NOT: Final = rf"not{IN_PART}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. The pattern is matched right behind the subject; a group named ``neg…`` in it denies, ``past`` is over.

    ``says`` and ``denies`` restate it, with {s} and {o}. Where ``listed`` names may follow the first as its like,
    and words that ``members`` matches. With ``moves`` the object is a home only where it is of a place,
    with ``hires`` an employer only where more than its name tells so.
    """

    relation: str
    pattern: re.Pattern[str]
    complement: Complement
    says: str
    denies: str = ""
    kind: StatementKind = "statement"
    timing: Timing = "state"
    subject: SubjectForm = "person"
    object_type: EntityType = "unknown"
    listed: bool = False
    members: re.Pattern[str] | None = None
    negated: bool = False
    moves: bool = False
    hires: bool = False
    confidence: float = 0.9


def state(base: str, third: str, ing: str, past: str | None = None) -> str:
    """A pattern of a verb of a lasting state in the present, denied, no longer so, and with ``past`` over."""
    denied = (
        rf"(?P<neg>{DO_NOT}{ADVERBS}\s+(?:{base})|{ADVERBS}\s+no\s+longer\s+(?:{third}|{base})"
        rf"|{BE}{ADVERBS}\s+(?:no\s+longer|{NOT}){ADVERBS}\s+(?:{ing})|(?:\s+am|\s+is)n['’]t{IN_PART}{ADVERBS}\s+(?:{ing})"  # noqa: RUF001
        rf"|\s+used\s+to\s+(?:{base})|{ADVERBS}\s+stopped\s+(?:{ing}))"
    )
    held = rf"{ADVERBS}\s+(?:{third}|{base})|{BE}{ADVERBS}\s+(?:{ing})|{HAVE}\s+been{ADVERBS}\s+(?:{ing})"
    over = ""
    if past:
        over = rf"|(?P<past>{ADVERBS}\s+(?:{past})|\s+was{ADVERBS}\s+(?:{ing}))"
        over += rf"|{HAVE}{ADVERBS}\s+(?:{past}){_TO_THIS_DAY}"
    return rf"(?:{denied}|{held}{over})"


def habit(base: str, third: str) -> str:
    """A pattern of a verb in the simple present alone: what is liked now, in this moment, is no habit."""
    denied = (
        rf"(?P<neg>{DO_NOT}{ADVERBS}\s+(?:{base})|{ADVERBS}\s+no\s+longer\s+(?:{third}|{base})"
        rf"|\s+used\s+to\s+(?:{base}))"
    )
    return rf"(?:{denied}|{ADVERBS}\s+(?:{third}|{base}))"


def happened(past: str, participle: str | None = None) -> str:
    """A pattern of a verb in the past: what happened once."""
    return rf"(?:{ADVERBS}\s+(?:{past})|{HAVE}{ADVERBS}\s+(?:{participle or past}))"


def never(participle: str) -> str:
    """A pattern of what is said never to have been, at no time."""
    return rf"(?:{HAVE}|\s+had)?{ADVERBS}\s+never{ADVERBS}\s+(?:{participle})"


def is_(*, was: bool = False) -> str:
    """A pattern of "is", denied or not; with ``was`` also in the past."""
    over = r"|(?P<past>\s+was)" if was else ""
    return rf"(?:(?:{BE}{over})(?P<neg>\s+{NOT}|\s+no\s+longer)?{ADVERBS}|(?P<neg2>\s+isn['’]t{IN_PART}){ADVERBS})"  # noqa: RUF001


def rule(relation: str, pattern: str, complement: Complement, says: str, denies: str = "", **more: object) -> Rule:
    """A rule with its pattern compiled, to be followed by white space and the object."""
    behind = r"(?=\W|$)" if complement in ("group",) else r"\s+"
    if isinstance(more.get("members"), str):
        more["members"] = re.compile(rf"(?:{more['members']})(?=\W|$)")
    return Rule(relation, re.compile(pattern + behind), complement, says, denies, **more)  # type: ignore[arg-type]
