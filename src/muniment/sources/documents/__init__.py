"""Documents: formats with pages, slides, sections and paragraphs."""

from muniment.sources.format import Format, Sniff, lazy_locate, lazy_read
from muniment.sources.package_names import declares, has_member

_ROOM = "muniment.sources.documents"


def _document(
    name: str, media_types: tuple[str, ...], extensions: tuple[str, ...], sniff: Sniff | None = None,
    signature: bytes | None = None,
) -> Format:  # fmt: skip
    """A format of this room, read in isolation by the module of its name."""
    return Format(
        name,
        media_types,
        extensions,
        lazy_read(f"{_ROOM}.{name}", f"read_{name}"),
        lazy_locate(f"{_ROOM}.{name}", f"locate_{name}"),
        isolated=True,
        sniff=sniff,
        signature=signature,
    )


_RTF = b"{\\rtf"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"

FORMATS: tuple[Format, ...] = (
    _document("pdf", ("application/pdf",), (".pdf",), lambda data: b"%PDF-" in data[:1024], b"%PDF-"),
    _document(
        "docx",
        (f"{_WORD}.document", f"{_WORD}.template", "application/vnd.ms-word.document.macroenabled.12"),
        (".docx", ".docm", ".dotx"),
        lambda data: has_member(data, b"word/document.xml"),
    ),
    _document("html", ("text/html", "application/xhtml+xml"), (".html", ".htm", ".xhtml")),
    _document(
        "pptx",
        (
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
            "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        ),
        (".pptx", ".ppsx", ".pptm"),
        lambda data: has_member(data, b"ppt/presentation.xml"),
    ),
    _document("epub", ("application/epub+zip",), (".epub",), lambda data: declares(data, b"application/epub+zip")),
    _document("rst", ("text/x-rst", "text/prs.fallenstein.rst"), (".rst", ".rest")),
    _document("rtf", ("application/rtf", "text/rtf"), (".rtf",), lambda data: data.startswith(_RTF), _RTF),
)
