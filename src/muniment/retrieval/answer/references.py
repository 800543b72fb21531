"""The ids of evidence inside an answer's text, turned into the numbers of its citations."""

import re
from collections.abc import Collection

_LABEL = r"E\d{1,3}"
_REFERENCE = re.compile(rf"[ \t]*([\[(])[ \t]*({_LABEL}(?:[ \t]*[,;][ \t]*{_LABEL}){{0,11}})[ \t]*[\])]")
_OPEN = re.compile(r"[ \t]*[\[(][^\])\n]{0,160}\Z")


def normal_label(label: str) -> str:
    """An id as a model may write it, ``[e1]`` say, in the form in which it was given."""
    return label.strip().strip("[]()").strip().upper()


def numbered(text: str, known: Collection[str], first: Collection[str] = ()) -> tuple[str, list[str]]:
    """The text with ``[E3]`` as ``[1]``, and the ids in the order of these numbers.

    Numbers are given as ids appear, which is the same for each beginning of a text; ids of no evidence are taken out.
    ``first`` are ids that have numbers already.
    """
    order = list(first)

    def replacement(match: re.Match[str]) -> str:
        bracket, labels = match.groups()
        found = [label for label in re.findall(_LABEL, labels) if label in known]
        if not found and bracket == "(":
            return match.group()  # more likely something of the text itself
        order.extend(label for label in dict.fromkeys(found) if label not in order)
        return " " + "".join(f"[{order.index(label) + 1}]" for label in dict.fromkeys(found)) if found else ""

    return _REFERENCE.sub(replacement, text).strip(), order


def settled(text: str) -> str:
    """The beginning of a text that later characters cannot change: whole words, no bracket that is still open."""
    end = max((text.rfind(blank) for blank in " \n\t"), default=-1)
    whole = text[: end + 1]
    opened = _OPEN.search(whole)
    return whole[: opened.start()] if opened else whole.rstrip()
