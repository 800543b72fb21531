"""The file of an archive: there whole or not at all, and for its owner alone to read."""

import asyncio
import errno
import gzip
import os
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing, suppress
from pathlib import Path
from typing import IO, cast

from muniment.errors import MunimentError


async def write_archive(path: Path, pieces: AsyncGenerator[bytes, None]) -> None:
    """Writes the pieces to a new file, compressed where its name ends in ``.gz``.

    Raises ``archive.file_unusable``, also where there is such a file.
    """
    draft = path.with_name(f".{path.name}.part")
    with ExitStack() as opened:
        try:
            async with aclosing(pieces):
                file = await asyncio.to_thread(_draft, opened, draft, path)
                async for piece in pieces:
                    await asyncio.to_thread(file.write, piece)
            await asyncio.to_thread(_keep, opened, draft, path)
        except OSError as error:
            raise MunimentError(
                "archive.file_unusable", f"cannot write the archive {path}: {error.strerror}"
            ) from error
        finally:
            with suppress(OSError):
                os.unlink(draft)


def _draft(opened: ExitStack, draft: Path, path: Path) -> IO[bytes]:
    if path.exists():
        raise FileExistsError(errno.EEXIST, "there is such a file")
    plain = opened.enter_context(os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"))
    opened.callback(_to_disk, plain)
    if path.suffix != ".gz":
        return plain
    return cast("IO[bytes]", opened.enter_context(gzip.GzipFile("", "wb", 6, plain)))


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _keep(opened: ExitStack, draft: Path, path: Path) -> None:
    opened.close()
    os.link(draft, path)  # fails where another was first
