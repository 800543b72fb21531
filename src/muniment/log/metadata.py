"""Metadata of records: what may stand in it, and as what it is found."""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from muniment.errors import MunimentError
from muniment.model.namespace import Name
from muniment.model.source import MetadataValue
from muniment.settings import Settings

_NAME: Final[TypeAdapter[str]] = TypeAdapter(Name)
_MAX_INTEGER: Final = 2**63


def admit_metadata(metadata: Mapping[str, Any], settings: Settings) -> dict[str, MetadataValue]:
    """Flat metadata: strings, whole numbers of 64 bits, finite numbers, booleans. Else ``input.metadata_invalid``."""
    if len(metadata) > settings.max_metadata_keys:
        raise _metadata_limit(
            f"there are {len(metadata)} metadata keys", settings.max_metadata_keys, "MUNIMENT_MAX_METADATA_KEYS"
        )
    total = 0
    for key, value in metadata.items():
        try:
            _NAME.validate_python(key)
        except ValidationError:
            raise MunimentError(
                "input.metadata_invalid", "a metadata key must have 1 to 256 characters and no control characters"
            ) from None
        size = len(_metadata_text(key, value).encode())
        if size > settings.max_metadata_value_bytes:
            raise _metadata_limit(
                f"the metadata value of {key!r} has {size} bytes",
                settings.max_metadata_value_bytes,
                "MUNIMENT_MAX_METADATA_VALUE_BYTES",
            )
        total += len(key.encode()) + size
    if total > settings.max_metadata_bytes:
        raise _metadata_limit(
            f"the metadata have {total} bytes", settings.max_metadata_bytes, "MUNIMENT_MAX_METADATA_BYTES"
        )
    return dict(metadata)


def metadata_text(value: MetadataValue) -> str:
    """The form in which a value is filtered by: a string as it is, anything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value)


def _metadata_text(key: str, value: Any) -> str:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise MunimentError(
                "input.metadata_invalid", f"the metadata value of {key!r} holds half of a surrogate pair", key=key
            ) from None
        if "\x00" in value:
            raise MunimentError("input.metadata_invalid", f"the metadata value of {key!r} holds a NUL byte", key=key)
    elif isinstance(value, int):
        if abs(value) >= _MAX_INTEGER:
            raise MunimentError("input.metadata_invalid", f"the metadata value of {key!r} is over 64 bits", key=key)
    elif not isinstance(value, float) or not math.isfinite(value):
        raise MunimentError(
            "input.metadata_invalid",
            f"the metadata value of {key!r} must be text, a finite number or a boolean",
            key=key,
        )
    return metadata_text(value)


def _metadata_limit(detail: str, limit: int, setting: str) -> MunimentError:
    return MunimentError("input.metadata_invalid", f"{detail}, the limit is {limit}", limit=limit, setting=setting)
