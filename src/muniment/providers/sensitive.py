"""Finding sensitive content by its form: the recognizers of presidio-analyzer, behind one small interface.

presidio is an extra (``muniment[policy]``): it brings spaCy, of which nothing is used here, and some 280 MB. No model
is loaded, and nothing is fetched: addresses are checked against the list of domains that the library brings.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from muniment.errors import MunimentError
from muniment.model.policy import CLASSES, SensitiveClass
from muniment.providers.plain_form import plain_form

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

_LEAST_SCORE: Final = 0.4  # below, presidio wants words beside it before it believes its pattern
_PHONE_DIGITS: Final = 7
_LENIENCY: Final = 1  # of phonenumbers: a number that can have been given to somebody
_REGIONS: Final = ("US", "GB", "DE", "FR", "ES", "IT")  # whose numbers need no country code
_SECRETS: Final = {
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]{1,8000}?-----END [A-Z ]*PRIVATE KEY-----)?",
    "AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b",
    "Slack token": r"\bxox[abeprs]-[A-Za-z0-9-]{10,250}",
    "secret key": r"\b(?:sk|rk)[-_](?:live_|test_|proj-|ant-)?[A-Za-z0-9_-]{20,250}",
    "Google API key": r"\bAIza[0-9A-Za-z_-]{35}",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}",
}
_loading = Lock()
_made: dict[frozenset[SensitiveClass], "SensitiveFinder"] = {}


class Finding(NamedTuple):
    """Characters ``[start, end)`` of a text that are of a class."""

    start: int
    end: int
    sensitive: SensitiveClass


class SensitiveFinder:
    """Finds content of some classes. Makes its recognizers once a process: about a second, so call it in a thread."""

    def __init__(self, classes: Iterable[SensitiveClass]) -> None:
        """Raises ``policy.detector_missing`` where the extra is not installed."""
        chosen = frozenset(classes)
        with _loading:
            self._recognizers = [(name, _recognizer(name)) for name in CLASSES if name in chosen]

    def find(self, text: str) -> list[Finding]:
        """What is found, in order; what overlaps is told once, by the longest.

        It is looked for as a reader sees the text: full-width digits are digits, and what has no width parts nothing.
        """
        plain, places = plain_form(text)
        found = [
            Finding(places[result.start], places[result.end - 1] + 1, name)
            for name, recognizer in self._recognizers
            if _worth_looking(name, plain)
            for result in recognizer.analyze(plain, recognizer.supported_entities, None)  # type: ignore[arg-type]
            if result.score >= _LEAST_SCORE
        ]
        kept: list[Finding] = []
        for each in sorted(found, key=lambda one: (one.start - one.end, one.start)):
            if all(each.end <= other.start or other.end <= each.start for other in kept):
                kept.append(each)
        return sorted(kept)

    def masked(self, text: str) -> tuple[str, list[Finding]]:
        """The text with ``[class]`` in place of each, and what that was, by its place in the text as it came."""
        found = self.find(text)
        return replaced(text, found), found


async def load_finder(classes: Iterable[SensitiveClass]) -> SensitiveFinder:
    """The finder of these classes, without holding up the event loop; raises ``policy.detector_missing``."""
    chosen = frozenset(classes)
    known = _made.get(chosen)
    return await asyncio.to_thread(_make, chosen) if known is None else known


def _make(classes: frozenset[SensitiveClass]) -> SensitiveFinder:
    return _made.setdefault(classes, SensitiveFinder(classes))


def replaced(text: str, found: Sequence[Finding]) -> str:
    """The text with the name of its class in place of each finding."""
    parts, end = [], 0
    for each in found:
        parts += [text[end : each.start], f"[{each.sensitive}]"]
        end = each.end
    return "".join([*parts, text[end:]])


def _worth_looking(name: SensitiveClass, text: str) -> bool:
    """A cheap look before a costly one."""
    if name == "email":
        return "@" in text
    if name == "phone":
        return sum(map(str.isdigit, text)) >= _PHONE_DIGITS
    if name in ("payment_card", "us_ssn"):
        return any(map(str.isdigit, text))
    return True


@cache
def _recognizer(name: SensitiveClass) -> "EntityRecognizer":
    try:
        import presidio_analyzer.predefined_recognizers as known
        from presidio_analyzer import Pattern, PatternRecognizer
    except ImportError as error:
        raise MunimentError(
            "policy.detector_missing", "finding sensitive content needs: pip install 'muniment[policy]'", extra="policy"
        ) from error
    if name == "email":
        return _email_recognizer(known)
    if name == "phone":
        return known.PhoneRecognizer(leniency=_LENIENCY, supported_regions=_REGIONS)
    if name == "secret":
        patterns = [Pattern(what, form, 0.9) for what, form in _SECRETS.items()]
        return PatternRecognizer("SECRET", name="secrets", patterns=patterns, global_regex_flags=re.MULTILINE)
    made: dict[SensitiveClass, Any] = {
        "payment_card": known.CreditCardRecognizer,
        "iban": known.IbanRecognizer,
        "ip_address": known.IpRecognizer,
        "mac_address": known.MacAddressRecognizer,
        "crypto_wallet": known.CryptoRecognizer,
        "us_ssn": known.UsSsnRecognizer,
        "uk_nino": known.UkNinoRecognizer,
    }
    recognizer: EntityRecognizer = made[name]()
    return recognizer


def _email_recognizer(known: Any) -> "EntityRecognizer":
    import tldextract

    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)  # the default fetches a list from the network

    class Emails(known.EmailRecognizer):  # type: ignore[misc]
        def validate_result(self, pattern_text: str) -> bool:
            return extract(pattern_text).fqdn != "" or _of_a_host(pattern_text)

    recognizer: EntityRecognizer = Emails()
    return recognizer


def _of_a_host(address: str) -> bool:
    """Whether an address is that of a host that no public suffix knows (ann@mail.corp, bo@srv.local): labels with a
    letter, the last of letters alone, as versions (left-pad@1.3.rc) do not have them."""
    labels = address.rpartition("@")[2].split(".")
    return labels[-1].isalpha() and len(labels[-1]) > 1 and all(any(map(str.isalpha, label)) for label in labels)
