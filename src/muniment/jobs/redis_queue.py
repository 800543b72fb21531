"""The queue in Redis: ids of jobs on their way to a worker, and nothing else. It may be lost at any time.

What is sent is JSON. arq's own form is pickle, which would let whoever can write to Redis run code in a worker.
"""

import json
import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlparse
from uuid import UUID

from arq.connections import ArqRedis, RedisSettings, create_pool
from arq.constants import job_key_prefix, retry_key_prefix
from redis.asyncio.connection import SSLConnection, parse_url
from redis.exceptions import RedisError

from muniment.errors import MunimentError
from muniment.settings import Settings

QUEUE: Final = "muniment:jobs"
FUNCTION: Final = "run_job"
UNREACHABLE: Final = (RedisError, OSError, TimeoutError)
"""What is raised where Redis is away."""

_KEPT: Final = timedelta(hours=1)  # what no worker has taken by then was dispatched anew long ago


def redis_settings(settings: Settings) -> RedisSettings:
    """Where Redis is, as arq wants to know it; raises ``queue.invalid``."""
    assert settings.redis_url is not None
    url = settings.redis_url.get_secret_value()
    try:
        parts = parse_url(url)
        unread = "db" not in parts and urlparse(url).path.strip(
            "/"
        )  # no number, for which the library takes database 0
        if not ("path" in parts or ("host" in parts and not unread)):
            raise ValueError
        return RedisSettings(
            host=parts.get("host", "localhost"),
            port=parts.get("port", 6379),
            ssl=parts.get("connection_class") is SSLConnection,
            username=parts.get("username"),
            password=parts.get("password"),
            database=parts.get("db", 0),
            unix_socket_path=parts.get("path"),
            conn_timeout=math.ceil(settings.redis_timeout),
            conn_retries=0,
        )
    except ValueError:
        raise MunimentError(
            "queue.invalid",
            "MUNIMENT_REDIS_URL is redis://[[user]:password@]host[:port][/database], rediss:// or unix://",
        ) from None


async def open_redis(settings: Settings) -> ArqRedis:
    """A pool of connections, one of which answered; raises what is in ``UNREACHABLE``, and ``queue.invalid``."""
    return await create_pool(
        redis_settings(settings), job_serializer=to_bytes, job_deserializer=from_bytes, default_queue_name=QUEUE
    )


async def hand_over(redis: ArqRedis, job: UUID, attempts: int) -> None:
    """Puts a job's id into the queue, once for each of its attempts."""
    await redis.enqueue_job(FUNCTION, job.hex, _job_id=f"muniment:{job.hex}:{attempts}", _expires=_KEPT)


async def take_back(redis: ArqRedis, jobs: Sequence[tuple[UUID, int]]) -> None:
    """Takes the ids of jobs out of the queue again, with all that stands under them."""
    names = [f"muniment:{job.hex}:{attempt}" for job, attempts in jobs for attempt in range(attempts + 2)]
    if names:
        await redis.zrem(QUEUE, *names)
        await redis.delete(*(prefix + name for name in names for prefix in (job_key_prefix, retry_key_prefix)))


def to_bytes(message: dict[str, Any]) -> bytes:
    """A message as JSON."""
    return json.dumps(message).encode()


def from_bytes(data: bytes) -> dict[str, Any]:
    """A message from its JSON."""
    message: dict[str, Any] = json.loads(data)
    return message
