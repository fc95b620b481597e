-- Why: the data that does not depend on devices: apps, users, their tokens, credentials, and accepted tasks.

create table apps (
  app_id      text primary key,
  name        text not null,
  token_days  int not null default 90 check (token_days between 1 and 3650),
  public_key  text not null,           -- Ed25519, PEM: a separate file service verifies store tokens with it
  private_key bytea not null,          -- sealed
  disabled_at timestamptz,
  created_at  timestamptz not null default now()
);

create sequence user_numbers start 100001;

create table users (
  app_id        text not null references apps,
  user_id       bigint not null,
  name          text,
  mobile        text,
  email         text,
  password_hash text,                  -- argon2id, PHC string
  disabled_at   timestamptz,
  created_at    timestamptz not null default now(),
  primary key (app_id, user_id)
);
create unique index users_by_name on users (app_id, name);
create unique index users_by_mobile on users (app_id, mobile);
create unique index users_by_email on users (app_id, email);

-- The primary key is the token hash without app_id: a device on the Carillon channel sends only its token, and the app is
-- read from this row.
create table user_tokens (
  token_hash bytea primary key,
  app_id     text not null,
  user_id    bigint not null,
  device_id  bigint,                   -- the device that it was issued for, and the only one that it authenticates
  generation int,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  foreign key (app_id, user_id) references users on delete cascade
);
create index user_tokens_by_user on user_tokens (app_id, user_id);

create table admin_tokens (
  token_hash bytea primary key,
  app_id     text not null references apps,
  name       text not null,
  scopes     text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index admin_tokens_by_app on admin_tokens (app_id);

create table certificates (
  app_id        text not null references apps,
  channel       text not null,
  environment   smallint not null check (environment in (0, 1)),
  name          text not null,
  vendor_app_id text not null,
  app_key       text not null,
  app_secret    bytea not null,        -- sealed
  certificate   bytea not null,        -- sealed
  version       int not null default 1,
  updated_at    timestamptz not null default now(),
  primary key (app_id, channel, environment)
);

-- A vendor token belongs to the device that bound it last, whichever shard that device is in.
create table bound (
  app_id     text not null,
  channel    text not null,
  token_hash bytea not null,
  device_id  bigint not null,
  bound_at   timestamptz not null default now(),
  primary key (app_id, channel, token_hash)
);

create sequence task_numbers;

-- Seconds since 2026-01-01, then 22 bits of the sequence: 53 bits, ordered by time.
create function mint_task_id() returns bigint language sql volatile as $$
  select ((floor(extract(epoch from clock_timestamp()))::bigint - 1767225600) << 22)
       | (nextval('task_numbers') & 4194303)
$$;

create table tasks (
  task_id         bigint not null,
  app_id          text not null,
  author          text not null,       -- admin, or user:<id>
  lane            text not null check (lane in ('prompt', 'bulk')),
  state           text not null default 'accepted' check (state in ('accepted', 'planned', 'finished')),
  expansions      smallint not null check (expansions in (1, 64)),
  strategy        text not null,
  ospush_sequence text[] not null,
  audience        text not null,       -- JSON as text, so that int64 and free-form fields are stored unchanged
  message         text not null,       -- JSON as text
  due_at          timestamptz not null,
  not_after       timestamptz not null,
  epoch           int not null default 0,
  next_at         timestamptz not null, -- when a worker must process it: due time, end of a lease, or next check whether it is finished
  accepted_at     timestamptz not null default now(),
  cancelled_at    timestamptz,
  finished_at     timestamptz,
  primary key (task_id)
) partition by range (task_id);
create index tasks_due on tasks (lane, next_at) where state = 'accepted';
create index tasks_to_finish on tasks (next_at) where state = 'planned';
create index tasks_by_app on tasks (app_id, task_id);

-- Not partitioned, so that an idempotency key is unique over all days for which it is kept.
create table request_keys (
  app_id     text not null,
  author     text not null,
  request_id text not null,
  task_id    bigint not null,
  body_hash  bytea not null,
  at         timestamptz not null default now(),
  primary key (app_id, author, request_id)
);
create index request_keys_by_age on request_keys (at);
