"""`muniment extract`: facts of what is in the log already."""

import asyncio
from typing import Annotated

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, counted, print_json
from muniment.errors import MunimentError
from muniment.model.source import AskedMethod, ExtractionRequest


def extract(
    rules: Annotated[bool, typer.Option("--rules", help="By rules; default: what MUNIMENT_EXTRACTION names.")] = False,
    model: Annotated[bool, typer.Option("--model", help="By the language model that is set up.")] = False,
    vision: Annotated[bool, typer.Option("--vision", help="Describe images, by the model that sees.")] = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Have what was not read for facts yet, or failed, or was read by an earlier version, read by jobs; or images."""

    if (rules or model) and vision:
        raise MunimentError("usage.invalid", "--vision is a request of its own")
    of_facts: AskedMethod | None = "both" if rules and model else "model" if model else "rules" if rules else None
    method = "vision" if vision else of_facts

    async def ask() -> ExtractionRequest:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.extract(method)

    asked = asyncio.run(ask())
    if as_json:
        print_json(asked)
        return
    console.print(f"{counted(asked.records, 'image' if vision else 'record')} to be read by {asked.method}")
    if asked.calls:
        of = f" of {asked.budget}" if asked.budget else ""
        calls = counted(asked.calls, "call" if vision else "window")
        console.print(f"models took {asked.tokens}{of} tokens in {calls} in the last 24 hours")
