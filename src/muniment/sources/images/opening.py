"""Opening an image: its size is known and bounded before any pixel is unpacked."""

import io
import warnings
from typing import Final

from PIL import Image, UnidentifiedImageError

from muniment.errors import MunimentError

BROKEN: Final = (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, IndexError)
"""What Pillow raises for bytes that are no image, or a broken one."""

MEDIA_TYPES: Final = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
"""The media types of the formats that are opened, by their names in Pillow."""


def open_image(data: bytes, most: int) -> Image.Image:
    """The image, its pixels not yet unpacked.

    Raises ``source.damaged``, and ``source.too_complex`` (facts ``limit``, ``setting``) for more than ``most`` pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit of pixels counts
            image = Image.open(io.BytesIO(data), formats=tuple(MEDIA_TYPES))
    except Image.DecompressionBombError:
        raise too_many_pixels(most) from None
    except BROKEN:
        raise MunimentError("source.damaged", "The image is broken, or none.") from None
    if image.width * image.height > most:
        raise too_many_pixels(most)
    return image


def too_many_pixels(most: int) -> MunimentError:
    """The error of an image with more pixels than it may have."""
    return MunimentError(
        "source.too_complex", f"The image has more than {most} pixels.", limit=most, setting="MUNIMENT_MAX_IMAGE_PIXELS"
    )
