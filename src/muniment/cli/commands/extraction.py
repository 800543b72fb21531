"""`muniment extract`: facts of what is in the log already."""

import asyncio
from typing import Annotated

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, counted, print_json
from muniment.model.source import ExtractionRequest


def extract(
    model: Annotated[bool, typer.Option("--model", help="By the language model that is set up, not by rules.")] = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Have what was not read for facts yet, or failed, or was read by an earlier version, read by jobs."""

    async def ask() -> ExtractionRequest:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.extract("model" if model else "rules")

    asked = asyncio.run(ask())
    if as_json:
        print_json(asked)
        return
    console.print(f"{counted(asked.records, 'record')} to be read by {asked.method}")
    if asked.calls:
        of = f" of {asked.budget}" if asked.budget else ""
        console.print(f"models took {asked.tokens}{of} tokens in {counted(asked.calls, 'window')} in the last 24 hours")
