import asyncio
import socket

from muniment.api.serving import listen
from muniment.settings import Settings


def test_an_answer_is_sent_without_waiting_for_acknowledgements() -> None:
    seen: list[int] = []

    async def look(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def connect() -> None:
        async with await asyncio.start_server(look, sock=listen(Settings(host="127.0.0.1", port=0))) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await reader.read()
            writer.close()
            await writer.wait_closed()

    asyncio.run(connect())

    assert seen and all(seen)
