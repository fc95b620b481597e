-- Why: the operator of the installation limits what each app can use. Processes compare these ceilings with counts that are
-- refreshed in the background, so that no push and no login needs another statement.

-- Null means the default of the settings. 0 means no ceiling.
create table app_ceilings (
  app_id            text primary key references apps,
  notify_per_second bigint check (notify_per_second >= 0),
  open_tasks        bigint check (open_tasks >= 0),
  users             bigint check (users >= 0),
  devices           bigint check (devices >= 0),
  stored_bytes      bigint check (stored_bytes >= 0),
  sessions          bigint check (sessions >= 0)
);

-- API processes add what they create, every few seconds. A worker counts regularly, and corrects the row. Unlogged: after a crash
-- of PostgreSQL, the next count restores the rows.
create unlogged table app_usage (
  app_id     text primary key,
  open_tasks bigint not null default 0,
  users      bigint not null default 0,
  devices    bigint not null default 0,
  inbox_rows bigint not null default 0   -- notifications that wait in inboxes
);

-- Bytes of the messages and audiences of each day's tasks, which are deleted together with the day.
create table stored_bytes (
  app_id text not null,
  day    int not null,                   -- counted from 2026-01-01, as in the names of the partitions
  bytes  bigint not null,
  primary key (app_id, day)
);
create index stored_bytes_by_day on stored_bytes (day);

-- The number of connected devices, which each gateway reports.
create unlogged table app_sessions (
  app_id   text not null,
  gateway  text not null,
  sessions int not null,
  at       timestamptz not null,
  primary key (app_id, gateway)
);
