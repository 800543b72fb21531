"""The intent of a question, by the words that it is asked with (the specification's section 6)."""

import re

from muniment.retrieval.planning.outlook import Intent

_CUES: tuple[tuple[Intent, str], ...] = (
    (
        "multi_hop",
        r"because|relationships? between|leads? to|led to|in common|how (?:did|does|do|has|have|could|would) .{1,200}?"
        r"\b(?:affect|influence|impact)s?|why (?:did|does|do|has|have|is|are|was|were)",
    ),
    ("inference", r"would|likely|probably|might|could|should"),
    ("temporal", r"when|what (?:year|month|day|date|time)|before|after|how long ago|how long|since when|until when"),
    ("list", r"list|enumerate|which|how many|what are all"),
)
_OTHER_LANGUAGES: tuple[tuple[Intent, str], ...] = (
    (
        "multi_hop",
        r"warum|wieso|weshalb|aus welchem grund|pourquoi|pour quelle raison|por qu[eé] raz[oó]n|perch[eéè]"
        r"|per quale motivo|waarom|zusammenhang zwischen|beziehung(?:en)? zwischen|gemeinsam|lien entre|relation entre"
        r"|en commun|relaci[oó]n entre|en com[uú]n|relazione tra|in comune|rela[cç][aã]o entre|em comum"
        r"|verband tussen|gemeen",
    ),
    ("inference", r"wahrscheinlich|vermutlich|probablement|probablemente|probabilmente|provavelmente|waarschijnlijk"),
    (
        "temporal",
        r"wann|quand|cu[aá]ndo|quando|wanneer|in welchem (?:jahr|monat)|an welchem (?:tag|datum)|welches datum"
        r"|quelle (?:ann[eé]e|date)|quel (?:jour|mois)|qu[eé] (?:a[nñ]o|d[ií]a|mes|fecha)"
        r"|(?:che|quale) (?:anno|giorno|mese|data)"
        r"|(?:que|qual) (?:ano|dia|m[eê]s|data)|wel(?:k|ke) (?:jaar|dag|maand|datum)|wie lange|combien de temps"
        r"|cu[aá]nto tiempo|quanto tempo|hoe lang",
    ),
    (
        "list",
        r"wie ?viele|welche[rsnm]?|combien d(?:es?)?|quel(?:s|les)|lesquel(?:s|les)|cu[aá]nt[oa]s|cu[aá]les|quant[ie]"
        r"|quant[oa]s|quali|quais|hoeveel(?! kost)|wel(?:k|ke)|z[aä]hle? .{1,80}? auf|[eé]num[eé]re[rz]?|elenca",
    ),
)
_ASKED_FIRST: tuple[tuple[Intent, str], ...] = (
    ("multi_hop", r"\A\W*(?:(?:e|y|und|et) )?(?:por ?qu[eéê]|porqu[eê])"),  # further inside it may mean because
)
_PATTERNS = tuple(
    (intent, re.compile(rf"\b(?:{cues})\b" if cues[0] != "\\" else rf"{cues}\b", re.IGNORECASE | re.DOTALL))
    for intent, cues in (*_CUES, *_ASKED_FIRST, *_OTHER_LANGUAGES)
)


def intent_of(question: str) -> tuple[Intent, str | None]:
    """The intent and the words that gave it; the first that matches wins, ``fact`` where none does.

    English cues go first, then those of German, French, Spanish, Italian, Portuguese and Dutch.
    """
    for intent, pattern in _PATTERNS:
        match = pattern.search(question)
        if match is not None:
            return intent, match.group()
    return "fact", None
