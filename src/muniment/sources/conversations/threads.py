"""Which mails are one thread: those that lead to the same first mail by the ids that they refer to."""


class Threads:
    """The mails of one source, each with its id and the ids that it refers to, the oldest first."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def add(self, identity: str, references: list[str]) -> None:
        """A mail. Its thread is that of the first that it refers to: all mail programs keep that one in the list."""
        if references and references[0] != identity:
            self._above.setdefault(identity, references[0])

    def root(self, identity: str) -> str:
        """The id of the first mail of a thread, also where that mail is not here. Circles end where they began.

        Every mail on the way then leads there at once: all roots together cost little more than the mails.
        """
        way: dict[str, None] = {}
        while identity not in way and (above := self._above.get(identity)) is not None:
            way[identity] = None
            identity = above
        for each in way:
            if each != identity:
                self._above[each] = identity
        self._above.pop(identity, None)
        return identity
