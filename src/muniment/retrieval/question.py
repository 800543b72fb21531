"""What a question and a request may be, checked before anything is searched for."""

from muniment.errors import MunimentError
from muniment.settings import Settings


def admit_question(text: str, settings: Settings) -> str:
    """The question without surrounding blanks; raises ``input.*`` for one that cannot be asked."""
    question = text.strip()
    if not question:
        raise MunimentError("input.empty_text", "the question is empty or only white space")
    try:
        size = len(question.encode())
    except UnicodeEncodeError:
        raise MunimentError("input.encoding_invalid", "the question is not valid Unicode text") from None
    if size > settings.max_question_bytes:
        raise MunimentError(
            "input.question_too_long",
            f"the question has {size} bytes; the limit is {settings.max_question_bytes}",
            limit=settings.max_question_bytes,
            setting="MUNIMENT_MAX_QUESTION_BYTES",
        )
    if "\x00" in question:
        raise MunimentError("input.nul_byte", "the question holds a NUL byte", position=question.index("\x00"))
    return question


def admit_top_k(top_k: int, settings: Settings) -> int:
    """The number of hits asked for; raises ``input.too_many`` above the limit and ``input.invalid`` below 1."""
    if top_k < 1:
        raise MunimentError("input.invalid", "top_k must be at least 1")
    if top_k > settings.max_top_k:
        raise MunimentError(
            "input.too_many",
            f"top_k is {top_k}; the limit is {settings.max_top_k}",
            limit=settings.max_top_k,
            setting="MUNIMENT_MAX_TOP_K",
        )
    return top_k
