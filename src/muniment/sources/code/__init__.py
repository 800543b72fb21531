"""Code: formats with functions and classes, and notebooks."""

from muniment.sources.charset import locate_decoded
from muniment.sources.code.languages import LANGUAGES
from muniment.sources.code.text_formats import LANGUAGE_OF
from muniment.sources.format import Format, lazy_locate, lazy_read

_READERS = "muniment.sources.code.source_code"

FORMATS: tuple[Format, ...] = (
    *(
        Format(
            language.name,
            language.media_types,
            language.extensions,
            lazy_read(_READERS, f"read_{language.name}"),
            locate_decoded,
            isolated=True,
        )
        for language in LANGUAGES
    ),
    Format(
        "notebook",
        ("application/x-ipynb+json",),
        (".ipynb",),
        lazy_read("muniment.sources.code.notebooks", "read_notebook"),
        lazy_locate("muniment.sources.code.notebooks", "locate_notebook"),
        isolated=True,
    ),
    Format(
        "source text",
        ("text/x-source", "text/css", "application/sql", "text/x-sql", "text/x-diff", "text/x-tex"),
        tuple(LANGUAGE_OF),
        lazy_read(_READERS, "read_source_text"),
        locate_decoded,
        isolated=True,
    ),
)
