"""The options of ``search`` and ``query``, and the request that they stand for."""

import re
from datetime import datetime
from typing import Annotated, Any, Final

import typer

from muniment.errors import MunimentError
from muniment.model.request import RetrievalOptions

_COMPARISONS: Final = {">=": "gte", "<=": "lte", ">": "gt", "<": "lt"}
_OPERATORS_ELSEWHERE: Final = ("!", "~", ":", "%")  # begin operators that there are not here
_CONDITION: Final = re.compile(r"(?P<name>[^=<>]+)(?P<sign>>=|<=|=|>|<)(?P<value>.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_MOST_DIGITS: Final = 20  # with the sign: 64 bits have 19
_METADATA: Final = "metadata."

TopK = Annotated[int, typer.Option("--top-k", min=1, help="How many records at most.")]
FilterBy = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        help="KEY=VALUE with group, session, source, modality, kind, speaker or role; metadata.KEY=VALUE, or >=, <=, "
        "> and <. Again for further conditions; of several values of one key any may hold.",
    ),
]
Since = Annotated[str | None, typer.Option("--since", help="Only what happened, or was said, from this time on.")]
Until = Annotated[str | None, typer.Option("--until", help="Only what happened, or was said, before this time.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="Leave out what happened after this time.")]
KnownAt = Annotated[int | None, typer.Option("--known-at", min=0, help="Search the log as it was after this commit.")]
At = Annotated[str | None, typer.Option("--at", help='When it is asked: what "last Friday" goes back from.')]
UseProfile = Annotated[str | None, typer.Option("--profile", help="A retrieval profile: see `muniment profile list`.")]
Without = Annotated[str | None, typer.Option("--without", help="Routes and stages to leave out: semantic,gate.")]
Language = Annotated[str | None, typer.Option("--language", help="The question's language; default: by its words.")]
Timeout = Annotated[float | None, typer.Option("--timeout", help="Seconds until the best partial result is given.")]


def options_from(
    *,
    top_k: int,
    group: str | None,
    filters: list[str] | None,
    since: str | None,
    until: str | None,
    as_of: str | None,
    known_at: int | None,
    at: str | None,
    profile: str | None,
    without: str | None,
    timeout: float | None,
    language: str | None = None,
) -> RetrievalOptions:
    """What was named on the command line; raises ``usage.invalid``, or ``input.time_without_zone``."""
    options = RetrievalOptions(top_k=top_k, group_id=group, known_at=known_at, profile=profile, timeout=timeout)
    if language is not None:
        options["language"] = language
    narrowing = filters_from(filters or [])
    span = {"since": moment("--since", since), "until": moment("--until", until)}
    if since is not None or until is not None:
        narrowing["time"] = {name: moment for name, moment in span.items() if moment is not None}
    if narrowing:
        options["filters"] = narrowing
    options["as_of"], options["asked_at"] = moment("--as-of", as_of), moment("--at", at)
    if without is not None:
        options["without"] = [name.strip() for name in without.split(",") if name.strip()]
    return options


def filters_from(conditions: list[str]) -> dict[str, Any]:
    """``KEY=VALUE`` conditions as the filters of a request. Metadata values are read as JSON scalars where they are
    such: ``1`` is a number, ``true`` a truth, ``"1"`` and ``one`` are texts. Raises ``usage.invalid``."""
    filters: dict[str, Any] = {}
    for condition in conditions:
        match = _CONDITION.fullmatch(condition)
        if match is None:
            raise MunimentError("usage.invalid", f"--filter {condition!r} is not of the form KEY=VALUE")
        name, sign, value = match["name"].strip(), match["sign"], match["value"].strip()
        misread = value[:1] == "=" or (name.startswith(_METADATA) and value[:1] in ("<", ">"))
        if misread or name.endswith(_OPERATORS_ELSEWHERE):
            raise MunimentError(
                "usage.invalid", f"--filter {condition!r}: there are =, and for metadata.KEY also >=, <=, > and <"
            )
        if name.startswith(_METADATA):
            _put_metadata(filters.setdefault("metadata", {}), name.removeprefix(_METADATA), sign, value)
        elif sign != "=":
            raise MunimentError("usage.invalid", f"--filter {condition!r}: {sign} is for metadata.KEY only")
        else:
            filters.setdefault(name, []).append(value)
    return filters


def _put_metadata(metadata: dict[str, Any], key: str, sign: str, value: str) -> None:
    wanted = metadata.setdefault(key, {})
    if sign == "=":
        wanted.setdefault("any", []).append(scalar(value))
    else:
        wanted[_COMPARISONS[sign]] = scalar(value)


def metadata_from(given: list[str]) -> dict[str, str | bool | int | float]:
    """``KEY=VALUE`` as metadata, values as ``scalar`` reads them; raises ``usage.invalid``, also for a key twice."""
    metadata: dict[str, str | bool | int | float] = {}
    for each in given:
        key, sign, value = each.partition("=")
        key = key.strip()
        if not sign or not key:
            raise MunimentError("usage.invalid", f"--metadata {each!r} is not of the form KEY=VALUE")
        if key in metadata:
            raise MunimentError("usage.invalid", f"--metadata names {key!r} twice")
        metadata[key] = scalar(value.strip())
    return metadata


def scalar(value: str) -> str | bool | int | float:
    """A number, ``true`` or ``false`` as JSON writes them; everything else is a text, also what stands in quotes.

    Raises ``usage.invalid`` for a whole number that no log could hold.
    """
    if value in ("true", "false"):
        return value == "true"
    if _NUMBER.fullmatch(value):
        if set(value) & set(".eE"):
            return float(value)
        if len(value) > _MOST_DIGITS:
            raise MunimentError("usage.invalid", f"the number {value[:_MOST_DIGITS]}… is over 64 bits")
        return int(value)
    quoted = len(value) >= 2 and value[0] == value[-1] == '"'
    return value[1:-1] if quoted else value


def moment(option: str, value: str | None) -> datetime | None:
    """The time that an option names; raises ``usage.invalid``, or ``input.time_without_zone``."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise MunimentError("usage.invalid", f"{option} {value!r} is no time; write 2026-11-29T12:00:00Z") from None
    if moment.tzinfo is None:
        raise MunimentError("input.time_without_zone", f"{option} {value!r} has no zone; write 2026-11-29T12:00:00Z")
    return moment
