"""Runs a benchmark of this directory by its name: ``python -m tests.benchmarks NAME [ARGUMENTS]``.

Without a name it runs the small ones, which need no data from elsewhere, and leaves their reports in ``build/bench``.
"""

import runpy
import subprocess
import sys
from pathlib import Path

from muniment.cli.commands.bench import app

HERE = Path(__file__).parent
OUT = HERE.parent.parent / "build" / "bench"


def run_small() -> None:
    """The answerability of our own corpus, and searches in a small store of made-up records."""
    OUT.mkdir(parents=True, exist_ok=True)
    commands = {
        "answerability": ["--data", str(HERE / "data" / "answerability"), "--out", str(OUT / "answerability")],
        "scale": ["--records", "2000", "--questions", "50", "--no-cold", "--out", str(OUT / "scale.json")],
    }
    there = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    for name, arguments in commands.items():
        if name in there:
            program = [sys.executable, "-c", "from muniment.cli.main import run; run()"]
            subprocess.run([*program, "bench", name, *arguments], check=True)


def main() -> None:
    names = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    if len(sys.argv) < 2:
        run_small()
        return
    if sys.argv[1] not in names:
        sys.exit(f"usage: python -m tests.benchmarks [{{{','.join(names)}}} [--help | arguments]]")
    sys.argv = sys.argv[1:]
    runpy.run_path(str(HERE / f"{sys.argv[0]}.py"), run_name="__main__")


main()
