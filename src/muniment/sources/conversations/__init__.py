"""Conversations: formats with turns, and mail."""

from muniment.sources.format import Format

FORMATS: tuple[Format, ...] = ()
