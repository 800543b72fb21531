"""The images that a page of HTML names: their addresses and what the page says in their place."""

import binascii
from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from typing import Final
from urllib.parse import unquote_to_bytes

from selectolax.lexbor import LexborHTMLParser

from muniment.errors import MunimentError
from muniment.sources.images.figures import Figures

_MOST_IMAGES: Final = 20_000
_DATA: Final = "data:image/"


def images_named(text: str) -> Iterator[tuple[str, str | None]]:
    """The address and the alternative text of each image, in order. The text must have passed ``require_bounded``."""
    if "<im" not in text.lower():  # img, and image as SVG in books has it
        return
    tree = LexborHTMLParser(text)
    for node in tree.css("img, image")[:_MOST_IMAGES]:
        attributes = node.attributes
        address = attributes.get("src") or attributes.get("xlink:href") or attributes.get("href")
        if address and "hidden" not in attributes:
            yield address.strip(), attributes.get("alt") or attributes.get("title")


def add_embedded(figures: Figures, text: str) -> None:
    """Adds the images that are in the page itself, as data URLs; others are never fetched."""
    if not figures.wanted or _DATA not in text:
        return
    for number, (address, title) in enumerate(images_named(text), 1):
        if not address.startswith(_DATA):
            continue
        head, _, body = address.partition(",")
        ending = head.removeprefix(_DATA).partition(";")[0].lower().replace("jpeg", "jpg")
        name = f"image-{number}.{ending if ending.isalnum() else 'bin'}"
        figures.add(name, {}, partial(_decoded, head, body), title=title)


def _decoded(head: str, body: str) -> bytes:
    try:
        data = unquote_to_bytes(body)
        return b64decode(data, validate=False) if head.endswith(";base64") else data
    except (binascii.Error, ValueError):
        raise MunimentError("source.damaged", "The image's data URL is broken.") from None
