"""The embedded server's cache follows the memory that there is."""

from pathlib import Path

import pytest

from muniment.database.memory import shared_buffers

MIB = 1024**2


def limit(tmp_path: Path, text: str) -> tuple[Path, ...]:
    path = tmp_path / "memory.max"
    path.write_text(text, encoding="ascii")
    return (tmp_path / "absent", path)


@pytest.mark.parametrize(
    ("text", "expected"), [(f"{2048 * MIB}\n", 512 * MIB), (f"{64 * MIB}\n", 128 * MIB), (f"{2050 * MIB}\n", 512 * MIB)]
)
def test_a_quarter_of_a_containers_limit_is_taken_and_never_too_little(
    tmp_path: Path, text: str, expected: int
) -> None:
    assert shared_buffers(limit(tmp_path, text)) == expected


def test_without_a_limit_the_machines_memory_counts_up_to_a_bound(tmp_path: Path) -> None:
    assert 128 * MIB <= shared_buffers(limit(tmp_path, "max\n")) == shared_buffers(()) <= 4096 * MIB


def test_a_limit_beyond_the_machine_changes_nothing(tmp_path: Path) -> None:
    assert shared_buffers(limit(tmp_path, str(2**62))) == shared_buffers(())
