"""Where one episode of a conversation ends and the next begins: at a long pause, or where the topic shifts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class BoundaryParameters:
    """When an episode ends.

    ``gap`` hours of silence always end it. A topic shifts where the ``window`` turns before and after differ: their
    mean vectors' cosine is below ``shift`` and lower than around it. An episode has at least ``least`` turns, pauses
    aside, and at most ``most``. Conversations shorter than ``long`` have no episodes unless they pause.
    """

    gap: float = 4.0
    shift: float = 0.35
    window: int = 3
    least: int = 4
    most: int = 40
    long: int = 12


def boundaries(
    times: Sequence[datetime | None], vectors: Sequence[Sequence[float] | None], parameters: BoundaryParameters
) -> list[int]:
    """The places of turns that begin an episode, 0 first; none for a short conversation without a pause.

    ``vectors`` have length 1; turns without one are not looked at. Linear in the turns.
    """
    pauses = [n for n in range(1, len(times)) if _paused(times[n - 1], times[n], parameters.gap)]
    if len(times) < parameters.long and not pauses:
        return []
    likeness = [_likeness(vectors, n, parameters.window) for n in range(len(times))]
    cuts = [0]
    for start, end in zip([0, *pauses], [*pauses, len(times)], strict=True):
        if start:
            cuts.append(start)
        cuts += _shifts(likeness, start, end, parameters)
    return cuts


def _paused(before: datetime | None, after: datetime | None, gap: float) -> bool:
    return before is not None and after is not None and after - before >= timedelta(hours=gap)


def _shifts(likeness: Sequence[float], start: int, end: int, parameters: BoundaryParameters) -> list[int]:
    cuts: list[int] = []
    last = start
    for n in range(start + 1, end):
        fits = n - last >= parameters.least and end - n >= parameters.least
        around = likeness[max(start, n - 2) : min(end, n + 3)]
        if (fits and likeness[n] < parameters.shift and likeness[n] == min(around)) or n - last >= parameters.most:
            cuts.append(n)
            last = n
    return cuts


def _likeness(vectors: Sequence[Sequence[float] | None], place: int, window: int) -> float:
    before, after = _mean(vectors[max(0, place - window) : place]), _mean(vectors[place : place + window])
    return 1.0 if before is None or after is None else float(before @ after)


def _mean(vectors: Sequence[Sequence[float] | None]) -> NDArray[np.float64] | None:
    there = [vector for vector in vectors if vector is not None]
    if not there:
        return None
    mean = np.asarray(there, dtype=np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length else None
