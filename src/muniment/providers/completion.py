"""Opening the language models: the one that writes answers, the one that extracts facts, and the one that sees."""

from pydantic import SecretStr

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


def open_vision_chat(settings: Settings) -> ChatModel | None:
    """The model that describes images, None where the settings want none; connects to nothing.

    Raises ``provider.invalid`` where it is wanted and no model is named: the one that answers need not see.
    """
    if settings.vision == "off":
        return None
    if settings.vision_model is None:
        raise MunimentError("provider.invalid", "images described by a model need MUNIMENT_VISION_MODEL")
    return _open_beside(
        settings, settings.vision_model, settings.vision_url, settings.vision_api_key, settings.vision_timeout,
        settings.vision_max_tokens,
    )  # fmt: skip


def _open_reading_chat(settings: Settings, lacking: str) -> ChatModel | None:
    model = settings.extraction_model or settings.answer_model
    if model is None:
        raise MunimentError("provider.invalid", lacking)
    return _open_beside(
        settings, model, settings.extraction_url, settings.extraction_api_key, settings.extraction_timeout,
        settings.extraction_max_tokens,
    )  # fmt: skip


def _open_beside(
    settings: Settings, model: str, url: str | None, key: SecretStr | None, seconds: float, max_tokens: int
) -> ChatModel | None:
    """A model beside the one that answers; what of it is not set is that one's."""
    changes = {
        "answer_model": model,
        "answer_url": url or settings.answer_url,
        # a key goes nowhere but to the address that it was given for
        "answer_api_key": key or (settings.answer_api_key if url is None else None),
        "answer_timeout": seconds,
        "answer_max_tokens": max_tokens,
    }
    return open_chat(settings.model_copy(update=changes))
