-- Why: if many tasks got an ID that was taken, calls that ran at the same time chose the same IDs again and failed.

-- compatible: the previous version calls this function, and its arguments and result are the same
create or replace function accept_attributed_tasks(
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
    -- Calls that run at the same time have about as many conflicts, so the time grows with the square: few of them choose an ID that
    -- another call has chosen. Such a call would wait, and could deadlock, because a further attempt does not insert in the order of
    -- all IDs. It fails soon, and the caller repeats the call.
    ticks := least(16 * cardinality(pending) ^ 2 * 2 ^ (attempt - 1), 512 * 1024);
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
