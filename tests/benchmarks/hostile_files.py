"""What each nasty file does: the hostile files of the conformance suite, read as the server reads them.

    python tests/benchmarks/hostile_files.py [--format pdf ...] [--defaults]

Printed is a table in Markdown: the format, the file, its size, what came of it (chunks and the first note, or the code
of the error), the seconds that it took, and the largest resident memory of the process that read it, sampled until it
ended. By default under the limits of the suite, which are below those of a server; with ``--defaults`` under those.
Files of several formats that end alike share a row.
"""

import argparse
import importlib.util
import re
import sys
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import psutil

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.format import Format
from muniment.sources.isolation import unpack_isolated
from muniment.sources.parsed import Origin
from muniment.sources.registry import BUILT_IN, read_source

_FIXTURES = Path(__file__).parents[1] / "conformance" / "sources" / "fixtures"
_LIMITS = {
    "parse_memory": 1024**3,
    "parse_cpu_seconds": 20,
    "parse_seconds": 60,
    "max_expanded_bytes": 64 * 1024**2,
    "max_source_items": 10_000,
}
_NOTE = 110


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of one file."""

    bytes: int
    what: str
    seconds: float
    peak_mib: int


class _Peak(threading.Thread):
    """The largest resident memory of the processes that the fork server makes, as the system keeps it for each."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.kib = 0
        self._ended = threading.Event()

    def run(self) -> None:
        this = psutil.Process()
        while not self._ended.wait(0.003):
            for child in this.children(recursive=True)[1:]:
                try:
                    status = Path(f"/proc/{child.pid}/status").read_text(encoding="ascii", errors="replace")
                except OSError:
                    continue
                held = re.search(r"VmHWM:\s+(\d+)", status)
                self.kib = max(self.kib, int(held[1]) if held else 0)

    def stop(self) -> int:
        self._ended.set()
        self.join()
        return self.kib


def fixtures(chosen: Format) -> ModuleType | None:
    """The module of the suite with the files of a format."""
    slug = re.sub(r"\W+", "_", chosen.name)
    spec = importlib.util.spec_from_file_location(f"fixtures_of_{slug}", _FIXTURES / f"{slug}.py")
    if spec is None or spec.loader is None or not (_FIXTURES / f"{slug}.py").exists():
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ending_of(chosen: Format, name: str, data: bytes, settings: Settings) -> Ending:
    """Reads a file, and unpacks it where it is an archive."""
    filename = name if "." in name else name + (*chosen.extensions, "")[0]
    peak = _Peak()
    peak.start()
    started = time.perf_counter()
    try:
        parsed = read_source(
            data, kind="file", filename=filename, media_type=chosen.media_types[0], source_key="key", settings=settings
        )
        told = f"{len(parsed.chunks)} chunks" + (f": {parsed.notes[0][:_NOTE]}" if parsed.notes else "")
        told += _unpacked(chosen, filename, data, settings)
    except MunimentError as error:
        told = f"`{error.code}`"
    seconds = time.perf_counter() - started
    return Ending(len(data), told.replace("|", "\\|").replace("\n", " "), seconds, round(peak.stop() / 1024))


def _unpacked(chosen: Format, filename: str, data: bytes, settings: Settings) -> str:
    if chosen.unpack is None:
        return ""
    origin = Origin("file", "key", filename, chosen.media_types[0], None, "english", settings)
    errors, parts = [], 0
    try:
        for part in unpack_isolated(chosen, data, origin):
            parts += 1
            errors += [part.error.code] if part.error is not None else []
    except MunimentError as error:
        errors.append(error.code)
    return f"; {parts} parts" + "".join(f", `{code}`" for code in dict.fromkeys(errors))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--format", action="append", choices=[each.name for each in BUILT_IN])
    options.add_argument("--defaults", action="store_true", help="the limits of a server")
    asked = options.parse_args()
    settings = Settings() if asked.defaults else Settings(**_LIMITS)
    rows: dict[tuple[str, str], list[tuple[str, Ending]]] = defaultdict(list)
    for chosen in BUILT_IN:
        if asked.format and chosen.name not in asked.format:
            continue
        for name, make in getattr(fixtures(chosen), "HOSTILE", {}).items():
            print(f"{chosen.name}: {name}", file=sys.stderr, flush=True)
            ended = ending_of(chosen, name, make(), settings)
            rows[name.replace("_", " ").replace("-", " "), re.sub(r"\d+", "0", ended.what)].append((chosen.name, ended))
    print("| format | file | kB | what comes of it | seconds | peak MiB |\n|---|---|---:|---|---:|---:|")
    for (name, _), ended in rows.items():
        largest = max((each for _, each in ended), key=lambda each: each.seconds)
        print(
            f"| {', '.join(format_name for format_name, _ in ended)} | {name} | {largest.bytes / 1000:.1f} "
            f"| {largest.what} | {largest.seconds:.2f} | {max(each.peak_mib for _, each in ended) or ''} |"
        )


if __name__ == "__main__":
    main()
