-- Why: a recall continues until every database and vendor has done its part, also after a crash or an outage.

create table recalls (
  task_id      bigint primary key,
  app_id       text not null references apps,
  requested_at timestamptz not null default now(),
  next_at      timestamptz default now()  -- when a worker must continue, or the end of its lease; null when it is done
);
create index recalls_due on recalls (next_at) where next_at is not null;
