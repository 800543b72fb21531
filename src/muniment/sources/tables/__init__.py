"""Tables: formats with sheets, rows and cells."""

from muniment.sources.format import Format

FORMATS: tuple[Format, ...] = ()
