"""Signed checkpoints as text: the formats tlog-checkpoint and signed-note of C2SP, with Ed25519.

A checkpoint names a log (its origin), the number of its leaves and the root over them. Whoever keeps one outside
can show later that the log still begins with just those leaves. Standard tools for these formats read ours.
"""

import base64
import binascii
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from muniment.errors import MunimentError

_ED25519: Final = b"\x01"
_NOTE: Final = re.compile(r"(?:[^\n—][^\n]*\n){3,}\n(?:— [^\n]+\n)+")
_SIGNATURE: Final = re.compile(r"^— (?P<name>[^ \n+]+) (?P<signature>[A-Za-z0-9+/=]+)$", re.MULTILINE)
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log's origin, its number of leaves, and the root over them (32 bytes)."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A log's name with its public key: what one must know to trust its checkpoints."""

    name: str
    public: Ed25519PublicKey

    @property
    def identity(self) -> bytes:
        """The four bytes that a signature line carries to say which key made it."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public.public_bytes_raw()).digest()[:4]

    def __str__(self) -> str:
        """The encoding of signed-note: name, identity and key."""
        key = base64.b64encode(_ED25519 + self.public.public_bytes_raw()).decode()
        return f"{self.name}+{self.identity.hex()}+{key}"


def parse_verifier_key(text: str) -> VerifierKey:
    """The key of its encoding. Raises ``checkpoint.invalid``."""
    try:
        name, identity, encoded = text.strip().split("+", 2)
        decoded = base64.b64decode(encoded, validate=True)
        key = VerifierKey(name, Ed25519PublicKey.from_public_bytes(decoded[1:]))
    except ValueError as error:
        raise MunimentError("checkpoint.invalid", "this is not the public key of a log") from error
    if decoded[:1] != _ED25519 or key.identity.hex() != identity:
        raise MunimentError("checkpoint.invalid", "this is not the public key of a log")
    return key


def sign(checkpoint: Checkpoint, private: Ed25519PrivateKey) -> str:
    """The signed note, by the key that goes under the log's own name."""
    key = VerifierKey(checkpoint.origin, private.public_key())
    text = checkpoint.text()
    signature = base64.b64encode(key.identity + private.sign(text.encode())).decode()
    return f"{text}\n— {key.name} {signature}\n"


def notes_in(text: str) -> list[str]:
    """The whole notes in a text that holds any number of them."""
    return [found.group() for found in _NOTE.finditer(text.replace("\r\n", "\n").rstrip("\n") + "\n")]


def verify_checkpoint(note: str, key: VerifierKey) -> Checkpoint:
    """The checkpoint that this key signed; signatures of others are passed over. Raises ``checkpoint.invalid``."""
    text, blank, signatures = note.rpartition("\n\n")
    text += "\n"
    if not blank:
        raise MunimentError("checkpoint.invalid", "this is not a signed note")
    for found in _SIGNATURE.finditer(signatures):
        try:
            decoded = base64.b64decode(found["signature"], validate=True)
        except binascii.Error:
            continue
        if found["name"] != key.name or decoded[:4] != key.identity:
            continue
        try:
            key.public.verify(decoded[4:], text.encode())
        except InvalidSignature as error:
            raise MunimentError("checkpoint.invalid", "the signature of the checkpoint is wrong") from error
        return _parse(text, key.name)
    raise MunimentError("checkpoint.invalid", "the checkpoint is not signed by the key of this log")


def _parse(text: str, origin: str) -> Checkpoint:
    name, size, encoded, *_ = text.split("\n")
    if name != origin:
        raise MunimentError("checkpoint.invalid", "the checkpoint is of another log")
    try:
        root = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        root = b""
    if not _SIZE.fullmatch(size) or len(root) != 32:
        raise MunimentError("checkpoint.invalid", "the checkpoint names no tree")
    return Checkpoint(origin, int(size), root)
