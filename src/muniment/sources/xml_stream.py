"""XML read as a stream of events, in memory that does not grow with it. Nothing is resolved: a DTD is refused."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NoReturn
from xml.parsers import expat

from muniment.sources.package import damaged

Start = Callable[[str, Mapping[str, str]], None]


class _DoctypeFound(Exception):
    pass


def parse_xml(
    pieces: Iterable[bytes], *, start: Start, end: Callable[[str], None], text: Callable[[str], None] | None = None
) -> None:
    """Calls ``start``, ``end`` and ``text`` for what the XML in ``pieces`` holds.

    Names come without the prefix that the root has; with it where the root has none.

    Raises ``source.damaged`` where it is not well-formed, and for any document type declaration: with it goes every
    entity, internal or external. No pieces are nothing to read.
    """
    for _ in parsing_xml(pieces, start=start, end=end, text=text):
        pass


def parsing_xml(
    pieces: Iterable[bytes], *, start: Start, end: Callable[[str], None], text: Callable[[str], None] | None = None
) -> Iterator[None]:
    """As ``parse_xml``, but stops after each piece, so that what was found in it can be taken away."""
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def root(name: str, attributes: Mapping[str, str]) -> None:
        """Where the root has no prefix, nor has what belongs to it: calling directly takes half the time."""
        if ":" in name:
            parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
            parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
        else:
            parser.StartElementHandler, parser.EndElementHandler = start, end
        start(name.rpartition(":")[2], attributes)

    parser.StartElementHandler = root
    if text is not None:
        parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse
    any_piece = False
    try:
        for piece in pieces:
            any_piece = True
            parser.Parse(piece, False)
            yield
        if any_piece:
            parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise damaged(f"Its XML is broken: {error}.") from None
    except _DoctypeFound:
        raise damaged("Its XML declares a document type, which no such file needs.") from None
    except (ValueError, LookupError) as error:  # an encoding that expat and Python do not know, among others
        raise damaged(f"Its XML cannot be read: {error}.") from None


def _refuse(*_: object) -> NoReturn:
    raise _DoctypeFound
