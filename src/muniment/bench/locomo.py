"""LoCoMo (Maharana et al. 2024): find the turns that hold the answer, in long chats between two people.

Each conversation goes into a space of its own, each of its sessions is a group, each turn a message. Questions of
category 5 are adversarial: as asked, the conversation does not answer them.
"""

from datetime import UTC, datetime
from pathlib import Path

from muniment.bench.dataset import Advance, Depths, digest_of
from muniment.bench.locomo_data import Conversation, read_conversations
from muniment.bench.reading import storing
from muniment.model.namespace import Namespace
from muniment.model.result import Hit
from muniment.runtime import Runtime


class LoCoMo:
    """The benchmark on one data file."""

    name = "locomo"
    unit = "turns"
    depths = Depths()

    def __init__(self, conversations: list[Conversation], digest: str) -> None:
        self.conversations = conversations
        self.digest = digest
        sessions = [session for conversation in conversations for session in conversation.sessions]
        self.batches = len(sessions)
        self.size = sum(len(session.turns) for session in sessions)
        self.questions = [question for conversation in conversations for question in conversation.questions]

    @classmethod
    def read(cls, path: Path) -> "LoCoMo":
        """The benchmark on this file; raises ``bench.data_invalid`` for one that is none."""
        return cls(read_conversations(path), digest_of(path))

    async def write(self, runtime: Runtime, advance: Advance) -> int:
        """A batch a session; one that the store has is known by its idempotency key."""
        fresh = 0
        for conversation in self.conversations:
            space = Namespace(project_id=conversation.name)
            for session in conversation.sessions:
                started = datetime.now(UTC)
                with storing(f"{conversation.name}, {session.name}"):
                    run = await runtime.writer.ingest_messages(
                        runtime.tenant.number,
                        space,
                        session.turns,
                        group_id=session.name,
                        idempotency_key=f"bench:{self.digest[:16]}:{conversation.name}:{session.name}",
                    )
                fresh += run.created_at >= started
                advance()
        return fresh

    def identify(self, hit: Hit) -> str:
        """The turn's id."""
        return str(hit.locator["message_id"])
