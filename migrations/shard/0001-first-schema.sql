-- Why: every row of a device or of the ledger has a bucket, so that buckets can be in other databases.

create sequence device_numbers;

create table devices (
  app_id          text not null,
  bucket          smallint not null check (bucket between 0 and 4095),
  device_id       bigint not null,       -- a number of the sequence times 4,096, plus the bucket
  device_guid     text not null,
  user_id         bigint,
  former_user_id  bigint,                -- the user who was logged out last, so that erasing a user also finds the device
  generation      int not null default 1, -- increases when the device gets another owner
  push_token      text not null,
  alias           text,
  reach           int not null default 0, -- live bindings, a bit per vendor and environment
  latest_domestic text,
  seen_on         date not null default current_date,
  registered_at   timestamptz not null,  -- by the clock of the home database, like the due times of tasks
  primary key (app_id, bucket, device_id),
  check (device_id % 4096 = bucket)
);
create unique index devices_by_guid on devices (app_id, device_guid);
create unique index devices_by_push_token on devices (app_id, push_token);
create index devices_by_user on devices (app_id, user_id) where user_id is not null;
create index devices_by_former_user on devices (app_id, former_user_id) where former_user_id is not null;
-- Devices without a user are deleted after some time.
create index devices_without_user on devices (seen_on) where user_id is null;

-- Ended bindings are kept for some time, because a vendor's receipt may name a token that was replaced.
create table bindings (
  app_id      text not null,
  bucket      smallint not null,
  device_id   bigint not null,
  channel     text not null,
  token_hash  bytea not null,
  token       text not null,
  environment smallint not null check (environment in (0, 1)),
  bound_at    timestamptz not null default now(),
  ended_at    timestamptz,
  ended_why   text,
  primary key (app_id, bucket, device_id, channel, token_hash)
);
create unique index bindings_live on bindings (app_id, bucket, device_id, channel) where ended_at is null;
create index bindings_by_end on bindings (ended_at) where ended_at is not null;

-- The number on the app's icon, for devices with an APNs binding. The last tasks that changed it are kept, so that a task that
-- is repeated after a crash gets the same value.
create table badges (
  app_id        text not null,
  bucket        smallint not null,
  device_id     bigint not null,
  badge         int not null,
  recent_tasks  bigint[] not null,
  recent_values int[] not null,
  primary key (app_id, bucket, device_id)
);

create table tags (
  app_id    text not null,
  tag       text not null,
  bucket    smallint not null,
  device_id bigint not null,
  primary key (app_id, tag, bucket, device_id)
);
create index tags_by_device on tags (bucket, device_id);

create table inbox (
  app_id       text not null,
  bucket       smallint not null,
  device_id    bigint not null,
  task_id      bigint not null,
  generation   int not null,
  slice_bucket smallint not null,        -- the slice and place that the receipt is for
  slice        int not null,
  place        smallint not null,
  n            smallint not null,
  expires_at   timestamptz not null,
  primary key (bucket, device_id, task_id)
);
create index inbox_by_expiry on inbox (expires_at);

-- A part of a task's audience that is turned into slices in one transaction. A list has one part. All devices, or those with a
-- tag, are divided into ranges of the key (bucket, device_id). A group is divided into ranges of user IDs.
create table expansions (
  task_id     bigint not null,
  bucket      smallint not null,         -- the first bucket of the range, and the bucket of the slices
  after_id    bigint not null,           -- the range begins after this device of the bucket, or after this user
  last_bucket smallint not null,
  last_id     bigint not null,           -- the range ends with this device of last_bucket, or with this user
  app_id      text not null,
  lane        text not null,
  state       text not null check (state in ('ready', 'leased', 'done')),
  epoch       int not null default 0,
  next_at     timestamptz not null,      -- as in slices
  cancelled   boolean not null default false,
  done_at     timestamptz,
  primary key (task_id, bucket, after_id)
);
create index expansions_due on expansions (lane, next_at) where state <> 'done';
create index expansions_due_by_app on expansions (lane, app_id, next_at) where state <> 'done';

create sequence slice_numbers as int cycle;

create table slices (
  task_id         bigint not null,
  bucket          smallint not null,
  slice           int not null,
  app_id          text not null,
  channel         text not null,
  lane            text not null,
  n               smallint not null check (n between 1 and 512),
  state           text not null check (state in ('ready', 'leased', 'awaiting', 'waiting', 'closed')),
  epoch           int not null default 0,
  next_at         timestamptz not null,  -- when a worker must process it; for a leased slice, the end of the lease
  attempts        smallint not null default 0,
  cancelled       boolean not null default false,
  tried           text[] not null default '{}', -- the channels these devices were tried on before
  native_slice    int,                   -- their previous nativepush slice in the same task and bucket, if any
  status          bytea not null,        -- one byte per place
  sent            varbit not null,
  received        varbit not null,
  history         text[] not null default '{}', -- an entry per write: the time in milliseconds, then words and places
  history_dropped int not null default 0, -- number of entries that were removed from the middle to limit the size
  primary key (task_id, bucket, slice)
) partition by range (task_id);
create index slices_due on slices (lane, next_at) where state <> 'closed';
-- With a backlog, apps take turns, and the due slices of an app must be found without scanning those of other apps.
create index slices_due_by_app on slices (lane, app_id, next_at) where state <> 'closed';

-- The devices of the places. Written once, never changed.
create table slice_targets (
  task_id     bigint not null,
  bucket      smallint not null,
  slice       int not null,
  device_ids  bigint[] not null,
  generations int[] not null,
  primary key (task_id, bucket, slice)
) partition by range (task_id);

-- The gateway of each connected device. Unlogged: after a crash the gateways write it again.
create unlogged table gateways (
  gateway      text primary key,
  epoch        int not null,
  heartbeat_at timestamptz not null
);

create unlogged table sessions (
  bucket         smallint not null,
  device_id      bigint not null,
  gateway        text not null,
  epoch          int not null,
  generation     int not null,
  online         boolean not null,
  since          timestamptz not null,   -- time of connection by the clock of this database
  replaced       text,                   -- the gateway from which the last announcement took the device
  takeovers      smallint not null default 0, -- number of connections that took over from a live one
  takeovers_from timestamptz not null default '-infinity', -- start of the period in which they are counted
  primary key (bucket, device_id)
);
create index sessions_by_gateway on sessions (gateway);
