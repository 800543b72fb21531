"""Passwords of people: Argon2id with the parameters that argon2-cffi recommends (RFC 9106, low memory)."""

import asyncio
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from muniment.errors import MunimentError

SHORTEST: Final = 12
LONGEST: Final = 1024

_hasher = PasswordHasher()
_AT_ONCE: Final = 2  # each takes 64 MiB and a core
_slots = asyncio.Semaphore(_AT_ONCE)


@cache
def _nobodys() -> str:
    return _hasher.hash("a password that nobody has")


async def hash_password(password: str) -> str:
    """The hash with its parameters; raises ``input.invalid`` for one that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        told = f"a password has {SHORTEST} to {LONGEST} characters"
        raise MunimentError("input.invalid", told, field="password")
    async with _slots:
        return await asyncio.to_thread(_hasher.hash, password)


async def check_password(stored: str | None, password: str) -> bool:
    """Whether it is the password of this hash. Takes as long where there is none, so that nobody learns who has one."""
    async with _slots:
        nobodys = await asyncio.to_thread(_nobodys)  # whoever is asked about: it takes its time once
        right = await asyncio.to_thread(_right, stored or nobodys, password[: LONGEST + 1])
    return right and stored is not None


def outdated(stored: str) -> bool:
    """Whether the hash was made with weaker parameters than these."""
    return _hasher.check_needs_rehash(stored)


def _right(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False
