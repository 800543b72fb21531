"""Public ids: a UUIDv7 behind a prefix that says what it names, e.g. ``d_0191e4a1…`` for a record."""

from typing import Final
from uuid import UUID

import uuid_utils.compat

RECORD: Final = "d_"
QUERY: Final = "q_"
SOURCE: Final = "s_"
RUN: Final = "r_"
CLAIM: Final = "c_"
DECISION: Final = "x_"
KEY: Final = "k_"
JOB: Final = "j_"
ERASURE: Final = "e_"
TENANT: Final = "t_"
SUMMARY: Final = "m_"
CLIENT: Final = "o_"
MEMBER: Final = "u_"
ISSUER: Final = "i_"


def new_id() -> UUID:
    """A fresh UUIDv7: in the order of creation, to the millisecond."""
    return uuid_utils.compat.uuid7()


def public_id(prefix: str, value: UUID) -> str:
    """The public form: the prefix and 32 hexadecimal digits."""
    return prefix + value.hex


def parse_id(prefix: str, text: str) -> UUID | None:
    """The UUID of a public id, or None where the text is none of this kind."""
    digits = text.removeprefix(prefix)
    if digits == text or len(digits) != 32:
        return None
    try:
        return UUID(hex=digits)
    except ValueError:
        return None
