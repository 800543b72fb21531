"""When something is to be, in days, beside the words of a fact."""

from datetime import datetime, time, timedelta, timezone

_MOMENT = timedelta(microseconds=1)


def local_days(
    begin: datetime | None, end: datetime | None, offset: int | None, *, told: bool = True
) -> tuple[str | None, str | None]:
    """The first and the last day, as ISO 8601 writes them, of a time that ends before ``end``, in the zone ``offset``
    minutes east of UTC. Where it is not a time that words have ``told`` the last day is that of the moment ``end``."""
    zone = timezone(timedelta(minutes=offset or 0))
    first = None if begin is None else begin.astimezone(zone)
    last = None if end is None else end.astimezone(zone)
    if told and last is not None and last.time() == time():
        last -= _MOMENT  # it ends where its last day does
    return (None if first is None else f"{first:%Y-%m-%d}"), (None if last is None else f"{last:%Y-%m-%d}")


def with_days(text: str, begin: datetime | None, end: datetime | None, offset: int | None) -> str:
    """A sentence with the days of what it tells: *Gus plans to adopt a dog (2026-11-28).*"""
    first, last = local_days(begin, end, offset)
    if first == last:  # one day, or none
        days = first
    elif last is None:
        days = f"from {first}"
    else:
        days = f"until {last}" if first is None else f"{first} to {last}"
    return text if days is None else f"{text.removesuffix('.')} ({days})."
