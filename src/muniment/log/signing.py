"""The key that signs checkpoints: an Ed25519 key in a file of the data directory, made at the first use."""

import os
import secrets
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from muniment.errors import MunimentError
from muniment.settings import Settings


def key_file(settings: Settings) -> Path:
    """Where the key lies: PEM, PKCS #8, not encrypted."""
    return settings.signing_key_file or settings.store_dir / "signing.key"


def signing_key(settings: Settings) -> Ed25519PrivateKey:
    """The key, made where there is none. Several processes agree on one. Raises ``signing.key_unusable``."""
    path = key_file(settings)
    try:
        if not path.exists():
            _make(path)
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise MunimentError("signing.key_unusable", f"cannot use the signing key {path}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise MunimentError("signing.key_unusable", f"the signing key {path} is not an Ed25519 key")
    return key


def _make(path: Path) -> None:
    """Writes a new key whole, or leaves the one that another process was first to write."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(file, "wb") as opened:
            opened.write(pem)
            opened.flush()
            os.fsync(file)
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
