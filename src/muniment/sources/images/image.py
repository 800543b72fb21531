"""An image: a chunk for each paragraph that can be read on it, else one that says what it is."""

import io
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from PIL import ExifTags, Image

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.images.opening import BROKEN, MEDIA_TYPES, open_image
from muniment.sources.images.reading import Unreadable, visible_text
from muniment.sources.parsed import Chunk, Origin, Parsed


def read_image(data: bytes, origin: Origin) -> Parsed:
    """What tesseract reads on it where the system has it, by paragraphs with their boxes in pixels; else its format,
    size and when it was taken, with a note that nothing could read it.

    Raises ``source.damaged``, and ``source.too_complex`` for more than ``max_image_pixels``.
    """
    image = open_image(data, origin.settings.max_image_pixels)
    taken, zoned = _taken(image)
    metadata: dict[str, str | int] = {
        "image_format": str(image.format), "image_width": image.width, "image_height": image.height,
    }  # fmt: skip
    if taken is not None and not zoned:
        metadata["local_time"] = taken.isoformat()
    fields = origin.fields() | ({"title": origin.title} if origin.title else {})
    if origin.filename:
        fields["filename"] = origin.filename
    notes, chunks = [], []
    try:
        paragraphs = visible_text(_pixels(image))
    except Unreadable as why:
        paragraphs = []
        notes.append(f"No text was read on the image: {why}")
    else:
        notes.append("The text was read by tesseract.")
    for number, (box, text) in enumerate(paragraphs):
        place = origin.place() | {"box": list(box), "chunk": number}
        chunks.append(Chunk(text, place, fields | {"visible_text": text[:400]}))
    if not chunks:
        place = origin.place() | {"box": [0, 0, image.width, image.height], "describes": "image", "chunk": 0}
        chunks.append(Chunk(_description(image), place, fields))
    at = taken if zoned else None
    return Parsed(
        "image",
        MEDIA_TYPES[str(image.format)],
        origin.title,
        origin.language,
        chunks,
        notes=notes,
        at=at,
        metadata=metadata,
    )


def locate_image(data: bytes, locator: Mapping[str, Any]) -> str:
    """What is read in the box that a locator names, or what the image is; what a model said of it is not in it."""
    image = open_image(data, Settings().max_image_pixels)
    if "describes" in locator:
        if locator["describes"] != "image":
            raise MunimentError("source.unreadable", "A model describes the image in these words, which it has not.")
        return _description(image)
    try:
        found = {tuple(box): text for box, text in visible_text(_pixels(image))}
        return found[tuple(locator["box"])]
    except (Unreadable, KeyError):
        raise MunimentError("source.unreadable", "Nothing is read in this box.") from None


def _pixels(image: Image.Image) -> bytes:
    """The image as a PNG in grey, upright as its EXIF says. Raises ``source.damaged``."""
    from PIL import ImageOps

    try:
        grey = ImageOps.exif_transpose(image).convert("L")
    except BROKEN:
        raise MunimentError("source.damaged", "The image is broken.") from None
    plain = io.BytesIO()
    grey.save(plain, "PNG", compress_level=1)
    return plain.getvalue()


def _taken(image: Image.Image) -> tuple[datetime | None, bool]:
    """When the picture was taken as its EXIF says, and whether that has a zone."""
    try:
        exif = image.getexif().get_ifd(ExifTags.IFD.Exif)
        at = datetime.strptime(str(exif.get(ExifTags.Base.DateTimeOriginal, "")).strip("\x00 "), "%Y:%m:%d %H:%M:%S")
    except BROKEN:
        return None, False
    offset = str(exif.get(ExifTags.Base.OffsetTimeOriginal, "")).strip("\x00 ")
    try:
        return datetime.fromisoformat(at.isoformat() + offset), bool(offset)
    except ValueError:
        return at, False


def _description(image: Image.Image) -> str:
    taken, _ = _taken(image)
    when = f", taken {taken.isoformat(sep=' ')}" if taken else ""
    return f"{image.format} image, {image.width} x {image.height} pixels{when}"
