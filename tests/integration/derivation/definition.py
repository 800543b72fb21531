"""Claims as the table holds them against what their definition says, at every commit."""

from typing import Any

from sqlalchemy import text

from muniment.database.pool import Database

# what the definition says at a commit of every key that any fact or claim has, beside what the table holds
_DIFFERENT = """
with key as materialized (
  select distinct k.space_id, k.subject_type, k.subject_key, k.relation
    from (select f.space_id, t.entity_type as subject_type, n.name as subject_key, r.relation
            from muniment.fact f
           cross join lateral (values (f.subject_type, f.subject_key), (f.object_type, f.object_key))
                 t (entity_type, name)
           cross join lateral muniment.entity_names(f.tenant_id, f.space_id, t.entity_type, t.name) n
           cross join lateral (
                   select f.relation
                   union
                   select m.relation from muniment.relation_names(f.tenant_id) m where m.name = f.relation) r
          union all
          select c.space_id, c.subject_type, c.subject_key, c.relation from muniment.claim c) k
), defined as materialized (
  select d.claim_id, d.subject_key, d.relation, d.object_key, d.negated, d.status, d.contested_during, d.valid_from,
         d.valid_to, d.facts, d.groups, d.fact_confidence, d.last_said_at, d.anchor_no, d.evidence, d.decisions
    from (select array_agg(space_id) as s, array_agg(subject_type) as t, array_agg(subject_key) as k,
                 array_agg(relation) as r, array_agg(cast(:commit as bigint)) as c from key) k,
         muniment.claim_definition(:tenant, k.s, k.t, k.k, k.r, k.c) d
), held as materialized (
  select c.claim_id, c.subject_key, c.relation, c.object_key, c.negated, c.status, c.contested_during, c.valid_from,
         c.valid_to, c.facts, c.groups, c.fact_confidence, c.last_said_at, c.anchor_no,
         array(select e.record_no from muniment.claim_evidence e
                where e.claim_id = c.claim_id and e.live_from_commit <= :commit
                  and (e.live_to_commit is null or e.live_to_commit > :commit) order by 1) as evidence,
         array(select x.decision_id from muniment.claim_decision x
                where x.claim_id = c.claim_id and x.live_from_commit <= :commit
                  and (x.live_to_commit is null or x.live_to_commit > :commit) order by 1) as decisions
    from muniment.claim c
   where c.live_from_commit <= :commit and (c.live_to_commit is null or c.live_to_commit > :commit)
)
(select 'missing' as what, to_jsonb(d)::text as row from defined d
 except select 'missing', to_jsonb(h)::text from held h)
union all
(select 'stray', to_jsonb(h)::text from held h
 except select 'stray', to_jsonb(d)::text from defined d)
"""


async def differences(database: Database, tenant: int) -> list[Any]:
    """The claims that are missing or stray, each with the commit at which; none once all is recompiled."""
    async with database.scope(tenant, seconds=60) as scope:
        head = (await scope.connection.execute(text("select commits from muniment.log_head"))).scalar_one()
        found: list[Any] = []
        for commit in range(1, head + 1):
            rows = await scope.connection.execute(text(_DIFFERENT), {"commit": commit, "tenant": tenant})
            found += [(commit, *row) for row in rows]
    return found
