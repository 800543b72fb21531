"""The pictures of a notebook: what its cells gave as output, and what is attached to their text."""

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.sources.images.figures import Figures

_ENDINGS: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}
_OLD: Final = {"png": "image/png", "jpeg": "image/jpeg"}  # members of an output in nbformat 3


def add_images(figures: Figures, cells: Sequence[Mapping[str, Any]]) -> None:
    """Adds the pictures of each cell, with the ``cell`` and the ``output`` that they are in."""
    if not figures.wanted:
        return
    for number, cell in enumerate(cells):
        attachments = cell.get("attachments")
        for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
            for media_type, body in _pictures(bundle):
                key = f"cell-{number}-attached.{_ENDINGS[media_type]}"
                figures.add(key, {"cell": number}, partial(_decoded, body), title=str(name))
        outputs = cell.get("outputs")
        for output, shown in enumerate(outputs if isinstance(outputs, list) else ()):
            bundle = shown.get("data", shown) if isinstance(shown, dict) else None
            for media_type, body in _pictures(bundle):
                key = f"cell-{number}-output-{output}.{_ENDINGS[media_type]}"
                figures.add(key, {"cell": number, "output": output}, partial(_decoded, body))


def _pictures(bundle: Any) -> Iterator[tuple[str, str]]:
    """The first picture of the forms in which a value is given."""
    for name, body in bundle.items() if isinstance(bundle, dict) else ():
        media_type = _OLD.get(name, name)
        body = "".join(part for part in body if isinstance(part, str)) if isinstance(body, list) else body
        if media_type in _ENDINGS and isinstance(body, str):
            yield media_type, body
            return


def _decoded(body: str) -> bytes:
    try:
        return b64decode(body.encode("ascii", "ignore"))
    except (binascii.Error, ValueError):
        raise MunimentError("source.damaged", "The picture is no base64.") from None
