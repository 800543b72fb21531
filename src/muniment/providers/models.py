"""The registry of embedding models: the number under which a model's vectors are kept."""

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.providers.embedding import Embedder


async def register_model(database: Database, embedder: Embedder) -> int:
    """The embedder's model number, the same for the same name ever after; made at the first call.

    Raises ``provider.invalid`` where the name is known with other dimensions: its vectors would not compare.
    """
    return await register_name(database, embedder.name, embedder.dimensions)


async def register_name(database: Database, name: str, dimensions: int) -> int:
    """The same for a model by its name, which need not be one that this process can run."""
    values = {"name": name, "dimensions": dimensions}
    async with database.transaction() as connection:
        row = (await connection.execute(query("models.register"), values)).mappings().first()
    if row is None:  # another process registered it between our look and our insert
        async with database.transaction() as connection:
            row = (await connection.execute(query("models.register"), values)).mappings().one()
    if row["dimensions"] != dimensions:
        raise MunimentError(
            "provider.invalid",
            f"the model {name} is known with {row['dimensions']} dimensions, not {dimensions}",
            expected=row["dimensions"],
            found=dimensions,
        )
    number: int = row["model_no"]
    return number
