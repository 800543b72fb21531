"""Breaks the code in named ways, one at a time in a copy of the tree, and shows that the suite notices each.

usage: python -m tests.mutate [WORD ...]   only the mutations whose names hold a word
exits 1 where a mutation survives, no longer applies, or the tests fail without it
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("src", "sql", "migrations", "tests", "pyproject.toml", "README.md")
PASSED, FAILED = 0, 1  # what pytest returns; anything else is neither
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    mutation: Mutation
    verdict: str  # "killed" is the good one
    seconds: float
    witness: str = ""


@contextmanager
def _copy() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="muniment-mutate-") as name:
        place = Path(name)
        for part in COPIED:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, place / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / part, place / part)
        yield place


def _pytest(place: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """The tests in the copy, on the copy's code: its result, and the first test that failed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE", *arguments],
        cwd=place,
        env=os.environ | {"PYTHONPATH": f"{place / 'src'}:{place}", "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode, (failed or done.stdout.strip().splitlines()[-1:] or [done.stderr[-200:]])[0]


def _try(mutation: Mutation) -> Outcome:
    started = time.monotonic()
    with _copy() as place:
        file = place / mutation.file
        text = file.read_text(encoding="utf-8")
        if text.count(mutation.old) != mutation.times:
            verdict = f"stands {text.count(mutation.old)} times in {mutation.file}, not {mutation.times}"
            return Outcome(mutation, verdict, time.monotonic() - started)
        file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        result, witness = _pytest(place, mutation.tests)
    verdict = {PASSED: "SURVIVED", FAILED: "killed"}.get(result, f"no test ran (pytest returned {result})")
    return Outcome(mutation, verdict, time.monotonic() - started, witness)


def _sound(mutations: Sequence[Mutation]) -> bool:
    """Whether the same tests pass on the code as it is: otherwise their failing would show nothing.

    In two runs, of the files that are run whole, and of those of which some tests are.
    """
    whole = {file for mutation in mutations if "-k" not in mutation.tests for file in mutation.tests}
    chosen = [mutation.tests for mutation in mutations if "-k" in mutation.tests]
    files = {file for tests in chosen for file in tests[: tests.index("-k")]}
    words = " or ".join(sorted({f"({tests[-1]})" for tests in chosen}))
    runs = ([*sorted(whole)], [*sorted(files), "-k", words])
    with _copy() as place:
        for arguments in runs:
            if not arguments or arguments[0] == "-k":
                continue  # nothing of this kind was chosen
            result, witness = _pytest(place, arguments)
            if result != PASSED:
                console.print(f"the tests fail without any mutation: {witness}", markup=False)
                return False
    return True


console = Console(width=150)


def main(words: Sequence[str]) -> int:
    chosen = [mutation for mutation in MUTATIONS if not words or any(word in mutation.name for word in words)]
    if not chosen:
        console.print("no mutation has such a name")
        return 1
    console.print(f"{len(chosen)} mutations; first their tests on the code as it is")
    if not _sound(chosen):
        return 1
    table = Table("mutation", "verdict", "seconds", "noticed by", title="What the suite notices")
    survivors = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for outcome in pool.map(_try, chosen):
            survivors += outcome.verdict != "killed"
            noticed = outcome.witness.split("::")[-1].split(" - ")[0]
            table.add_row(outcome.mutation.name, outcome.verdict, f"{outcome.seconds:.0f}", noticed)
            console.print(f"{outcome.verdict}: {outcome.mutation.name}", markup=False)
    console.print(table)
    console.print(f"{len(chosen) - survivors} of {len(chosen)} mutations were noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
