"""The ways in which ``make mutate`` breaks the code, and the tests that must notice each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """In ``file``, ``old`` becomes ``new`` wherever it stands, ``times`` times; then ``tests`` must fail.

    ``tests`` are arguments of pytest: files, and ``-k`` with words of names.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    times: int = 1


_MATRIX = "tests/security/test_tenant_matrix.py"
_WALL = "tests/security/test_wall.py"
_PLANS = "tests/integration/database/test_plans.py"
_ROW_SECURITY = "sql/policies/row_security.sql"

MUTATIONS = (
    # the wall
    Mutation(
        "the app's policy forgets the tenant",
        _ROW_SECURITY,
        "to muniment_app using (tenant_id = (select muniment_auth.scope_tenant())%s)",
        "to muniment_app using (true%s)",
        (_MATRIX, "-k", "test_a_scope_sees"),
    ),
    Mutation(
        "the app's policy forgets the space",
        _ROW_SECURITY,
        "_space := case when _line.spaced",
        "_space := case when false",
        (_MATRIX, "-k", "pinned or scope_sees"),
    ),
    Mutation(
        "the analyst's policy trusts a setting",
        _ROW_SECURITY,
        "using (tenant_id = (select muniment_auth.login_tenant()))",
        "using (tenant_id = coalesce(nullif(current_setting(''muniment.tenant_id'', true), '''')::bigint,"
        " (select muniment_auth.login_tenant())))",
        (_MATRIX, "-k", "sets_its_way"),
    ),
    Mutation(
        "row security is not forced on the owner",
        _ROW_SECURITY,
        "execute format('alter table %I.%I force row level security', _line.schema_name, _line.table_name);",
        "execute format('alter table %I.%I no force row level security', _line.schema_name, _line.table_name);",
        (_WALL, "-k", "enforces_row_security"),
    ),
    Mutation(
        "one table is forgotten in the list",
        _ROW_SECURITY,
        "      ('muniment',      'record_content',   'select, insert',                 true,  true),\n",
        "",
        (_WALL, _MATRIX, "-k", "enforces_row_security or scope_sees"),
    ),
    Mutation(
        "the analyst may write",
        _ROW_SECURITY,
        "grant select on %I.%I to muniment_analyst",
        "grant select, insert on %I.%I to muniment_analyst",
        (_WALL, "-k", "grants_on_relations"),
    ),
    Mutation(
        "functions stay open to everybody",
        _ROW_SECURITY,
        "execute format('revoke all on function %s from public', _function);",
        "null;",
        (_WALL, "-k", "granted_to_public"),
    ),
    Mutation(
        "a scope outlives its transaction",
        "sql/functions/scope/scope.sql",
        "set_config('muniment.tenant_id', _tenant::text, true)",
        "set_config('muniment.tenant_id', _tenant::text, false)",
        (_MATRIX, "tests/integration/database/test_pgbouncer.py", "-k", "ends_with_its_transaction or take_turns"),
    ),
    Mutation(
        "a revoked key still works",
        "sql/functions/tenants/credential.sql",
        "     and c.revoked_at is null\n",
        "",
        ("tests/integration/tenancy/test_keys.py",),
    ),
    Mutation(
        "a superuser may serve",
        "src/muniment/database/guards.py",
        '        "superuser": "the service must not run as a superuser",\n',
        "",
        ("tests/unit/database/test_guards.py",),
    ),
    Mutation(
        "a query leaves the tenant to the policy",
        "sql/queries/records.sql",
        "select record_no from muniment.record where tenant_id = :tenant and record_id = cast(:record_id as uuid);",
        "select record_no from muniment.record where record_id = cast(:record_id as uuid);",
        (_PLANS, "-k", "records.number"),
    ),
    # the log
    Mutation(
        "the head is not locked",
        "sql/queries/seal.sql",
        "from muniment.log_head where tenant_id = :tenant for update",
        "from muniment.log_head where tenant_id = :tenant",
        ("tests/integration/log/test_seal.py", "-k", "many_writers"),
    ),
    Mutation(
        "time may go back",
        "sql/queries/seal.sql",
        "greatest(last_at, clock_timestamp()) as at",
        "clock_timestamp() as at",
        ("tests/integration/log/test_seal.py", "-k", "time_does_not_go_back"),
    ),
    Mutation(
        "a closed record stays live",
        "sql/queries/seal.sql",
        "   set live_to_commit = cast(:commit as bigint)\n where tenant_id = :tenant",
        "   set live_to_commit = null\n where tenant_id = :tenant",
        ("tests/integration/log/test_seal.py", "-k", "closing_and_archiving"),
    ),
    Mutation(
        "the commitment has no salt",
        "src/muniment/log/leaves.py",
        'return hmac.digest(salt, content, "sha256")',
        'return hmac.digest(b"", content, "sha256")',
        ("tests/unit/log/test_leaves.py",),
    ),
    Mutation(
        "an inclusion proof swaps its sides",
        "src/muniment/log/tree.py",
        "            found = node_hash(sibling, found)\n",
        "            found = node_hash(found, sibling)\n",
        ("tests/unit/log/test_tree.py",),
    ),
    Mutation(
        "leaves and nodes hash alike",
        "src/muniment/log/tree.py",
        'return sha256(b"\\x00" + data).digest()',
        'return sha256(b"\\x01" + data).digest()',
        ("tests/unit/log/test_tree.py", "tests/unit/log/test_leaves.py"),
    ),
    Mutation(
        "a source is not locked by its writers",
        "sql/queries/sources.sql",
        "   for no key update;",
        "   ;",
        ("tests/integration/log/test_writer_concurrency.py", "-k", "one_source_key"),
    ),
    Mutation(
        "an idempotency key is not bound to its request",
        "src/muniment/log/idempotency.py",
        'if row["request_hash"] != request:',
        "if False:",
        ("tests/integration/log/test_idempotency.py", "-k", "bound"),
    ),
    Mutation(
        "a finished request runs again",
        "src/muniment/log/idempotency.py",
        'return Claim(row["run_no"], "finished")',
        'return Claim(run_no, "fresh")',
        ("tests/integration/log/test_idempotency.py", "-k", "same_request"),
    ),
    # what is searched
    Mutation(
        "a piece of a text is lost",
        "src/muniment/sources/splitting.py",
        "                yield current\n                current = (start, end)\n",
        "                current = (start, end)\n",
        ("tests/unit/sources/test_coverage.py",),
    ),
    Mutation(
        "vector search finds closed records",
        "sql/functions/vector/search.sql",
        "and (l.live_to_commit is null or l.live_to_commit > _known_at)",
        "and true",
        ("tests/integration/vector/test_vector_search.py",),
        times=2,
    ),
    Mutation(
        "lexical search finds closed records",
        "sql/functions/lexical/maxscore.sql",
        "l.record_no = any(_records) and l.live_to_commit is not null and not l.reopened;",
        "false;",
        ("tests/integration/lexical/test_bm25.py", "tests/integration/lexical/test_maxscore.py", "-k", "closed"),
    ),
    Mutation(
        "statistics count other spaces' documents",
        "sql/functions/lexical/search.sql",
        "b.term = any((select a.lists from asked a)::text[]) and b.space_id = any(_spaces)\n",
        "b.term = any((select a.lists from asked a)::text[])\n",
        ("tests/integration/lexical/test_bm25.py",),
    ),
    # the server
    Mutation(
        "PostgreSQL outlives a killed keeper",
        "src/muniment/database/keeper.py",
        "ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, FAST_SHUTDOWN)",
        "pass",
        ("tests/integration/database/test_embedded.py", "-k", "killing_the_keeper"),
    ),
    Mutation(
        "a lost commit claims to have stored nothing",
        "src/muniment/database/pool.py",
        "                errors.outcome = ",
        "                _ = ",
        ("tests/integration/database/test_failures.py", "-k", "without_an_answer"),
    ),
)
