"""Data: formats of records with paths."""

from muniment.sources.format import Format

FORMATS: tuple[Format, ...] = ()
