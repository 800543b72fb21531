"""Modules of the database import each other in one direction, also where only types are meant."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import muniment.database.pool

HERE = "muniment.database."


def test_no_module_of_the_database_imports_one_that_imports_it() -> None:
    graph: dict[str, set[str]] = {}
    for path in Path(muniment.database.pool.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
        graph[path.stem] = {name.removeprefix(HERE) for name in named if name.startswith(HERE)}
    order = list(TopologicalSorter(graph).static_order())
    assert order.index("scope") < order.index("quotas") < order.index("pool")
