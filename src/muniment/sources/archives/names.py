"""Names inside archives, made safe: they are keys, and nothing is ever written under them."""

import re
from typing import Final

_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")
_RESOURCE_FORKS: Final = "__MACOSX"


def safe_path(name: str) -> str:
    """A path without drive, root, ``.`` and ``..``, with ``/`` between its parts; empty where nothing is left."""
    parts = _DRIVE.sub("", name.replace("\\", "/")).split("/")
    shown = "/".join(part for part in parts if part not in ("", ".", ".."))
    return _CONTROLS.sub("?", shown.encode(errors="replace").decode())


def hidden(path: str) -> bool:
    """Whether a part of the path begins with a dot, or is where one system keeps what others do not need."""
    return any(part.startswith(".") or part == _RESOURCE_FORKS for part in path.split("/"))


class Paths:
    """Gives each member a path of its own: a second one of the same name gets a number."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, name: str) -> str:
        """The safe path of the next member."""
        path = safe_path(name) or "unnamed"
        count = self._seen.get(path, 0) + 1
        self._seen[path] = count
        return path if count == 1 else self.of(f"{path} ({count})")
