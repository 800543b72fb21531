"""Secrets that machines hold: 256 random bits, of which only the SHA-256 is stored.

They are as hard to guess as to reverse, so a slow hash would only slow each request. Passwords are another matter:
``muniment.tenancy.passwords``.
"""

import hashlib
import secrets
from typing import Final

_BYTES: Final = 32


def new_secret(prefix: str = "") -> str:
    """A fresh secret in URL-safe characters, behind the prefix."""
    return prefix + secrets.token_urlsafe(_BYTES)


def secret_hash(secret: str) -> bytes:
    """SHA-256, 32 bytes; of any text that a caller may send."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
