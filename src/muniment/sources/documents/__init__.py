"""Documents: formats with pages, slides, sections and paragraphs."""

from muniment.sources.format import Format

FORMATS: tuple[Format, ...] = ()
