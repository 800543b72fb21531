"""What a job handler gets, and what it is."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from muniment.database.pool import Database
from muniment.providers.chat import ChatModel
from muniment.providers.embedding import Embedder
from muniment.settings import Settings

Progress = Callable[[int, int | None], Awaitable[None]]
"""Called with how much of a job is done and how much there is, None where that is not known; seldom written down."""


async def _nobody_asks(_done: int, _total: int | None) -> None:
    return None


@dataclass(frozen=True, slots=True)
class JobContext:
    """What the handlers share. ``embedder`` and ``model_no`` are None where nothing is embedded here.

    ``admin_url`` is the administrator's, None where only the service role's is known. ``progress`` is the
    job's own. ``chat`` is the model that extracts facts, ``summary_chat`` the one that writes summaries,
    ``vision_chat`` the one that describes images; None where none does.
    """

    database: Database
    settings: Settings
    embedder: Embedder | None = None
    model_no: int | None = None
    admin_url: str | None = None
    progress: Progress = _nobody_asks
    chat: ChatModel | None = None
    summary_chat: ChatModel | None = None
    vision_chat: ChatModel | None = None


Handler = Callable[[JobContext, int, dict[str, Any]], Awaitable[dict[str, Any]]]
"""Runs one job of a tenant with its arguments, and gives what is worth keeping of it: numbers, never texts.

A job may be run twice, also at once: when its process died, or lost its lease. So effects are idempotent.
"""

Handlers = Mapping[str, Handler]
