import subprocess
import sys
from pathlib import Path

from tests.quick_place import quick_place

_KILLED = """
import os, sys
from pathlib import Path
from tests.quick_place import quick_place
with quick_place(Path(sys.argv[1])) as place:
    (place / "data").write_text("large")
    os.kill(os.getpid(), 9)
"""


def test_what_a_killed_run_left_is_removed_and_what_runs_is_kept(tmp_path: Path) -> None:
    with quick_place(tmp_path) as running:
        subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
        left = [place for place in tmp_path.iterdir() if place != running]
        assert [(place / "data").read_text(encoding="utf-8") for place in left] == ["large"]

        with quick_place(tmp_path) as another:
            assert sorted(tmp_path.iterdir()) == sorted([running, another])

    assert not list(tmp_path.iterdir())
