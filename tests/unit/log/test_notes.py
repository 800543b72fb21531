"""Signed notes: the formats of C2SP, to the byte, and nothing else passes."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.log.notes import Checkpoint, VerifierKey, notes_in, parse_verifier_key, sign, verify_checkpoint

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
CHECKPOINT = Checkpoint("muniment/t_0191e4a100007000800000000000abcd", 20852163, bytes(range(32)))
KEY = VerifierKey(CHECKPOINT.origin, PRIVATE.public_key())
NOTE = sign(CHECKPOINT, PRIVATE)


def test_the_text_is_origin_size_and_root_each_on_a_line() -> None:
    text, signature = NOTE.split("\n\n")
    assert text == (
        "muniment/t_0191e4a100007000800000000000abcd\n20852163\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    )
    assert signature.startswith(f"— {CHECKPOINT.origin} ") and signature.endswith("\n")
    decoded = base64.b64decode(signature.split(" ")[2])
    assert decoded[:4] == KEY.identity and len(decoded) == 68
    PRIVATE.public_key().verify(decoded[4:], (text + "\n").encode())


def test_the_verifier_key_is_that_of_the_specification() -> None:
    # the example of golang.org/x/mod/sumdb/note
    known = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    raw = base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    assert str(VerifierKey("PeterNeumann", Ed25519PublicKey.from_public_bytes(raw[1:]))) == known
    assert str(parse_verifier_key(known)) == known
    assert parse_verifier_key(str(KEY)).identity == KEY.identity


@pytest.mark.parametrize(
    "text", ["", "a+b", "a+c74f20a3+!!", "a+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]
)
def test_what_is_no_verifier_key_is_refused(text: str) -> None:
    with pytest.raises(MunimentError, match="public key"):
        parse_verifier_key(text)


def test_a_checkpoint_comes_back_as_it_was_signed_also_beside_the_signatures_of_others() -> None:
    assert verify_checkpoint(NOTE, KEY) == CHECKPOINT
    witness = "— witness.example " + base64.b64encode(b"w" * 68).decode() + "\n"
    assert verify_checkpoint(NOTE + witness, KEY) == CHECKPOINT


@settings(deadline=None, max_examples=100)
@given(st.integers(0, len(NOTE) - 1), st.integers(1, 127))
def test_no_byte_of_a_note_can_be_changed(place: int, change: int) -> None:
    if ord(NOTE[place]) > 127:
        return
    changed = NOTE[:place] + chr(ord(NOTE[place]) ^ change) + NOTE[place + 1 :]
    try:
        assert (
            verify_checkpoint(changed, KEY) == CHECKPOINT
        )  # a change beside what was signed, as a line that is not read
    except MunimentError as error:
        assert error.code == "checkpoint.invalid"


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        NOTE.split("\n\n")[0] + "\n",
        sign(CHECKPOINT, Ed25519PrivateKey.generate()),
        sign(Checkpoint("muniment/other", 1, bytes(32)), PRIVATE),
        sign(Checkpoint(CHECKPOINT.origin, 1, bytes(31)), PRIVATE),
        sign(Checkpoint(CHECKPOINT.origin, -1, bytes(32)), PRIVATE),
    ],
)
def test_what_is_not_a_checkpoint_of_this_log_is_refused(note: str) -> None:
    with pytest.raises(MunimentError) as raised:
        verify_checkpoint(note, KEY)
    assert raised.value.code == "checkpoint.invalid"


def test_a_history_gives_its_notes_also_with_windows_line_ends_and_a_torn_write_between() -> None:
    later = sign(Checkpoint(CHECKPOINT.origin, 20852164, bytes(32)), PRIVATE)
    assert notes_in(f"{NOTE}\n{later}\n") == [NOTE, later]
    assert notes_in(f"{NOTE}\n{later}".replace("\n", "\r\n").rstrip()) == [NOTE, later]
    assert notes_in(f"{NOTE}\nmuniment/t_0191\n2085\n\n{later}\n") == [NOTE, later]
    assert notes_in("") == []
