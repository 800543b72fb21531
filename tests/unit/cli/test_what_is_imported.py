"""The command line starts without what it does not need: no database, web framework, reader of files or model."""

import subprocess
import sys

import pytest

HEAVY = (
    "alembic", "argon2", "arq", "en_core_web_sm", "litestar", "lxml", "matplotlib", "numpy", "onnxruntime", "openai",
    "opentelemetry", "pdfminer", "pdfplumber", "PIL", "pptx", "presidio_analyzer", "prometheus_client", "psycopg",
    "pypdf", "pypdfium2", "python_calamine", "redis", "spacy", "sqlalchemy", "thinc", "tokenizers", "torch",
    "trafilatura", "tree_sitter", "uvicorn",
)  # fmt: skip
_WATCH = """
import sys
{before}
print(*sorted({{name.split(".")[0] for name in sys.modules}}), file=sys.stderr)
"""
_COMMANDS = {
    "the module": "import muniment.cli.main",
    "--help": "from muniment.cli.main import app; app(['--help'], standalone_mode=False)",
    "search --help": "from muniment.cli.main import app; app(['search', '--help'], standalone_mode=False)",
    "search at a server": """
from contextlib import suppress
from muniment.cli.main import app
from muniment.errors import MunimentError
with suppress(MunimentError):
    app(["search", "pier", "--server", "http://127.0.0.1:9"], standalone_mode=False)
""",
}


@pytest.mark.parametrize("command", list(_COMMANDS))
def test_a_command_that_needs_no_store_imports_nothing_heavy(command: str) -> None:
    program = _WATCH.format(before=_COMMANDS[command])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300,
        env={"PATH": "", "MUNIMENT_API_KEY": "mun_none", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    imported = done.stderr.split()
    assert "muniment" in imported and "typer" in imported
    assert set(imported).isdisjoint(HEAVY), sorted(set(imported) & set(HEAVY))


def test_the_heavy_ones_are_named_as_they_are_imported() -> None:
    program = "import importlib.util, sys; print(*[name for name in sys.argv[1:] if importlib.util.find_spec(name)])"
    done = subprocess.run([sys.executable, "-c", program, *HEAVY], capture_output=True, text=True, check=True)
    assert {"sqlalchemy", "litestar", "spacy", "presidio_analyzer", "onnxruntime"} <= set(done.stdout.split())
