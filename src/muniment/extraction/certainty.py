# ruff: noqa: E501
"""What takes the certainty from a sentence: doubt, another's mouth, irony, an example, a world that is not this one; and
what takes back the one before."""

import re
from dataclasses import dataclass
from typing import Final

# words that take what is said back, put it off, or into another's mouth
_UNSURE: Final = re.compile(
    r"\b(?:if|whether|wish|wished|imagine|would|could|might|maybe|perhaps|unless|suppose|supposedly|pretend|dreamed"
    r"|dreamt|joking|kidding|said|says|saying|told|asked|claims?|claimed|heard|according|thinks?|believes?|guess"
    r"|almost|nearly|as\s+if|like\s+when|rumou?r|allegedly|should|hypothetical(?:ly)?|hardly|barely|pretended"
    r"|thought|in\s+the\s+words\s+of|puts?\s+it|hoped|(?-i:hope)|hoping|probably|possibly|presumably|apparently|no,?\s+wait|wait,?\s+no|scratch\s+that|strike\s+that"
    r"|or\s+rather|make\s+that|dreams?|in\s+(?:my|his|her|their)\s+(?:head|mind|imagination))\b|\b(?:wrote|writes|texted|replied|answered"
    r"|shouted|yelled|whispered|sang|sings|sung|added|mentioned|posted|tweeted|emailed|quotes?|quoted)\s*[:,]|[-–—]\s*I\s+mean\b|['’]d\b|^(?:for\s+)?example\s*[:,]",  # noqa: RUF001
    re.IGNORECASE,
)
_IRONY: Final = re.compile(
    r"(?:^|\s)/(?:s|j|jk|sarcasm)\b|\byeah,?\s+right\b|\boh\s+sure\b|\b(?:sarcas(?:m|tic(?:ally)?)|ironically|irony)\b|\band\s+(?:I['’]?\s?a?m|I\s+am)\s+the\s+(?:queen|king|pope|president|easter)\b"  # noqa: RUF001
    r"|[,;.…–—-]\s*not\s*[.!]*$|\bin\s+your\s+dreams\b|\bwhen\s+pigs\s+fly\b|\bj/?k\b|\bpsych\s*!|\bapril\s+fools?\b|🙄|🙃",  # noqa: RUF001
    re.IGNORECASE,
)
_EXAMPLE: Final = re.compile(
    r"\be\.\s?g\b|\bfor\s+(?:example|instance)\b|\b(?:in\s+theory|say,|assum(?:e|ing)|what\s+if|let['’]?s\s+(?:say|assume|suppose|imagine|pretend)|let\s+us\s+(?:say|assume)"  # noqa: RUF001
    r"|role-?play|fictional|made-?up)\b|\b(?:sample|example|test|dummy|placeholder)\s+(?:text|sentence|data|message|input|prompt|phrase)s?\b|\blorem\s+ipsum\b",
    re.IGNORECASE,
)
# what somebody hands over to be worked on, or shows as an example, behind a colon
_HANDED_OVER: Final = re.compile(
    r"\b(?:translat\w*|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct\s+(?:this|the|my)|fix|check|grammar|polish|edit\s+this|improve|classify|parse|sentences?|examples?"
    r"|samples?|prompts?|templates?|test(?:ing)?|quotes?|quotations?|captions?|lyrics?|titles?|subject|story|stories|novel|chapter|scenes?|scripts?|dialog(?:ue)?|poem|lines?|phrases?|fiction"
    r"|repeat|say|type|write|read|reply|replies|answers?|responds?|lie|lies|myth|false|joke|fake|character|persona|input|output)\b[^:]{0,60}:(?=\s)",
    re.IGNORECASE,
)
_WORKS: Final = (
    r"(?:novel|book|movie|film|story|game|play|series|episode|poem|song|comic|script|screenplay|musical|joke|scenario|fairy\s+tale|tv\s+show|dream|campaign|simulation"
    r"|parable|sketch|short\s+story|fan\s?fic(?:tion)?|role-?play)"
)
_FICTION: Final = re.compile(
    rf"\b(?:in|of|from)\s+(?:the|a|an|this|that|her|his|my|our|their|some|one)\s+(?:\w+\s+)?{_WORKS}\b(?!\s+(?:club|store|shop|fair|festival|industry|business))"
    r"|\b(?:my|the|a|our|his|her)\s+(?:main\s+)?(?:character|protagonist|hero|heroine|narrator|villain|avatar|persona)\b"
    r"|\bin\s+(?:Minecraft|Skyrim|The\s+Sims|Stardew\s+Valley|Animal\s+Crossing|GTA|World\s+of\s+Warcraft|Zelda|Roblox|Fortnite|VRChat|Second\s+Life|D&D)\b",
    re.IGNORECASE,
)
# what opens a world in which the sentences behind it stand too
_OPENS: Final = re.compile(
    r"\W*(?:(?:now|ok(?:ay)?|so|well|please)[,\s]+)?(?:imagine\s+\w|picture\s+this|suppose\b|assume\b|pretend\b|what\s+if\b|once\s+upon\s+a\s+time\b|hypothetically\b"
    r"|let['’]?s\s+(?:say|pretend|imagine|suppose|assume|role-?play)\b|you\s+are\s+(?:now\s+)?(?:an?|the)\s+(?:\w+\s+)?(?:assistant|pirate|bot|chatbot|expert|character|wizard|detective|king|queen|narrator|knight|hero)\b|act\s+as\b|write\s+(?:me\s+)?an?\s+\w+|chapter\s+\w+\b"  # noqa: RUF001
    r"|(?:for|as\s+an)\s+(?:example|instance)\s*[,:]|example\s*[,:]|e\.\s?g\.)",
    re.IGNORECASE,
)
# what takes back all that was said before it: it was a joke
_JOKED: Final = (
    r"(?:(?:i\s*['’]?\s?a?m|i\s+am|i\s+was|was)\s+)?(?:just\s+|only\s+|totally\s+)?(?:kidding|joking|messing\s+with\s+(?:you|ya))|j/?k|psych|april\s+fools?(?:\s+day)?"  # noqa: RUF001
    r"|(?:that|it|this)(?:['’]s|\s+was|\s+is)\s+(?:just\s+)?(?:a\s+joke|a\s+lie|not\s+true|untrue|nonsense|sarcasm)|/(?:s|j|jk|sarcasm)"  # noqa: RUF001
)
# what takes back what was said last
_SCRATCHED: Final = (
    r"(?:scratch|strike|forget|ignore|disregard|delete)\s+(?:that|this|the\s+last(?:\s+(?:message|sentence|bit|part))?|my\s+last(?:\s+(?:message|sentence|text))?|what\s+i(?:\s+just)?\s+said)"
    r"|i\s+take\s+(?:that|it)\s+back|that\s+was\s+wrong|i\s+misspoke|wrong\s+chat|wrong\s+window"
)
# said of the sentence before in the same breath these take it back as well; in a message of their own they may be about anything
_WEAK: Final = (
    r"never\s?mind(?:\s+that)?|nvm|not|nope|not\s+really|no,?\s+not\s+really|i\s+wish|as\s+if|(?:oh\s+)?(?:yeah|yea|sure),?\s+(?:right|sure)|ha(?:ha)*,?\s+(?:no|not)|no,?\s+wait|wait,?\s+no"
    r"|actually,?\s+no|on\s+second\s+thou?ghts?|in\s+my\s+dreams|if\s+only|or\s+not|🙄|🙃"
)
_LEAD: Final = r"\W*(?:(?:ha(?:ha)*|lol|lmao|rofl|oh|ok(?:ay)?|no|nah|wait|sorry|oops|actually|hey|hehe|well|ah|um|hmm|and|but|haha\w*)[\s,.!…-]+){0,3}"
_TAIL: Final = (
    r"(?:\s*(?:lol|haha\w*|lmao|rofl|guys|everyone|folks|sorry|please|obviously|of\s+course|😂|🤣|😄|😜|😉))?"
)
_TAKEN_BACK: Final = re.compile(
    rf"{_LEAD}(?:(?P<joked>{_JOKED})|(?P<scratched>{_SCRATCHED})|(?P<weak>{_WEAK})){_TAIL}(?P<end>\s*(?:[.!,;:…–—-]+(?=\s|$)|\W*$)\s*)",  # noqa: RUF001
    re.IGNORECASE,
)
_MAY_TAKE_BACK: Final = re.compile(
    r"kidding|jok(?:e|ing)\b|\bj/?k\b|/s\b|messing|psych|april\s+fool|\blie\b|true|nonsense|sarcasm|scratch|strike|forget|ignore|disregard|delete|take\s+(?:that|it)\s+back|wrong|misspoke",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """That a sentence takes back what was said before it: ``whole`` all of it, else the last alone; ``plain`` where it does
    so as a message of its own too. Behind ``end`` of its characters something else is told."""

    whole: bool
    plain: bool
    end: int


def is_unsure(sentence: str) -> bool:
    """Whether a sentence says nothing for sure, whatever it says."""
    return any(pattern.search(sentence) for pattern in (_UNSURE, _IRONY, _EXAMPLE, _HANDED_OVER))


def is_unreal(sentence: str) -> bool:
    """Whether a sentence is ironic, an example, or handed over to be worked on: it tells nothing of this world."""
    return any(pattern.search(sentence) for pattern in (_IRONY, _EXAMPLE, _HANDED_OVER))


def tells_fiction(sentence: str) -> bool:
    """Whether a sentence speaks of a book, a film or a game; who does something there does it in no world of facts."""
    return _FICTION.search(sentence) is not None


def opens_fiction(sentence: str) -> bool:
    """Whether a sentence stands wholly in another world, and those behind it in the same lines too."""
    return _FICTION.match(sentence) is not None or _OPENS.match(sentence) is not None


def hands_over(sentence: str) -> bool:
    """Whether what stands behind a sentence is handed over or shown, and not told: Translate this: …"""
    return sentence.rstrip().endswith(":") and _HANDED_OVER.search(sentence.rstrip() + " ") is not None


def is_ironic_as_a_whole(text: str) -> bool:
    """Whether a text ends with the mark of irony."""
    return re.search(r"(?:^|\s)/(?:s|sarcasm)\W*$", text, re.IGNORECASE) is not None


def taken_back(sentence: str) -> TakenBack | None:
    """What a sentence takes back, if that is what it does or begins with."""
    match = _TAKEN_BACK.match(sentence)
    if match is None:
        return None
    weak = match.group("weak") is not None
    end = match.end()
    if weak and end < len(
        sentence.rstrip()
    ):  # "not really, I live in Rome" answers; "never mind the rest" is another thing
        return None
    return TakenBack(match.group("joked") is not None, not weak, end)


def may_take_back(text: str) -> bool:
    """Whether it is worth to look for what a text takes back of messages before it."""
    return _MAY_TAKE_BACK.search(text) is not None
