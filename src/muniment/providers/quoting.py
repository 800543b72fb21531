"""Texts for a prompt, written so that they can pass for nothing but data."""

import json
import re
from types import MappingProxyType

_ESCAPED = MappingProxyType({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_TO_ESCAPE = re.compile("[<>&\u2028\u2029]")


def as_data(value: object) -> str:
    """The value as JSON on one line, in which no angle bracket stands."""
    plain = json.dumps(value, ensure_ascii=False, default=str)
    return _TO_ESCAPE.sub(lambda match: _ESCAPED[match.group()], plain)
