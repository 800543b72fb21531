-- Erasing what was kept of sources that could not be read. Created, and so run, as the role that may erase.
set local role muniment_eraser;

-- Erases those of the originals that no version of a source and no item of a run has any more. Reads the tenant's versions and items of
-- the same bytes.
create or replace function muniment.erase_unused(_tenant bigint, _blobs bytea[])
returns void language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from muniment.blob b
     where b.tenant_id = _tenant
       and b.sha256 = any (_blobs)
       and not exists (select from muniment.source_version v
                        where v.tenant_id = _tenant and v.space_id = b.space_id and v.blob_sha256 = b.sha256)
       and not exists (select from muniment.ingestion_item i
                        where i.tenant_id = _tenant and i.space_id = b.space_id and i.blob_sha256 = b.sha256)
    returning b.size
  )
  insert into muniment.usage_entry (tenant_id, bytes_erased)
  select _tenant, sum(g.size) from gone g having count(*) > 0;
$$;

-- Erases what runs keep of their failed items, to be tried again: bytes that no version of a source and no other run has, names, and what
-- was said of the failure. Whoever tries one again at the same time finds that it was tried since. Reads the tenant's items of
-- the same bytes.
create or replace function muniment.erase_inputs(_tenant bigint, _runs bigint[])
returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  _blobs bytea[];
begin
  with gone as (
    update muniment.ingestion_item i
       set input = '{}', error_detail = null, error_facts = null, source_key = null, blob_sha256 = null, attempts = i.attempts + 1
     where i.tenant_id = _tenant
       and i.run_no = any (_runs)
       and i.state = 'failed'
    returning old.blob_sha256
  )
  select array_agg(distinct g.blob_sha256) into _blobs from gone g where g.blob_sha256 is not null;
  perform muniment.erase_unused(_tenant, _blobs);
  delete from muniment.idempotency d where d.tenant_id = _tenant and d.run_no = any (_runs);
end $$;

revoke all on function muniment.erase_unused(bigint, bytea[]), muniment.erase_inputs(bigint, bigint[]) from public;
grant execute on function muniment.erase_inputs(bigint, bigint[]) to muniment_app;

set local role muniment_owner;
