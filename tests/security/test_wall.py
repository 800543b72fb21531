"""The wall between tenants as the catalog has it, held against the matrix in ``policies``."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import psycopg
import pytest
from policies import (
    CONDEMNED_CLAUSE,
    DEFINERS,
    FUNCTIONS,
    KEYS_WITHOUT_TENANT,
    LOGIN_CLAUSE,
    MATERIALIZED_VIEWS,
    OTHER_TABLES,
    OURS,
    REMOVER,
    ROLES,
    SCHEMAS,
    SEQUENCES,
    SPACE_CLAUSE,
    TENANT_CLAUSE,
    TENANT_TABLES,
    VIEWS,
)

from muniment.database.migrate import migrate
from muniment.database.setup import driver_conninfo

Rows = list[tuple[Any, ...]]
Catalog = Callable[[str], Rows]


@pytest.fixture(scope="module")
def catalog(fresh_database: Callable[[], AbstractContextManager[str]]) -> Iterator[Catalog]:
    """Runs a question about our schemas (``:ours``) as superuser."""
    with fresh_database() as url, psycopg.connect(driver_conninfo(url), autocommit=True) as connection:
        migrate(url)  # a copied database does not inherit its template's grants on the database itself

        def ask(statement: str) -> Rows:
            return connection.execute(statement, {"ours": list(OURS)}).fetchall()

        yield ask


def _tables(catalog: Catalog, kinds: str) -> dict[str, bool]:
    """Our relations of these kinds, with whether they have a tenant_id."""
    return {
        name: has_tenant
        for name, kind, has_tenant in catalog("""
            select n.nspname || '.' || c.relname, c.relkind, exists (
                     select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
              from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = any(%(ours)s)""")
        if kind in kinds
    }


def test_every_table_has_an_entry_and_every_entry_a_table(catalog: Catalog) -> None:
    found = _tables(catalog, "rp")
    assert {name for name, has_tenant in found.items() if has_tenant} == set(TENANT_TABLES)
    assert {name for name, has_tenant in found.items() if not has_tenant} == set(OTHER_TABLES)


def test_every_view_sequence_and_schema_has_an_entry(catalog: Catalog) -> None:
    assert set(_tables(catalog, "v")) == set(VIEWS)
    assert set(_tables(catalog, "m")) == set(MATERIALIZED_VIEWS)
    assert set(_tables(catalog, "S")) == set(SEQUENCES)
    assert set(_tables(catalog, "f")) == set(), "foreign tables carry no policies"
    schemas = catalog("select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'")
    assert {name for (name,) in schemas} == {*OURS, "public"}


def test_every_tenant_table_enforces_row_security_on_its_owner_too(catalog: Catalog) -> None:
    rows = catalog("""
        select c.oid::regclass::text, c.relrowsecurity, c.relforcerowsecurity from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and c.relkind in ('r', 'p') and exists (
                 select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')""")
    assert len(rows) == len(TENANT_TABLES)
    assert [name for name, enabled, forced in rows if not (enabled and forced)] == []


def test_each_tenant_table_has_exactly_the_policies_that_the_matrix_says(catalog: Catalog) -> None:
    found: dict[str, dict[str, tuple[Any, ...]]] = defaultdict(dict)
    for table, name, *rest in catalog("""
        select schemaname || '.' || tablename, policyname, permissive, roles::text[], cmd, qual, with_check
          from pg_policies"""):
        found[table][name] = tuple(rest)
    expected: dict[str, dict[str, tuple[Any, ...]]] = {}
    for table, rule in TENANT_TABLES.items():
        clause = f"({TENANT_CLAUSE} AND {SPACE_CLAUSE})" if rule.pinned else TENANT_CLAUSE
        expected[table] = {
            # without a with_check of its own, a policy for all commands checks new rows by the same clause
            "app": ("PERMISSIVE", ["muniment_app"], "ALL", clause, None),
            "analyst": ("PERMISSIVE", ["muniment_analyst"], "SELECT", LOGIN_CLAUSE, None),
        }
        # of the tenants themselves the function asks that they were given up: a policy cannot ask its own table
        condemned = TENANT_CLAUSE if table == "muniment_auth.tenant" else CONDEMNED_CLAUSE
        expected[table]["remover"] = ("PERMISSIVE", ["muniment_remover"], "ALL", condemned, None)
        if rule.resolver:
            expected[table]["resolver"] = ("PERMISSIVE", ["muniment_resolver"], "SELECT", "true", None)
        if rule.watchdog:
            expected[table]["watchdog"] = ("PERMISSIVE", ["muniment_watchdog"], "SELECT", "true", None)
        if rule.reporter:
            expected[table]["reporter"] = ("PERMISSIVE", ["muniment_reporter"], "SELECT", "true", None)
        if rule.event:
            whole = f"({TENANT_CLAUSE} AND (event = '{rule.event}'::text))"
            expected[table][f"app_{rule.event}"] = ("PERMISSIVE", ["muniment_app"], "SELECT", whole, None)
        if rule.eraser:
            expected[table]["eraser"] = ("PERMISSIVE", ["muniment_eraser"], "ALL", TENANT_CLAUSE, None)
    assert dict(found) == expected


def test_every_tenant_table_has_a_space_unless_it_says_why_not(catalog: Catalog) -> None:
    rows = catalog("""
        select n.nspname || '.' || c.relname, a.attname, a.attnotnull, format_type(a.atttypid, a.atttypmod)
          from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and a.attname in ('tenant_id', 'space_id') and c.relkind in ('r', 'p')""")
    tenant = {table: (notnull, kind) for table, column, notnull, kind in rows if column == "tenant_id"}
    space = {table: kind for table, column, _, kind in rows if column == "space_id"}
    assert tenant == dict.fromkeys(TENANT_TABLES, (True, "bigint"))
    assert space == {table: "bigint" for table, rule in TENANT_TABLES.items() if rule.no_space is None}


def test_every_key_of_a_tenant_table_starts_with_the_tenant(catalog: Catalog) -> None:
    constraints = catalog("""
        select n.nspname || '.' || k.conname, k.contype, a.attname, f.attname
          from pg_constraint k
          join pg_class c on c.oid = k.conrelid
          join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
          left join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
         where n.nspname = any(%(ours)s) and k.contype in ('p', 'u', 'f', 'x') and exists (
                 select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')""")
    indexes = catalog("""
        select n.nspname || '.' || i.relname, a.attname
          from pg_index x
          join pg_class i on i.oid = x.indexrelid
          join pg_namespace n on n.oid = i.relnamespace
          left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
         where n.nspname = any(%(ours)s) and exists (
                 select from pg_attribute t where t.attrelid = x.indrelid and t.attname = 'tenant_id')""")
    assert len(constraints) > len(TENANT_TABLES)
    oblique = {name for name, kind, column, target in constraints if column != "tenant_id"}
    oblique |= {name for name, kind, _, target in constraints if kind == "f" and target != "tenant_id"}
    oblique |= {name for name, column in indexes if column != "tenant_id"}
    assert oblique == set(KEYS_WITHOUT_TENANT)


def test_every_tenant_table_has_a_primary_key(catalog: Catalog) -> None:
    rows = catalog("""
        select n.nspname || '.' || c.relname from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
         where k.contype = 'p' and n.nspname = any(%(ours)s)""")
    assert set(TENANT_TABLES) <= {name for (name,) in rows}


def _grants(rows: Rows) -> dict[str, dict[str, set[str]]]:
    """What each relation grants to whom besides its owner."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, owner, grantee, privilege in rows:
        if grantee != owner:
            found[name][grantee].add(privilege.lower())
    return {name: dict(by_role) for name, by_role in found.items()}


def _words(privileges: dict[str, str]) -> dict[str, set[str]]:
    return {role: set(words.split(", ")) for role, words in privileges.items() if words}


def test_grants_on_relations_are_the_matrix(catalog: Catalog) -> None:
    expected: dict[str, dict[str, set[str]]] = {}
    for name, rule in TENANT_TABLES.items():
        roles = {"muniment_app": rule.app, "muniment_analyst": rule.analyst, "muniment_resolver": rule.resolver}
        roles |= {"muniment_eraser": rule.eraser, "muniment_watchdog": rule.watchdog}
        roles |= {"muniment_reporter": rule.reporter, "muniment_remover": REMOVER}
        expected[name] = _words(roles)
    expected |= {name: _words(roles) for name, (roles, _) in OTHER_TABLES.items()}
    expected |= {name: _words(roles) for name, roles in (VIEWS | MATERIALIZED_VIEWS | SEQUENCES).items()}
    rows = catalog("""
        select n.nspname || '.' || c.relname, c.relowner::regrole::text,
               case when g.grantee = 0 then 'public' else g.grantee::regrole::text end, g.privilege_type
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace,
               aclexplode(coalesce(c.relacl, acldefault((case c.relkind when 'S' then 's' else 'r' end)::"char", c.relowner))) g
         where n.nspname = any(%(ours)s)""")  # noqa: E501
    assert _grants(rows) == {name: roles for name, roles in expected.items() if roles}


def test_nothing_is_granted_on_single_columns(catalog: Catalog) -> None:
    assert (
        catalog("""
        select c.relname, a.attname from pg_attribute a
          join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and a.attacl is not null""")
        == []
    )


def test_nothing_of_ours_is_granted_to_public_or_may_be_granted_on(catalog: Catalog) -> None:
    rows = catalog("""
        with acl as (
          select c.relnamespace as namespace, c.relname::text as name, c.relowner as owner,
                 coalesce(c.relacl, acldefault((case c.relkind when 'S' then 's' else 'r' end)::"char", c.relowner))
                   as list
            from pg_class c
          union all
          select p.pronamespace, p.proname, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner)) from pg_proc p
          union all
          select n.oid, n.nspname, n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner)) from pg_namespace n)
        select a.name, g.privilege_type from acl a join pg_namespace n on n.oid = a.namespace, aclexplode(a.list) g
         where n.nspname = any(%(ours)s) and (g.grantee = 0 or g.is_grantable and g.grantee <> a.owner)""")
    assert rows == []


def test_nobody_has_temporary_tables_or_may_create_schemas(catalog: Catalog) -> None:
    rows = catalog("""
        select case when g.grantee = 0 then 'public' else g.grantee::regrole::text end, g.privilege_type
          from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) g
         where d.datname = current_database() and g.grantee <> d.datdba""")
    connecting = {"public", "muniment_app", "muniment_analyst", "muniment_ops"}
    assert {(role, privilege) for role, privilege in rows} == {(role, "CONNECT") for role in connecting}


def test_grants_on_schemas_are_the_matrix(catalog: Catalog) -> None:
    rows = catalog("""
        select n.nspname, n.nspowner::regrole::text,
               case when g.grantee = 0 then 'public' else g.grantee::regrole::text end, g.privilege_type
          from pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) g
         where n.nspname = any(%(ours)s)""")
    assert _grants(rows) == {name: _words(roles) for name, roles in SCHEMAS.items()}
    public = catalog("""
        select g.grantee::regrole::text, g.privilege_type from pg_namespace n, aclexplode(n.nspacl) g
         where n.nspname = 'public' and g.grantee <> n.nspowner""")
    assert public == [("-", "USAGE")], "public holds the extensions and takes nothing new"


def test_no_default_privileges_hand_out_what_comes_later(catalog: Catalog) -> None:
    assert catalog("select defaclrole::regrole::text, defaclacl from pg_default_acl") == []


def _functions(catalog: Catalog) -> Rows:
    return catalog("""
        select n.nspname || '.' || p.proname, p.proowner::regrole::text, p.prosecdef, p.proconfig, p.proleakproof, p.prokind,
               (select coalesce(array_agg(case when g.grantee = 0 then 'public' else g.grantee::regrole::text end order by 1), '{}')
                  from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g where g.grantee <> p.proowner)
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = any(%(ours)s) order by 1""")  # noqa: E501


def test_every_function_has_one_form_and_the_callers_that_the_matrix_says(catalog: Catalog) -> None:
    found = [(name, tuple(callers)) for name, *_, callers in _functions(catalog)]
    assert len(found) == len(dict(found)), "an overloaded function: a driver picks one by the size of a number"
    assert dict(found) == FUNCTIONS


def test_only_the_written_definers_run_as_their_owner(catalog: Catalog) -> None:
    found = {name: owner for name, owner, definer, *_ in _functions(catalog) if definer}
    assert found == DEFINERS
    others = {owner for _, owner, definer, *_ in _functions(catalog) if not definer}
    assert others == {"muniment_owner"}


def test_every_function_fixes_its_search_path_and_claims_no_leakproofness(catalog: Catalog) -> None:
    fixed = ('search_path=""', "search_path=pg_catalog", "search_path=pg_catalog, pg_temp")
    loose = {name for name, _, _, config, *_ in _functions(catalog) if not set(fixed) & set(config or ())}
    parsed = "select p.oid::regproc::text from pg_proc p where p.prosqlbody is not null and not p.prosecdef"
    assert loose <= {name for (name,) in catalog(parsed)}  # whose names were resolved when they were made
    assert [name for name, _, definer, config, *_ in _functions(catalog) if definer and fixed[0] not in config] == []
    assert [name for name, *_, leakproof, _, _ in _functions(catalog) if leakproof] == []


def test_the_owners_of_definers_may_touch_what_they_need_and_nothing_else(catalog: Catalog) -> None:
    rows = catalog("""
        select g.grantee::regrole::text, n.nspname || '.' || c.relname, lower(g.privilege_type)
          from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) g
         where g.grantee::regrole::text in ('muniment_resolver', 'muniment_dispatcher', 'muniment_eraser',
                                             'muniment_watchdog', 'muniment_reporter', 'muniment_remover')
           and c.relowner <> g.grantee""")
    expected = {("muniment_resolver", name, "select") for name, rule in TENANT_TABLES.items() if rule.resolver}
    for name, rule in TENANT_TABLES.items():
        expected |= {("muniment_eraser", name, word) for word in rule.eraser.split(", ") if word}
    expected |= {("muniment_eraser", name, "select") for name, granted in VIEWS.items() if "muniment_eraser" in granted}
    expected |= {("muniment_reporter", name, "select") for name, rule in TENANT_TABLES.items() if rule.reporter}
    expected |= {("muniment_remover", name, word) for name in TENANT_TABLES for word in REMOVER.split(", ")}
    expected |= {("muniment_reporter", "muniment_jobs.queue", "select")}
    expected |= {("muniment_watchdog", name, "select") for name, rule in TENANT_TABLES.items() if rule.watchdog}
    for name in ("muniment_jobs.queue", "muniment_jobs.turn", "muniment_auth.instance"):
        words = OTHER_TABLES[name][0]["muniment_dispatcher"].split(", ")
        expected |= {("muniment_dispatcher", name, privilege) for privilege in words}
    assert set(rows) == expected
    assert {role for role, *_ in rows} == set(DEFINERS.values())


def test_views_run_as_their_reader(catalog: Catalog) -> None:
    rows = catalog("""
        select n.nspname || '.' || c.relname, coalesce(c.reloptions, '{}')
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and c.relkind = 'v'""")
    assert [name for name, options in rows if "security_invoker=true" not in options] == []


def test_no_rule_or_trigger_of_users_hides_in_a_table(catalog: Catalog) -> None:
    rows = catalog("""
        select t.tgrelid::regclass::text, t.tgname from pg_trigger t
          join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and not t.tgisinternal
        union all
        select r.ev_class::regclass::text, r.rulename from pg_rewrite r
          join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and r.rulename <> '_RETURN'""")
    assert rows == []


def test_everything_but_the_definers_belongs_to_the_owner(catalog: Catalog) -> None:
    rows = catalog("""
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and c.relkind not in ('m', 't') and c.relowner <> 'muniment_owner'::regrole
        union all
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any(%(ours)s) and c.relkind = 'm' and c.relowner <> 'muniment_reporter'::regrole
        union all
        select n.nspname from pg_namespace n
         where n.nspname = any(%(ours)s) and n.nspowner <> 'muniment_owner'::regrole""")
    assert rows == []


def test_every_role_is_plain_and_a_member_of_nothing(catalog: Catalog) -> None:
    rows = catalog("""
        select rolname, rolcanlogin, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
          from pg_roles where rolname like 'muniment%%'""")
    assert {name: login for name, login, _ in rows if name in ROLES} == ROLES
    assert {name for name, *_ in rows} == set(ROLES), "a test left a role behind, or a role has no entry"
    assert [name for name, _, powerful in rows if powerful] == []
    members = catalog("""
        select m.member::regrole::text, m.roleid::regrole::text from pg_auth_members m
         where m.member::regrole::text like 'muniment%%'""")
    assert members == []
