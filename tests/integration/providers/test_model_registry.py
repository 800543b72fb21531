"""The registry of embedding models: one number a name."""

import asyncio

import pytest

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.providers.models import register_model


class Model:
    """An embedder of which only name and dimensions matter."""

    def __init__(self, name: str, dimensions: int) -> None:
        self.name = name
        self.dimensions = dimensions

    async def embed(self, texts: object, *, background: bool = False) -> list[list[float]]:
        raise AssertionError("nothing is embedded here")

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


async def test_a_name_keeps_its_number_and_another_gets_another(database: Database) -> None:
    first = await register_model(database, Model("onnx:a", 384))
    assert await register_model(database, Model("onnx:b", 768)) != first
    assert await register_model(database, Model("onnx:a", 384)) == first


async def test_processes_that_start_at_once_agree(database: Database) -> None:
    numbers = await asyncio.gather(*(register_model(database, Model("onnx:a", 384)) for _ in range(8)))
    assert len(set(numbers)) == 1


async def test_a_name_with_other_dimensions_is_refused(database: Database) -> None:
    await register_model(database, Model("openai:m", 1536))
    with pytest.raises(MunimentError, match="1536") as caught:
        await register_model(database, Model("openai:m", 256))
    assert caught.value.code == "provider.invalid"
    assert caught.value.facts == {"expected": 1536, "found": 256}
