"""Whether the words that a statement is said to rest on are there and carry it: what fails here is never a fact."""

from collections.abc import Mapping, Sequence

from muniment.extraction.inflection import content_of, holds, words_of
from muniment.extraction.polarity import ends, negates
from muniment.extraction.relation_words import said_by
from muniment.extraction.statements import LONGEST_NAME, LONGEST_OBJECT, Span, Statement


def supported(statement: Statement, texts: Mapping[int, str]) -> bool:
    """Whether each span names characters of a text in ``texts`` (by record number), and they hold support.

    Support is every word of the object, or a word that says the relation, in any inflection: a span that holds neither
    may stand anywhere. A statement without a span, or without a subject, relation or object, has none. That is the
    least that is asked of every extractor; of a model, ``refusal`` asks more.
    """
    parts = (statement.subject, statement.relation, statement.object)
    if not all(part.strip() for part in parts) or not statement.spans:
        return False
    if len(statement.subject) > LONGEST_NAME or len(statement.relation) > LONGEST_NAME:
        return False
    if len(statement.object) > LONGEST_OBJECT or not all(_exists(span, texts) for span in statement.spans):
        return False
    held = words_of(" ".join(texts[span.record_no][span.start : span.end] for span in statement.spans))
    return all(holds(held, word) for word in content_of(statement.object)) or said_by(statement.relation, held)


def still_said(subject: str, object_: str, quotes: Sequence[tuple[str, str | None]], *, negated: bool) -> bool:
    """Whether a part of the words that a statement rests on, each with who says them, can still carry it.

    They hold every word of the object; name the subject, or are said by it; and what is denied is denied in them.
    """
    text = " . ".join(words for words, _ in quotes)
    held = words_of(text)
    if not all(holds(held, word) for word in content_of(object_)):
        return False
    speakers = [word for _, said_by in quotes for word in words_of(said_by or "")]
    if not all(word in speakers or holds(held, word) for word in words_of(subject)):
        return False
    return not negated or negates(text) or ends(text)


def _exists(span: Span, texts: Mapping[int, str]) -> bool:
    text = texts.get(span.record_no)
    return text is not None and 0 <= span.start < span.end <= len(text) and bool(text[span.start : span.end].strip())
