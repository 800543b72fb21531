"""An image as a model is shown it: upright, no larger than it need be, and without what its file says beside it."""

import io
from collections.abc import Mapping
from typing import Any, Final

from PIL import Image, ImageOps

from muniment.errors import MunimentError
from muniment.sources.images.opening import BROKEN, open_image
from muniment.sources.parsed import Part

_LARGEST_PNG: Final = 2 * 1024 * 1024  # beyond, it is a photograph and goes as JPEG
_QUALITY: Final = 88


def show_image(data: bytes, limits: Mapping[str, Any]) -> Part:
    """The image as PNG, as JPEG where it is one or would be large, with no side longer than ``longest_side``.

    What is transparent is white. EXIF and other words of the file are left behind. Raises as ``open_image``.
    """
    longest: int = limits["longest_side"]
    image = open_image(data, limits["max_image_pixels"])
    as_jpeg = image.format == "JPEG"
    try:
        image.draft("RGB", (longest, longest))  # a JPEG that is much larger is unpacked smaller at once
        shown = _on_white(ImageOps.exif_transpose(image))
        shown.thumbnail((longest, longest))
    except BROKEN:
        raise MunimentError("source.damaged", "The image is broken.") from None
    if not as_jpeg:
        made = _saved(shown, "PNG")
        if len(made) <= _LARGEST_PNG:
            return Part("picture", None, "image/png", made)
    return Part("picture", None, "image/jpeg", _saved(shown, "JPEG"))


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode in ("RGB", "L"):
        return image.copy()
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        seen = image.convert("RGBA")
        white = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(white, seen).convert("RGB")
    return image.convert("RGB")


def _saved(image: Image.Image, form: str) -> bytes:
    plain = Image.new(image.mode, image.size)
    plain.paste(image)  # a new image has none of the words that the file came with
    made = io.BytesIO()
    plain.save(made, form, quality=_QUALITY, optimize=False)
    return made.getvalue()
