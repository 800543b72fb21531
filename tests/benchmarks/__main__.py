"""Runs a benchmark of this directory by its name: ``python -m tests.benchmarks NAME [ARGUMENTS]``."""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    names = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        sys.exit(f"usage: python -m tests.benchmarks {{{','.join(names)}}} [--help | arguments]")
    sys.argv = sys.argv[1:]
    runpy.run_path(str(HERE / f"{sys.argv[0]}.py"), run_name="__main__")


main()
