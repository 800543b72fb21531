"""Telling identifiers from words by their shape: addresses, hosts, paths, symbols, codes, versions."""

import re

MAX_LENGTH = 200

_EMAIL = re.compile(r"[\w.%+-]+@[\w-]+(?:\.[\w-]+)+")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+|localhost")
_SNAKE = re.compile(r"_*[^\W\d_]\w*_\w*[^\W_]_*(?:\(\))?")
_CAMEL = re.compile(r"[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*|[A-Z][A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*")
_CODE = re.compile(r"[A-Z]{2,}[A-Z0-9]*(?:-\d+)+|[A-Z]{2,}\d+|[A-Z]\d{3,}|[A-Z]{2,}(?:-[A-Z0-9]+)*-\d[A-Z0-9]*")
_VERSION = re.compile(r"v\d+(?:\.\d+)+(?:[-+.][\w.]+)?|\d+\.\d+\.\d+(?:[-+.][\w.+-]+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}\.\d{1,2}\.\d{1,2}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_DIGEST = re.compile(r"(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,64}")
_ROOTED_PATH = re.compile(r"(?:~|\.{1,2})?(?:/[\w.@+-]+){2,}/?|(?:~|\.{1,2})/[\w.@+-]+/?")
_FILE_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*/[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}")
_WINDOWS_PATH = re.compile(r"[A-Za-z]:\\[\w.@+\\-]+")
_FILE_NAME = re.compile(
    r"[\w-]+(?:\.[\w-]+)*\.(?:c|cc|cfg|conf|cpp|cs|css|csv|docx|env|gif|go|h|hpp|html|ini|ipynb|java|jpe?g|json|jsonl|js|jsx"
    r"|kt|lock|log|md|mp3|mp4|pdf|php|png|pptx|ps1|py|rb|rs|rst|sh|sql|svg|swift|tar|toml|ts|tsv|tsx|txt|xlsx|xml|yaml|yml|zip)",
    re.IGNORECASE,
)
_SHAPES = (_CODE, _SNAKE, _CAMEL, _UUID, _DIGEST, _ROOTED_PATH, _FILE_PATH, _WINDOWS_PATH, _FILE_NAME)


def identifier_in(token: str) -> str | None:
    """The identifier that a token without white space, brackets and quotes is, casefolded, or None.

    Of a URL it is the host without ``www.``. Tokens of more than 200 characters are none. Linear in the token.
    """
    if len(token) > MAX_LENGTH or len(token) < 2 or (token.isalpha() and token[1:].islower()):
        return None
    if "://" in token:
        return _host(token)
    if "@" in token:
        return token.casefold() if _EMAIL.fullmatch(token) else None
    if _VERSION.fullmatch(token):
        return None if _DATE.fullmatch(token) else token.casefold()
    for shape in _SHAPES:
        if shape.fullmatch(token):
            return token.removesuffix("()").casefold()
    return None


def _host(url: str) -> str | None:
    authority = re.split(r"[/?#\\]", url.partition("://")[2], maxsplit=1)[0]
    host = authority.rpartition("@")[2].partition(":")[0].rstrip(".")
    return host.casefold().removeprefix("www.") if _HOST.fullmatch(host) else None
