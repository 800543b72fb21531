"""What a model is shown of an image: upright, bounded, and nothing of what its file says beside the pixels."""

import io
from typing import Any

import pytest
from PIL import ExifTags, Image

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.images.picture import show_image
from muniment.sources.registry import show_source

LIMITS = {"longest_side": 100, "max_image_pixels": 1_000_000}


def made(form: str, size: tuple[int, int] = (400, 200), mode: str = "RGB", colour: Any = "red", **more: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size, colour).save(file, form, **more)
    return file.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize(("form", "media_type"), [("PNG", "image/png"), ("WEBP", "image/png"), ("JPEG", "image/jpeg")])
def test_an_image_is_made_smaller_and_keeps_its_shape(form: str, media_type: str) -> None:
    shown = show_image(made(form), LIMITS)
    assert shown.media_type == media_type and opened(shown.data).size == (100, 50)


def test_a_small_image_stays_as_large_as_it_is() -> None:
    assert opened(show_image(made("PNG", (40, 30)), LIMITS).data).size == (40, 30)


def test_it_is_upright_and_where_it_was_taken_stays_behind() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    exif[ExifTags.Base.ImageDescription] = "the secret place"
    data = show_image(made("JPEG", exif=exif), LIMITS).data
    assert opened(data).size == (50, 100) and b"secret" not in data and not opened(data).getexif()


def test_what_is_transparent_is_white() -> None:
    data = show_image(made("PNG", (8, 8), "RGBA", (0, 0, 0, 0)), LIMITS).data
    assert opened(data).convert("RGB").getpixel((3, 3)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "P", "LA", "I;16", "CMYK"])
def test_every_kind_of_pixel_can_be_shown(mode: str) -> None:
    form = "JPEG" if mode == "CMYK" else "PNG"
    assert opened(show_image(made(form, (80, 80), mode, 0), LIMITS).data).size == (80, 80)


def test_more_pixels_than_may_be_are_named_and_a_broken_image_is_said_so() -> None:
    with pytest.raises(MunimentError) as caught:
        show_image(made("PNG"), LIMITS | {"max_image_pixels": 1000})
    assert caught.value.code == "source.too_complex"
    assert caught.value.facts == {"limit": 1000, "setting": "MUNIMENT_MAX_IMAGE_PIXELS"}
    with pytest.raises(MunimentError, match="broken"):
        show_image(made("PNG")[:60], LIMITS)


def test_it_is_made_in_a_child_under_the_settings() -> None:
    shown = show_source(made("PNG"), "image/png", "a.png", Settings(vision_longest_side=64))
    assert opened(shown.data).size == (64, 32)
    with pytest.raises(MunimentError, match="can be shown"):
        show_source(b"plain words", "text/plain", "a.txt", Settings())
