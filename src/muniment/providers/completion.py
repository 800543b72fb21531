"""Opening the language models: the one that writes answers, and the one that extracts facts."""

from muniment.errors import MunimentError
from muniment.providers.chat import ChatModel
from muniment.settings import Settings


def open_chat(settings: Settings) -> ChatModel | None:
    """The model that the settings name, None where they name none. Connects to nothing.

    Raises ``provider.invalid`` for settings that cannot be.
    """
    if settings.answer_model is None:
        return None
    from muniment.providers.openai_chat import OpenAIChat

    return OpenAIChat.open(settings)


def open_extraction_chat(settings: Settings) -> ChatModel | None:
    """The model that extracts facts, None where the settings want none; connects to nothing.

    Raises ``provider.invalid`` where it is wanted and no model is named.
    """
    if "model" not in settings.extraction_methods:
        return None
    return _open_reading_chat(settings, "extraction by a model needs MUNIMENT_EXTRACTION_MODEL")


def open_summary_chat(settings: Settings) -> ChatModel | None:
    """The model that writes summaries, the one that extracts facts; None where the settings want none.

    Raises ``provider.invalid`` where it is wanted and no model is named.
    """
    if settings.summaries != "model":
        return None
    return _open_reading_chat(settings, "summaries by a model need MUNIMENT_EXTRACTION_MODEL")


def _open_reading_chat(settings: Settings, lacking: str) -> ChatModel | None:
    if settings.extraction_model is None and settings.answer_model is None:
        raise MunimentError("provider.invalid", lacking)
    own_address = settings.extraction_url is not None
    changes = {
        "answer_model": settings.extraction_model or settings.answer_model,
        "answer_url": settings.extraction_url or settings.answer_url,
        # a key goes nowhere but to the address that it was given for
        "answer_api_key": settings.extraction_api_key or (None if own_address else settings.answer_api_key),
        "answer_timeout": settings.extraction_timeout,
        "answer_max_tokens": settings.extraction_max_tokens,
    }
    return open_chat(settings.model_copy(update=changes))
