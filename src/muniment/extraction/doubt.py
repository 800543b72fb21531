# ruff: noqa: E501
"""Whether a sentence holds what some of its words say: where it asks, supposes, denies, hopes or jokes, it does not.

A quotation is a clipping: "Olga lives in Soest" stands in "I don't think Olga lives in Soest" too. So it is judged by
the sentence that it was clipped from, and by one behind that takes the sentence back.
"""

import re
from collections.abc import Collection
from typing import Final

from muniment.extraction.certainty import is_unreal, taken_back, tells_fiction
from muniment.extraction.inflection import holds, words_of
from muniment.extraction.sentences import Sentence, sentences_of

_FAR: Final = 300  # characters around a quotation that is in no sentence
# what stands in no clause with what is before it
_APART: Final = re.compile(r";|\bbut\b", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\([^()\n]{0,200}\)|\s-+\s[^;\n-]{1,60}\s-+\s|[—–][^;\n—–]{1,60}[—–]")  # noqa: RUF001
_SUBJECT: Final = (
    r"(?:then\s+)?(?:(?i:i|he|she|we|they|it|you|there|that|this|my|his|her|our|their|the|if|when|now|so)\b|[A-Z]\w+\b)"
)
_JOINED: Final = re.compile(
    rf"\s-+\s|[—–()]|(?:,\s*|\s)(?:and|so|because|since|although|though|while|which|who)\s+(?={_SUBJECT})"  # noqa: RUF001
    rf"|,\s*(?=(?:i|he|she|we|they|my|his|her|our|their)\b\s*['’]?\w)",  # noqa: RUF001
)
# a condition, and words that only lead in to what is told
_CONDITION: Final = re.compile(
    r"\b(?:if|unless|whether|provided|providing|as\s+long\s+as|so\s+long\s+as|in\s+case|assuming|suppos(?:e|ing)|imagine|what\s+if|as\s+(?:if|though)|had\s+(?:i|he|she|they|we|it)\b(?=[^,]*,)"
    r"|were\s+(?:i|he|she|they|we|it)\s+to|(?-i:Should)\s+(?:i|he|she|they|we|it|(?-i:[A-Z])\w+)\b(?=[^,]*,)|depend(?:s|ing)\s+on|otherwise|or\s+else)\b",
    re.IGNORECASE,
)
_NO_CONDITION: Final = re.compile(
    r"\b(?:if|in\s+case)\s+(?:(?:you|ya|u)\s+(?:remember|recall|know|ask|must\s+know|care|(?:are|were|['’]re)\s+(?:wondering|curious|interested)|(?:need|want|would\s+like|wanna)\b)"  # noqa: RUF001
    r"|(?:i|we)\s+(?:remember|recall|may|am\s+honest|['’]?m\s+(?:honest|not\s+mistaken)|haven['’]?t\s+(?:said|told|mentioned))|memory\s+serves|anyone|anybody|not\s+mistaken)"  # noqa: RUF001
    r"|\b(?:wonder|ask|know|see|check|tell|sure|matter|care|remember|decide|find\s+out)\w*\s+(?:\w+\s+)?(?:if|whether)\b|\bno\s+matter\b|\bsince\b|\bnot\s+until\b",
    re.IGNORECASE,
)
# what somebody asks themselves or others: as much as it says is not told
_ASKED: Final = re.compile(
    r"\b(?:wonder|ask|know|see|check|tell|sure|matter|care|remember|decide|find\s+out)\w*\s+(?:\w+\s+)?(?:if|whether)\b",
    re.IGNORECASE,
)
# surprise, which doubts nothing
_SURPRISED: Final = re.compile(r"\b(?:can|could)(?:n['’]?t|['’]t|not)\s+(?:even\s+|quite\s+)?believe\b", re.IGNORECASE)  # noqa: RUF001
_DENIED: Final = re.compile(
    r"(?:\w+n['’]?t|\bnot|\bnever|\bno\s+longer|\bnobody|\bno\s?one|\bnone|\bhardly|\bneither|\bcannot|\bdont|\bdoesnt|\bdidnt|\bisnt)\b(?:\W+\w+){0,3}?\W+"  # noqa: RUF001
    r"(?:think|thinks|thought|believe[sd]?|sa(?:y|ys|id)|claim(?:s|ed)?|mean(?:s|t)?|true|right|correct|case|suppose[sd]?|suspect(?:s|ed)?|sure|certain|convinced|aware|heard|hear|imply|implies|implied|suggest(?:s|ed)?|told|tell|confirmed|proven|fact|accurate)\b"
    r"|\b(?:doubt|denie|deny|disbeliev|disprov|refut)\w*\b|\b(?:unlikely|unclear|uncertain|impossible|improbable|possible|doubtful|likely)\s+(?:that|if|whether)\b|\b(?:false|untrue|wrong|incorrect|nonsense|a\s+lie|a\s+myth|fake)\b(?:\s+(?:that|to\s+say|claim|news|idea))|\b(?:no|lack\s+of)\s+(?:evidence|proof|sign|truth|way|chance)\b",
    re.IGNORECASE,
)
_HEDGED: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|apparently|supposedly|allegedly|reportedly|hypothetically|theoretically|seemingly|might|could|would|(?-i:may)|should|ought\s+to"
    r"|wish(?:es|ed)?|hop(?:es?|ed|ing)|dream(?:s|t|ed|ing)?|imagin(?:e[sd]?|ing)|pretend(?:s|ed|ing)?|jok(?:es?|ed|ing)|kidding|lied|lying|lies(?=\s+that)|rumou?r(?:s|ed)?|gossip|guess(?:es|ed|ing)?|claim(?:s|ed|ing)?"
    r"|(?:think|thinks|thought|thinking|believe[sd]?|believing|assume[sd]?|assuming|suspect(?:s|ed)?|suppose[sd]?|reckon(?:s|ed)?|figure[sd]?|bet)\b(?=\s+(?:that\s+)?(?:i|he|she|we|they|it|you|there|my|his|her|our|their|the|[A-Z]\w+)\b)"
    r"|want(?:s|ed|ing)?\s+(?:\w+\s+)?to|plan(?:s|ned|ning)?\s+(?:to|on)|intend(?:s|ed|ing)?\s+to|tr(?:y|ies|ied|ying)\s+to|consider(?:s|ed|ing)?(?=\s+\w+ing)|about\s+to|going\s+to|gonna|refuse[sd]?\s+to|fail(?:s|ed)?\s+to"
    r"|according\s+to|(?:they|people|some)\s+say|heard|in\s+(?:my|his|her|their)\s+(?:head|mind|imagination)|almost|nearly|(?:it\s+)?(?:seems?|looks?|sounds?)\s+(?:like|as\s+if|as\s+though|that)|(?:pass(?:es|ed)?|pos(?:es?|ed|ing)|mistaken)\s+(?:off\s+)?(?:as|for))\b",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"[,;.…–—-]\s*(?:(?:or\s+so\s+\w+(?:\s+\w+)?|i\s+(?:think|guess|believe|suppose|assume|hope|wish|imagine|doubt)(?:\s+(?:so|it))?|they\s+say|(?:he|she)\s+(?:says|claims|thinks|believes)|not|right|just\s+kidding|j/?k)(?=\s*(?:[.!?,;…]|$))"  # noqa: RUF001
    r"|or\s+not\b|maybe|perhaps|probably|possibly|presumably|allegedly|apparently|supposedly)"
    r"|\b(?:is|was|would\s+be|['’]s)\s+(?:(?:just|only|simply|plainly)\s+)?(?:not\s+(?:true|so|right|correct|the\s+case)|(?:a\s+)?(?:lie|myth|rumou?r|joke|guess|mistake)|false|untrue|wrong|nonsense|unlikely|doubtful|impossible)\b"  # noqa: RUF001
    r"|\bisn['’]?t\s+(?:true|so|right|correct|the\s+case)\b|\bor\s+(?:maybe|perhaps|not|in\b|at\b)|\bbut\s+(?:i|we)(?:['’]?m|\s+am|\s+are|['’]re)\s+not\s+(?:\w+\s+)?(?:sure|certain|positive)\s*[.!,]",  # noqa: RUF001
    re.IGNORECASE,
)


