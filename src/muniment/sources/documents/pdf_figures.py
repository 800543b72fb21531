"""The images on the pages of a PDF: as the JPEG that the file holds, else as PNG made of their pixels."""

import ctypes
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.blocks import Box
from muniment.sources.documents.pdf_objects import look_at
from muniment.sources.images.figures import MOST_BYTES, Figures
from muniment.sources.images.opening import too_many_pixels
from muniment.sources.parsed import Part

_MOST_ON_A_PAGE: Final = 200
_BYTES_A_PIXEL: Final = 32  # of memory that unpacking takes, at most: PDFium's pixels, Pillow's, and the PNG's
_JPEG: Final = "DCTDecode"


@dataclass(slots=True)
class PdfFigures:
    """Gathers images page by page; pixels are unpacked only at the end, and only of what is kept."""

    settings: Settings
    _figures: Figures = field(init=False)
    _document: pdfium.PdfDocument | None = None
    _open: tuple[int, pdfium.PdfPage, list[Any]] | None = None
    _bytes: int = 0
    _unread: int = 0

    def __post_init__(self) -> None:
        self._figures = Figures(self.settings)

    def add_page(self, index: int, pictures: Sequence[tuple[Any, Box | None]]) -> None:
        """Adds the images of a page that is open, by its index from 0."""
        if not self._figures.wanted:
            return
        self._unread += max(0, len(pictures) - _MOST_ON_A_PAGE)
        for number, (item, box) in enumerate(pictures[:_MOST_ON_A_PAGE], 1):
            size = _bytes_of(item)
            if not size or self._bytes + size > MOST_BYTES:
                self._unread += 1
                continue
            data = _data(item, size)
            place: dict[str, Any] = {"page": index + 1}
            if box is not None:
                place["figure_box"] = [round(edge, 1) for edge in box]
            known: dict[str, Any] = {"identity": data, "size": _size(item)}
            name = f"page-{index + 1}-{number}"
            if data.startswith(b"\xff\xd8\xff") and _filters(item) == [_JPEG]:
                is_new = self._figures.add(f"{name}.jpg", place, partial(bytes, data), **known)
            else:
                is_new = self._figures.add(f"{name}.png", place, partial(self._unpacked, index, number), **known)
            self._bytes += size if is_new else 0

    def parts(self, document: pdfium.PdfDocument) -> list[Part]:
        """The images that say something."""
        self._document = document
        try:
            return self._figures.parts()
        finally:
            self._close()

    def notes(self) -> Iterator[str]:
        """What was left out; call it after ``parts``."""
        yield from self._figures.notes()
        if self._unread:
            yield f"{self._unread} images were not taken out: they are empty, or too many."

    def _unpacked(self, index: int, number: int) -> bytes:
        """The image on a page by its number from 1, as PNG. Raises ``source.*``."""
        made = io.BytesIO()
        try:
            page, items = self._page(index)
            image = pdfium.PdfObject(items[number - 1], page=page)
            if not isinstance(image, pdfium.PdfImage):
                raise MunimentError("source.damaged", "It is no image.")
            self._require_few_pixels(*image.get_px_size())
            image.get_bitmap().to_pil().save(made, "PNG", compress_level=1)
        except (pdfium.PdfiumError, IndexError, ValueError, OSError):
            raise MunimentError("source.damaged", "The image is broken.") from None
        except MemoryError:
            raise too_many_pixels(self._most_pixels) from None
        return made.getvalue()

    def _page(self, index: int) -> tuple[pdfium.PdfPage, list[Any]]:
        """A page and its image objects; it stays open, since the next image is likely on it too."""
        if self._open is None or self._open[0] != index:
            self._close()
            assert self._document is not None
            page = self._document[index]
            self._open = index, page, [item for item, _ in look_at(page).pictures]
        return self._open[1:]

    def _close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None

    @property
    def _most_pixels(self) -> int:
        return min(self.settings.max_image_pixels, self.settings.parse_memory // _BYTES_A_PIXEL)

    def _require_few_pixels(self, width: int, height: int) -> None:
        if width * height > self._most_pixels:
            raise too_many_pixels(self._most_pixels)


def _bytes_of(item: Any) -> int:
    return int(raw.FPDFImageObj_GetImageDataRaw(item, None, 0))


def _data(item: Any, size: int) -> bytes:
    buffer = (ctypes.c_ubyte * size)()
    raw.FPDFImageObj_GetImageDataRaw(item, buffer, size)
    return bytes(buffer)


def _size(item: Any) -> tuple[int, int] | None:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    if not raw.FPDFImageObj_GetImagePixelSize(item, width, height):
        return None
    return width.value, height.value


def _filters(item: Any) -> list[str]:
    """The names of the filters of an image's data, outermost first."""
    names = []
    for index in range(min(raw.FPDFImageObj_GetImageFilterCount(item), 8)):
        length = raw.FPDFImageObj_GetImageFilter(item, index, None, 0)
        buffer = ctypes.create_string_buffer(min(length, 256))
        raw.FPDFImageObj_GetImageFilter(item, index, buffer, len(buffer))
        names.append(buffer.value.decode("ascii", "replace"))
    return names
