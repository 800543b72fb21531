"""Code: formats with functions and classes, and notebooks."""

from muniment.sources.format import Format

FORMATS: tuple[Format, ...] = ()
