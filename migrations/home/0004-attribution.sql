-- Why: every task has the token that sent it, and audit entries can be neither changed nor removed unnoticed.

alter table tasks
  add column token_kind text,            -- admin or user; null if the previous version accepted the task
  add column token_id bigint,            -- admin_tokens.token_id, or the first 53 bits of user_tokens.token_hash
  add column token_parent bigint;        -- the admin token that created the access token, if there is one

-- The same as accept_tasks, which the previous version calls, with the tokens.
create function accept_attributed_tasks(
  buckets smallint[], app_ids text[], authors text[], request_ids text[], body_hashes bytea[], lanes text[],
  by_ranges boolean[], strategies text[], ospush_sequences text[], audiences text[], messages text[],
  due_times timestamptz[], not_after_times timestamptz[], group_ids bigint[], token_kinds text[], token_ids bigint[],
  token_parents bigint[], lifetime interval
) returns table (task_position int, accepted_id bigint) language plpgsql as $$
declare
  ids bigint[] := array(select mint_task_id(b, row_number() over (partition by b order by i) - 1)
                          from unnest(buckets) with ordinality as u (b, i)
                         order by i);
  pending int[];
  inserted int[];
  ticks float8;
begin
  if num_nonnulls(variadic request_ids) = 0 then
    pending := array(select generate_series(1, cardinality(ids)));
  else
    with keyed as (
      insert into request_keys (bucket, app_id, author, request_id, task_id, body_hash)
      select bucket, app_id, author, request_id, task_id, body_hash
        from unnest(buckets, app_ids, authors, request_ids, ids, body_hashes)
             as u (bucket, app_id, author, request_id, task_id, body_hash)
       where request_id is not null
       order by app_id, bucket, author, request_id
      on conflict do nothing
      returning bucket, app_id, author, request_id
    )
    select coalesce(array_agg(i::int), '{}') into pending
      from unnest(buckets, app_ids, authors, request_ids) with ordinality as u (bucket, app_id, author, request_id, i)
     where request_id is null or (bucket, app_id, author, request_id) in (select * from keyed);
  end if;
  for attempt in 1..100 loop
    with added as (
      insert into tasks (task_id, app_id, author, group_id, lane, by_range, strategy, ospush_sequence, audience, message,
                         due_at, not_after, next_at, token_kind, token_id, token_parent)
      select ids[i], app_ids[i], authors[i], group_ids[i], lanes[i], by_ranges[i], strategies[i],
             string_to_array(ospush_sequences[i], ','), audiences[i], messages[i], due.at,
             coalesce(not_after_times[i], due.at + lifetime), due.at, token_kinds[i], token_ids[i], token_parents[i]
        from unnest(pending) as p (i), lateral (select coalesce(due_times[i], now())) as due (at)
       order by ids[i], i
      on conflict do nothing
      returning task_id
    )
    -- If two of the tasks got the same ID, the first of them was inserted.
    select coalesce(array_agg(i), '{}') into inserted
      from (select distinct on (ids[i]) i from unnest(pending) as p (i) order by ids[i], i) as first
     where ids[i] in (select task_id from added);
    return query select i, ids[i] from unnest(inserted) as p (i);
    pending := array(select i from unnest(pending) as p (i) where i <> all(inserted));
    exit when cardinality(pending) = 0;
    -- Each attempt chooses from a longer time, because the next IDs may be taken too. A further attempt does not insert in the order
    -- of all IDs, so it could deadlock with another call. It then fails soon, and the caller repeats the call.
    ticks := least(cardinality(pending) * 2 ^ (attempt + 3), 512 * 1024);
    perform set_config('lock_timeout', '50ms', true);
    ids := array(select case when i = any(pending) then mint_task_id(b, floor(random() * ticks)::bigint) else ids[i] end
                   from unnest(buckets) with ordinality as u (b, i)
                  order by i);
    update request_keys k
       set task_id = ids[i]
      from unnest(pending) as p (i)
     where (k.bucket, k.app_id, k.author, k.request_id) = (buckets[i], app_ids[i], authors[i], request_ids[i]);
  end loop;
  if cardinality(pending) > 0 then
    raise exception 'No free task ID was found in 100 attempts.';
  end if;
end
$$;

-- A created object gets its ID after its entry is written, so a second entry has the ID.
alter table audit add column result_of bigint; -- the entry of the same call that was written before the call ran

-- Entries are chained in the order of their IDs: a hash covers an entry and the hash of the entry before it.
create table audit_chain (
  audit_id bigint primary key,
  previous bytea not null,               -- the hash of the previous entry, or 32 zero bytes for the first entry
  hash     bytea not null
);

-- Entries are deleted only after 400 days. `src/storage/users/audit.ts` has the same number.
create function protect_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '400 days' then
    return old;
  end if;
  -- The previous version adds the ID of a created object to its entry. Instead, a second entry gets the ID.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'detail' = to_jsonb(old) - 'detail' then
    insert into audit (app_id, token_id, token_name, operation, detail, address, result_of)
    values (old.app_id, old.token_id, old.token_name, old.operation, new.detail, old.address, old.audit_id);
    return null;
  end if;
  raise exception 'Audit entries cannot be changed, and cannot be deleted for 400 days.';
end
$$;

create function protect_audit_chain() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from audit a where a.audit_id = old.audit_id) then
    return old;
  end if;
  raise exception 'Links of the audit chain cannot be changed, and are deleted only with their entry.';
end
$$;

create function delete_audit_link() returns trigger language plpgsql as $$
begin
  delete from audit_chain where audit_id = old.audit_id;
  return null;
end
$$;

-- compatible: the previous version inserts entries, adds to their detail, and deletes entries after 400 days
create trigger audit_protected before update or delete on audit for each row execute function protect_audit();
-- compatible: the previous version does not truncate the table
create trigger audit_not_truncated before truncate on audit for each statement execute function protect_audit();
-- compatible: the previous version does not know the links, which are deleted with the entries
create trigger audit_link_deleted after delete on audit for each row execute function delete_audit_link();
-- compatible: the previous version does not know this table
create trigger audit_chain_protected before update or delete on audit_chain
  for each row execute function protect_audit_chain();
-- compatible: the previous version does not know this table
create trigger audit_chain_not_truncated before truncate on audit_chain
  for each statement execute function protect_audit_chain();
