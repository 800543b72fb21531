"""The demonstration: the main job once, judged by its citations."""

import asyncio
import tempfile

import typer

from muniment.cli.commands.asking import print_answer
from muniment.cli.output import console, counted, safe
from muniment.errors import EXIT_FOUND_WRONG


def demo() -> None:
    """Ingest a small corpus into a store of its own, ask it, and check every citation; exits 1 if one is wrong."""

    from muniment.demo.script import NAMESPACE, QUESTIONS, Outcome, ask, ingest_corpus
    from muniment.memory import AsyncMuniment

    async def run() -> list[Outcome]:
        with tempfile.TemporaryDirectory(prefix="muniment-demo-") as directory:
            async with AsyncMuniment.open(directory, namespace=NAMESPACE) as memory:
                for ingested in await ingest_corpus(memory):
                    for item in ingested.items:
                        stored = f"{safe(item.source_key)} version {item.version}: {counted(item.records, 'record')}"
                        console.print(f"ingested {stored}")
                return [await ask(memory, question) for question in QUESTIONS]

    outcomes = asyncio.run(run())
    for outcome in outcomes:
        console.print()
        console.print(f"[cyan]{safe(outcome.question.text)}[/]")
        print_answer(outcome.result)
        if not outcome.right:
            expected = outcome.question
            where = (
                f"{expected.source} version {expected.version}: {expected.words}"
                if expected.source
                else "an abstention"
            )
            console.print(f"[bold red]wrong: expected {safe(where)}[/]")
    console.print()
    wrong = sum(not outcome.right for outcome in outcomes)
    console.print(f"{len(outcomes) - wrong} of {len(outcomes)} questions answered rightly")
    if wrong:
        raise typer.Exit(EXIT_FOUND_WRONG)
