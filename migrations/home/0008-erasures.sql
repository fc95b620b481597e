-- Why: the erasure of a user continues until every database has done its part, also after a crash or an outage.

create table erasures (
  erasure_id   bigint generated always as identity primary key,
  app_id       text not null references apps,
  user_id      bigint not null,
  buckets      smallint[] not null,      -- the buckets whose devices are not known to be erased
  -- The names of the user in other rows. They are removed when the erasure is done.
  aliases      text[] not null default '{}',
  device_ids   bigint[] not null default '{}',
  device_guids text[] not null default '{}',
  push_tokens  text[] not null default '{}',
  tasks_after  bigint not null default 0, -- all tasks up to this one are done
  requested_at timestamptz not null default now(),
  next_at      timestamptz default now(), -- when a worker must continue, or the end of its lease; null when it is done
  done_at      timestamptz,
  unique (app_id, user_id)
);
create index erasures_due on erasures (next_at) where next_at is not null;
create index erasures_by_app on erasures (app_id, erasure_id);
