"""Opening the language model that writes answers."""

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
