"""Figures: the images inside a document, as sources of their own; what only decorates it is left out and counted."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from posixpath import basename
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.text import fold
from muniment.sources.images.opening import MEDIA_TYPES, open_image
from muniment.sources.parsed import Part

MOST_BYTES: Final = 256 * 1024 * 1024
"""Of all images of one document together, as they are kept: they are in memory at once."""

_MOST_PLACES: Final = 20_000
_MAX_TITLE: Final = 300
_ON: Final = ("page", "slide", "item", "cell")  # by what places differ when an image is repeated

Load = Callable[[], bytes]


@dataclass(slots=True)
class _Figure:
    """An image that was found: its key, where it stands first, what gives its bytes, and on which pages it is."""

    key: str
    place: dict[str, Any]
    title: str | None
    load: Load
    on: set[Any] = field(default_factory=set)


@dataclass(slots=True)
class Figures:
    """Gathers the images of one document in their order; the same image counts once, where it stands first.

    Left out, and counted for ``notes``: those with a side shorter than ``figure_least_side`` pixels, those on
    ``figure_repeats`` pages or more, those that are no PNG, JPEG or WebP, and those beyond ``max_figures``.
    """

    settings: Settings
    _found: dict[bytes, _Figure] = field(default_factory=dict)
    _left_out: Counter[str] = field(default_factory=Counter)
    _seen: int = 0

    @property
    def wanted(self) -> bool:
        """Whether images of documents are sources at all."""
        return self.settings.document_images

    def add(
        self, key: str, place: Mapping[str, Any], load: Load, *, title: str | None = None,
        identity: bytes | None = None, size: tuple[int, int] | None = None,
    ) -> bool:  # fmt: skip
        """Adds an image; whether it is a new one. ``key`` is unique in the document, ``title`` what it calls the image.

        ``load`` gives its bytes when they are needed; it may raise a MunimentError, and what is wrong then is an error
        of that image alone. ``identity`` are bytes by which the same image is known again; without them it is loaded.
        With its ``size`` in pixels, where that is known, one that is too small need not be loaded.
        """
        self._seen += 1
        if not self.wanted or self._seen > _MOST_PLACES:
            self._left_out["beyond the limit"] += self.wanted
            return False
        if size is not None and min(size) < self.settings.figure_least_side:
            self._left_out["small"] += 1
            return False
        if identity is None:
            try:
                data = load()
            except MunimentError as error:
                self._found[key.encode(errors="replace")] = _Figure(key, dict(place), title, _raising(error))
                return True
            identity, load = data, lambda: data
        digest = sha256(identity).digest()
        figure = self._found.get(digest)
        is_new = figure is None
        if figure is None:
            figure = self._found[digest] = _Figure(key, dict(place), fold(title or "")[:_MAX_TITLE] or None, load)
        figure.on.add(next((place[name] for name in _ON if name in place), None))
        return is_new

    def parts(self) -> list[Part]:
        """The images that say something. A figure's number counts them from 1."""
        parts: list[Part] = []
        left = MOST_BYTES
        for figure in self._found.values():
            if len(figure.on) >= self.settings.figure_repeats:
                self._left_out["repeated"] += 1
                continue
            if len(parts) >= self.settings.max_figures or left < 0:
                self._left_out["beyond the limit"] += 1
                continue
            part = self._part(figure, len(parts) + 1)
            if part is not None:
                parts.append(part)
                left -= len(part.data)
        self._found.clear()
        return parts

    def _part(self, figure: _Figure, number: int) -> Part | None:
        place = {"figure": number} | figure.place
        name = basename(figure.key)
        try:
            data = figure.load()
            image = open_image(data, self.settings.max_image_pixels)
        except MunimentError as error:
            if error.code == "source.damaged":
                self._left_out["damaged, or of another format"] += 1
                return None
            return Part(figure.key, name, None, b"", error=error, title=figure.title, place=place)
        if min(image.size) < self.settings.figure_least_side:
            self._left_out["small"] += 1
            return None
        return Part(
            figure.key, name, MEDIA_TYPES[str(image.format)], data, title=figure.title, place=place
        )  # fmt: skip

    def notes(self) -> Iterator[str]:
        """What was left out, in a sentence; call it after ``parts``."""
        named = {
            "small": f"shorter than {self.settings.figure_least_side} pixels on a side",
            "repeated": f"on {self.settings.figure_repeats} pages or more",
            "beyond the limit": f"beyond MUNIMENT_MAX_FIGURES ({self.settings.max_figures}) or {MOST_BYTES} bytes",
        }
        told = [f"{count} {named.get(why, why)}" for why, count in sorted(self._left_out.items()) if count]
        if told:
            yield f"Images left out: {', '.join(told)}."


def _raising(error: MunimentError) -> Load:
    def load() -> bytes:
        raise error

    return load
