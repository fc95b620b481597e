-- Why: the data that an app's admins manage: its settings, aliases of devices, deleted records, and reads of secrets.

alter table apps
  add column registration boolean not null default false, -- whether users can register
  add column country text not null default 'CN' check (country ~ '^[A-Z]{2}$'), -- for mobile numbers without a country code
  add column notify_per_second int check (notify_per_second > 0); -- null: no limit

alter table admin_tokens add column token_id bigint generated always as identity;
create unique index admin_tokens_by_id on admin_tokens (token_id);

alter table certificates add column expires_at timestamptz;

-- Credentials that are saved again continue the version number, by which workers distinguish old from new credentials.
create table deleted_certificates (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,
  primary key (app_id, channel, environment)
);

-- The IDs of deleted users are not reused, because earlier tasks are still addressed to them.
create table erased_users (
  app_id    text not null references apps,
  user_id   bigint not null,
  erased_at timestamptz not null default now(),
  primary key (app_id, user_id)
);

create sequence group_numbers start 100001;
-- A deleted group keeps its ID for the same reason.
alter table groups add column deleted_at timestamptz;

-- An alias belongs to one user, in all shards. The devices table has the devices with the alias.
create table aliases (
  app_id  text not null,
  alias   text not null,
  user_id bigint not null,
  version int not null default 0,      -- increases with every change, for optimistic locking
  primary key (app_id, alias),
  foreign key (app_id, user_id) references users on delete cascade
);
create index aliases_by_user on aliases (app_id, user_id);

alter table bound add column version int not null default 0; -- as in aliases
create index bound_by_device on bound (device_id);

-- The tokens of a device are deleted when another user logs in on it.
create index user_tokens_by_device on user_tokens (device_id) where device_id is not null;
create index user_tokens_by_expiry on user_tokens (expires_at);

-- For callers that see only their tasks or those of their group, so that they do not scan the tasks of the whole app.
create index tasks_by_author on tasks (app_id, author, task_id) where author <> 'admin';
create index tasks_by_group on tasks (app_id, group_id, task_id) where group_id is not null;

-- A row without user and token revokes the whole app.
alter table revocations
  drop constraint revocations_check,
  add constraint revocations_check check (num_nonnulls(user_id, token_hash) <= 1);

-- Reads of secrets and changes by admin tokens.
create table audit (
  audit_id   bigint generated always as identity primary key,
  app_id     text not null references apps,
  token_id   bigint not null,
  token_name text not null,
  operation  text not null,
  detail     text not null,            -- JSON as text
  address    text not null,
  at         timestamptz not null default now()
);
create index audit_by_app on audit (app_id, audit_id);
create index audit_by_age on audit (at);
