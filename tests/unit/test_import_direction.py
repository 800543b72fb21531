"""Modules import each other in one direction, also inside functions and where only types are meant."""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import muniment

_ROOT = Path(muniment.__file__).parent
_LAYERS = (
    {"cli"},
    {"demo"},
    {"api", "memory", "bench"},
    {"backup", "deletion", "rebuild"},
    {"runtime"},
    {"archive", "oauth"},
    {"jobs"},
    {"derivation"},
    {"log", "retrieval", "tenancy"},
    {"audit", "extraction", "queue", "telemetry"},
    {"sources"},
    {"providers"},
    {"database"},
    {"settings"},
    {"model"},
    {"errors", "logs", "stopping"},
)
"""Rooms of the package: each imports from those below it, never from a neighbour of its own layer."""


def test_no_module_imports_one_that_imports_it() -> None:
    assert len(list(TopologicalSorter(_imports()).static_order())) > 300  # raises CycleError with the way around


def test_rooms_import_from_the_layers_below_them_alone() -> None:
    layer = {room: depth for depth, rooms in enumerate(_LAYERS) for room in rooms}
    wrong = {
        f"{module} imports {imported}"
        for module, all_imported in _imports().items()
        for imported in all_imported
        if (room := _room(module)) and (below := _room(imported)) and room != below and layer[room] >= layer[below]
    }
    assert not wrong


def test_the_memory_clients_import_nothing_late() -> None:
    late = [
        f"{path.relative_to(_ROOT)}:{node.lineno}"
        for path in (_ROOT / "memory").rglob("*.py")
        for outer in ast.parse(path.read_text(encoding="utf-8")).body
        if not isinstance(outer, ast.Import | ast.ImportFrom)
        for node in ast.walk(outer)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not late


@cache
def _imports() -> dict[str, set[str]]:
    """The modules of the package that each of them imports, by their dotted names."""
    paths = {_name(path): path for path in _ROOT.rglob("*.py")}
    return {
        name: {each for each in _named(ast.parse(path.read_text(encoding="utf-8")), paths.keys()) if each != name}
        for name, path in paths.items()
        if name != "muniment"  # it hands out what it imports when that is asked for
    }


def _named(tree: ast.Module, known: Collection[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "muniment":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)


def _name(path: Path) -> str:
    parts = path.relative_to(_ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None
