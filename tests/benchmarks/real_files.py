"""Files as people have them: what the packages of Debian and PyPI bring, ingested in one run, every locator checked.

    python tests/benchmarks/real_files.py PATH... [--deb NAME ...] [--sdist NAME ...] [--each 12] [--json FILE]

Files below the paths are taken by their extensions, at most ``--each`` of one, spread over all there are, and those
without a reader left out. ``--deb`` downloads Debian packages by ``apt-get download`` and unpacks them, ``--sdist``
source distributions by pip, both into a temporary directory. All are ingested in one run into a store of its own
without an embedding model. Then every chunk of every file is read from the original again, by its locator. Printed are
a table of states and errors by format, and what was not exact.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment.database.pool import Database
from muniment.log.previews import get_content
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.sources.format import Format
from muniment.sources.parsed import Chunk
from muniment.sources.registry import choose_format, extension, find_format, locate_in, read_source

_BATCH = 16
_LARGEST = 20_000_000
_DOWNLOAD = (sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "-q")


@dataclass(slots=True)
class Tally:
    """What became of the sources of one format."""

    states: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    chunks: int = 0
    exact: int = 0


def debian(names: Iterable[str], directory: Path) -> None:
    """Downloads and unpacks packages."""
    for name in names:
        subprocess.run(["apt-get", "download", name], cwd=directory, check=True, stdout=subprocess.DEVNULL)
    for package in sorted(directory.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", str(package), str(directory / package.name.split("_")[0])], check=True)
        package.unlink()


def distributions(names: Iterable[str], directory: Path) -> None:
    """Downloads and unpacks source distributions."""
    for name in names:
        fetch = [*_DOWNLOAD, "-d", str(directory), name]
        subprocess.run(fetch, check=False)
    for packed in sorted(directory.glob("*.tar.gz")):
        with tarfile.open(packed) as archive:
            archive.extractall(directory, filter="data")


def chosen_files(paths: Iterable[Path], each: int) -> list[Path]:
    """At most so many files of one extension, spread over all there are."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and not file.is_symlink() and find_format(None, file.name) and _fits(file):
                found[extension(file.name)].append(file)
    return [file for files in found.values() for file in _spread(files, each)]


def _fits(file: Path) -> bool:
    return 0 < file.stat().st_size <= _LARGEST


def _spread(files: list[Path], count: int) -> Iterator[Path]:
    for number in range(min(count, len(files))):
        yield files[number * len(files) // min(count, len(files))]


async def ingest(files: list[Path], store: Path) -> dict[str, Tally]:
    """One run of all files, and each chunk located again; by format."""
    settings = Settings(data_dir=store, embedding_provider="none", max_sources_per_request=_BATCH)
    tallies: dict[str, Tally] = defaultdict(Tally)
    async with LocalMuniment(settings, Namespace(project_id="files")) as memory:
        run: str | None = None
        for start in range(0, len(files), _BATCH):
            batch = [
                SourceInput(kind="file", path=path, source_key=_key(path)) for path in files[start : start + _BATCH]
            ]
            done = await memory.ingest(batch, raise_on_failure=False, run=run)
            run = run or done.id
            print(f"{min(start + _BATCH, len(files))}/{len(files)}", file=sys.stderr, flush=True)
        assert run is not None and memory._runtime is not None  # open, since something was ingested
        database, tenant = memory._runtime.database, memory._runtime.tenant.number
        for item in (await memory.run(run)).items:
            name = (item.source_key or "").rsplit("/", 1)[-1]
            if item.source_id is None:
                named = find_format(None, name)
                tally = tallies[named.name if named else "none"]
            else:
                tally = await _checked(database, tenant, item.source_id, item.source_key or "", settings, tallies)
            tally.states[item.state] += 1
            if item.error is not None:
                tally.errors[item.error.code] += 1
                print(f"{item.source_key}: {item.error.code}: {item.error.detail}", file=sys.stderr)
    return tallies


async def _checked(
    database: Database, tenant: int, source_id: str, key: str, settings: Settings, tallies: dict[str, Tally]
) -> Tally:
    """Every chunk of a stored original, located again."""
    original = await get_content(database, tenant, source_id, None)
    choice = choose_format(original.data, original.media_type, original.filename)
    assert choice.format is not None
    tally = tallies[choice.format.name]
    chunks = read_source(
        original.data, kind="file", filename=original.filename, media_type=original.media_type, source_key=key,
        settings=settings, choice=choice,
    ).chunks  # fmt: skip
    tally.chunks += len(chunks)
    wrong = [chunk for chunk in chunks if not _exact(original.data, choice.format, chunk, settings)]
    tally.exact += len(chunks) - len(wrong)
    for chunk in wrong[:2]:
        print(f"{key}: not exact: {json.dumps(chunk.locator)[:300]}", file=sys.stderr)
    return tally


def _exact(data: bytes, chosen: Format, chunk: Chunk, settings: Settings) -> bool:
    locator = json.loads(json.dumps(chunk.locator))
    if (
        chosen.isolated and chosen.locate is not None
    ):  # in this process: the files are no attack, and a child costs more
        located: str | None = chosen.locate(data, locator)
    else:
        located = locate_in(data, chosen, locator, settings)
    return located is not None and "".join(located.split()) == "".join(chunk.text.split())


def _key(path: Path) -> str:
    return str(path)[-250:].lstrip("/")


def table(tallies: dict[str, Tally]) -> str:
    """Markdown, the most frequent formats first."""
    states = sorted({state for tally in tallies.values() for state in tally.states})
    rows = [f"| format | {' | '.join(states)} | chunks | exact | errors |", "|---" * (len(states) + 4) + "|"]
    total = Tally()
    for name, tally in sorted(tallies.items(), key=lambda each: -each[1].states.total()):
        rows.append(_row(name, states, tally))
        total.states += tally.states
        total.errors += tally.errors
        total.chunks += tally.chunks
        total.exact += tally.exact
    return "\n".join([*rows, _row("**all**", states, total)])


def _row(name: str, states: list[str], tally: Tally) -> str:
    counts = " | ".join(str(tally.states[state] or "") for state in states)
    errors = ", ".join(f"{code} {count}" for code, count in tally.errors.most_common())
    exact = f"{tally.exact / tally.chunks:.2%}" if tally.chunks else ""
    return f"| {name} | {counts} | {tally.chunks} | {exact} | {errors} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("paths", nargs="*", type=Path)
    options.add_argument("--deb", nargs="*", default=[])
    options.add_argument("--sdist", nargs="*", default=[])
    options.add_argument("--each", type=int, default=12)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
        downloads = Path(directory) / "downloads"
        downloads.mkdir()
        debian(chosen.deb, downloads)
        distributions(chosen.sdist, downloads)
        files = chosen_files([*chosen.paths, downloads], chosen.each)
        print(f"{len(files)} files", file=sys.stderr, flush=True)
        started = time.perf_counter()
        tallies = asyncio.run(ingest(files, Path(directory) / "store"))
        print(table(tallies))
        print(f"\n{len(files)} files in {time.perf_counter() - started:.0f} s")
    if chosen.json:
        told: dict[str, Any] = {
            name: {"states": tally.states, "errors": tally.errors, "chunks": tally.chunks, "exact": tally.exact}
            for name, tally in tallies.items()
        }
        chosen.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