_PUT_BEFORE: Final = re.compile(
    r"\W*(?:\w+\s+)?(?:according\s+to\s+[^,;]{1,40}|apparently|perhaps|maybe|possibly|supposedly|allegedly|reportedly|presumably|probably|hypothetically|theoretically|in\s+theory)\s*,\s*(?=(?:i|he|she|we|they|it|my|his|her|our|their)\b)",
    re.IGNORECASE,
)


def doubted(text: str, start: int, end: int, wanted: Collection[str] = (), relation: Collection[str] = ()) -> bool:
    """Whether the text from ``start`` to ``end`` tells nothing for sure by the sentences in which it stands.

    Of several sentences those count that hold one of the words ``wanted``, the last where none does; all of them must be
    doubted. Words of the ``relation`` raise no doubt: that Eva hopes for something may be what is told. English.
    """
    sentences = [each for each in sentences_of(text) if each.start < end and start < each.start + len(each.text)]
    if not sentences:
        first = max(text.rfind("\n", 0, start) + 1, start - _FAR)
        line = text[first : end + _FAR]
        sentences = [Sentence(line, first, line.rstrip().endswith("?"))]
    told = [each for each in sentences if _place_of(text, each, start, end, wanted) is not None] or sentences[-1:]
    return all(_doubted_in(text, each, start, end, wanted, relation) for each in told)


