-- Why: every row of a device or of the ledger has a shard, so that shards can be on other servers.

create sequence device_numbers;

create table devices (
  app_id          text not null,
  shard           smallint not null check (shard between 0 and 63),
  device_id       bigint not null,     -- a number of the sequence times 64, plus the shard
  device_guid     text not null,
  user_id         bigint,
  generation      int not null default 1, -- increases when the device gets another owner
  push_token      text not null,
  reach           int not null default 0, -- live bindings, a bit per vendor and environment
  latest_domestic text,
  seen_on         date not null default current_date,
  registered_at   timestamptz not null, -- by the clock of the home database, like the due times of tasks
  primary key (app_id, shard, device_id),
  check (device_id % 64 = shard)
);
create unique index devices_by_guid on devices (app_id, device_guid);
create unique index devices_by_push_token on devices (app_id, push_token);
create index devices_by_user on devices (app_id, user_id) where user_id is not null;

-- Ended bindings are kept for some time, because a vendor's receipt may name a token that was replaced.
create table bindings (
  app_id      text not null,
  shard       smallint not null,
  device_id   bigint not null,
  channel     text not null,
  token_hash  bytea not null,
  token       text not null,
  environment smallint not null check (environment in (0, 1)),
  bound_at    timestamptz not null default now(),
  ended_at    timestamptz,
  ended_why   text,
  primary key (app_id, shard, device_id, channel, token_hash)
);
create unique index bindings_live on bindings (app_id, shard, device_id, channel) where ended_at is null;

-- The number on the app's icon, for devices with an APNs binding. The last tasks that changed it are kept, so that a task that
-- is repeated after a crash gets the same value.
create table badges (
  app_id        text not null,
  shard         smallint not null,
  device_id     bigint not null,
  badge         int not null,
  recent_tasks  bigint[] not null,
  recent_values int[] not null,
  primary key (app_id, shard, device_id)
);

create table inbox (
  app_id      text not null,
  shard       smallint not null,
  device_id   bigint not null,
  task_id     bigint not null,
  generation  int not null,
  slice_shard smallint not null,       -- the slice and place that the receipt is for
  slice       int not null,
  place       smallint not null,
  n           smallint not null,
  expires_at  timestamptz not null,
  primary key (shard, device_id, task_id)
);
create index inbox_by_expiry on inbox (expires_at);

create table expansions (
  task_id   bigint not null,
  shard     smallint not null,
  app_id    text not null,
  lane      text not null,
  state     text not null check (state in ('ready', 'leased', 'done')),
  epoch     int not null default 0,
  next_at   timestamptz not null,      -- as in slices
  cancelled boolean not null default false,
  done_at   timestamptz,
  primary key (task_id, shard)
);
create index expansions_due on expansions (lane, next_at) where state <> 'done';

create sequence slice_numbers as int cycle;

create table slices (
  task_id      bigint not null,
  shard        smallint not null,
  slice        int not null,
  app_id       text not null,
  channel      text not null,
  lane         text not null,
  n            smallint not null check (n between 1 and 512),
  state        text not null check (state in ('ready', 'leased', 'awaiting', 'waiting', 'closed')),
  epoch        int not null default 0,
  next_at      timestamptz not null,   -- when a worker must process it; for a leased slice, the end of the lease
  attempts     smallint not null default 0,
  cancelled    boolean not null default false,
  tried        text[] not null default '{}', -- the channels these devices were tried on before
  native_slice int,                    -- their previous nativepush slice in the same task and shard, if any
  status       bytea not null,         -- one byte per place
  sent         varbit not null,
  received     varbit not null,
  primary key (task_id, shard, slice)
) partition by range (task_id);
create index slices_due on slices (lane, next_at) where state <> 'closed';

-- The devices of the places. Written once, never changed.
create table slice_targets (
  task_id     bigint not null,
  shard       smallint not null,
  slice       int not null,
  device_ids  bigint[] not null,
  generations int[] not null,
  primary key (task_id, shard, slice)
) partition by range (task_id);

-- The gateway of each connected device. Unlogged: after a crash the gateways write it again.
create unlogged table gateways (
  gateway      text primary key,
  epoch        int not null,
  heartbeat_at timestamptz not null
);

create unlogged table sessions (
  shard      smallint not null,
  device_id  bigint not null,
  gateway    text not null,
  epoch      int not null,
  generation int not null,
  online     boolean not null,
  since      timestamptz not null,     -- time of connection by the clock of this database
  primary key (shard, device_id)
);
create index sessions_by_gateway on sessions (gateway);
