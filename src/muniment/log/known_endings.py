"""Statements that end something which others tell of, made whole by the facts that the log holds."""

from collections.abc import Sequence

from muniment.database.pool import Scope
from muniment.extraction.ended import Held, names_of_endings, resolved
from muniment.extraction.statements import Span, Statement


async def made_whole(scope: Scope, space: int, group_no: int, statements: Sequence[Statement]) -> list[Statement]:
    """The statements; those with ``ends`` by what the space knew of their subjects before the records they rest on.

    Only what stands in their own conversation becomes evidence beside them. One statement where there are such.
    """
    names = names_of_endings(statements)
    if not names:
        return list(statements)
    rows = await scope.rows("facts.held", names=names, space=space, group_no=group_no)
    known = [
        Held(
            row["subject"], row["relation"], row["object"], row["negated"], row["told"],
            () if row["basis_no"] is None else (Span(row["basis_no"], row["span_start"], row["span_end"]),),
        )
        for row in rows
    ]  # fmt: skip
    return resolved(statements, known)