def _doubted_in(
    text: str, sentence: Sentence, start: int, end: int, wanted: Collection[str], relation: Collection[str]
) -> bool:
    if sentence.asks or is_unreal(sentence.text) or tells_fiction(sentence.text):
        return True
    behind = next(iter(sentences_of(text[sentence.start + len(sentence.text) :])), None)
    if behind is not None and taken_back(behind.text) is not None:
        return True
    place = _place_of(text, sentence, start, end, wanted)
    place = (min(end, sentence.start + len(sentence.text)) if place is None else place) - sentence.start
    said = _ASIDE.sub(lambda aside: _left_out(aside, place), sentence.text)
    first = max((cut.end() for cut in _APART.finditer(said, 0, place)), default=0)
    last = next((cut.start() for cut in _APART.finditer(said, place)), len(said))
    joined = max((cut.end() for cut in _JOINED.finditer(said, first, place)), default=first)
    if found := _PUT_BEFORE.match(said, first, place):  # "According to Tom, she …" says it of what follows
        joined = min(joined, found.start())
    before, clause = said[first:place], _SURPRISED.sub(" ", said[joined:place])
    after = said[place:last]
    cut = _JOINED.search(after)
    own = after if cut is None else after[: cut.start()]
    return (
        _supposes(before)
        or _ASKED.search(clause) is not None
        or _supposes(own)
        or any(not _is_of(found.group(), relation) for found in _HEDGED.finditer(clause))
        or any(not _is_of(found.group(), relation) for found in _DENIED.finditer(clause))
        or _BEHIND.search(said, place) is not None
    )


def _left_out(aside: re.Match[str], place: int) -> str:
    """An aside as blanks, unless it is what is looked at."""
    return aside.group() if aside.start() <= place < aside.end() else " " * len(aside.group())


def _place_of(text: str, sentence: Sentence, start: int, end: int, wanted: Collection[str]) -> int | None:
    """Where in the text the first of the words wanted stands that the sentence and the quotation share."""
    first, last = max(start, sentence.start), min(end, sentence.start + len(sentence.text))
    for found in re.finditer(r"[\w'’]+", text[first:last]):  # noqa: RUF001
        if any(holds(words_of(found.group()), word) for word in wanted):
            return first + found.start()
    return None


def _supposes(words: str) -> bool:
    return _CONDITION.search(_NO_CONDITION.sub(" ", words)) is not None


def _is_of(found: str, relation: Collection[str]) -> bool:
    said = words_of(found)
    return any(holds(said, word) for word in relation)
