"""Sensitive content is found by its form, and ordinary numbers, times and names of code are not."""

import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.model.policy import CLASSES
from muniment.providers.sensitive import SensitiveFinder


@pytest.fixture(scope="module")
def finder() -> SensitiveFinder:
    return SensitiveFinder(CLASSES)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Write to maya.lopez@example.com.", "Write to [email]."),
        ("To bo@corp.local, li@mail.internal", "To [email], [email]"),
        ("or ana@brightsun.example", "or [email]"),
        ("Call +49 30 901820 or (415) 555-2671.", "Call [phone] or [phone]."),
        ("My card is 4111 1111 1111 1111, ok?", "My card is [payment_card], ok?"),
        ("Pay into DE89 3704 0044 0532 0130 00 please", "Pay into [iban] please"),
        ("It runs on 192.168.1.7 there", "It runs on [ip_address] there"),
        ("The card 00:1B:44:11:3A:B7 answers", "The card [mac_address] answers"),
        ("Send to 1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "Send to [crypto_wallet]"),
        ("SSN 536-90-4399", "SSN [us_ssn]"),
        ("NI number AB 12 34 56 C", "NI number [uk_nino]"),
        ("key AKIAIOSFODNN7EXAMPLE here", "key [secret] here"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "[secret]"),
    ],
)
def test_each_class_is_found_and_masked(finder: SensitiveFinder, text: str, masked: str) -> None:
    assert finder.masked(text)[0] == masked


@pytest.mark.parametrize(
    "text",
    [
        "On 2023-05-17 at 10:30 the ferry took 1,250 people for 12.50 each; see page 300, lines 12:30-14.",
        "A card number with a wrong digit, 4111 1111 1111 1112, is none.",
        "npm install left-pad@1.3.rc lodash@4.17.21, pinned @ 2.0.x",
        "@maya said so, and std::vector<int> is a type of version 3.11.7.",
        "[email] and [payment_card] were masked before.",
    ],
)
def test_ordinary_text_is_left_alone(finder: SensitiveFinder, text: str) -> None:
    assert finder.find(text) == []


def test_nothing_is_fetched_to_tell_a_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert SensitiveFinder(["email"]).masked("a.b@example.org")[0] == "[email]"


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from(["maya@example.com", "4111111111111111", "192.168.1.7", "tea", "ü", "\n", "-"])))
def test_what_was_masked_holds_nothing_more_to_mask(finder: SensitiveFinder, words: list[str]) -> None:
    shown, found = finder.masked(" ".join(words))
    assert finder.find(shown) == []
    assert all(each.start < each.end for each in found)
