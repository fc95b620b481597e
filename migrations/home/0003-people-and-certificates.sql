-- Why: what an app's admins manage: what it allows, who is who on its devices, what ended, and who looked at a secret.

alter table apps
  add column registration boolean not null default false, -- whether people may register themselves
  add column country text not null default 'CN' check (country ~ '^[A-Z]{2}$'), -- of numbers without a country code
  add column notify_per_second int check (notify_per_second > 0); -- null: no limit

alter table admin_tokens add column token_id bigint generated always as identity;
create unique index admin_tokens_by_id on admin_tokens (token_id);

alter table certificates add column expires_at timestamptz;

-- One that is saved again goes on counting: workers tell old credentials from new ones by the version.
create table deleted_certificates (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,
  primary key (app_id, channel, environment)
);

-- The IDs of people who were deleted are not given again: tasks of before are still addressed to them.
create table erased_users (
  app_id    text not null references apps,
  user_id   bigint not null,
  erased_at timestamptz not null default now(),
  primary key (app_id, user_id)
);

create sequence group_numbers start 100001;
-- A group that was deleted keeps its ID, for the same reason.
alter table groups add column deleted_at timestamptz;

-- An alias belongs to one user, whichever shards their devices are in. The devices say which of them have it.
create table aliases (
  app_id  text not null,
  alias   text not null,
  user_id bigint not null,
  version int not null default 0,      -- rises with every change, for whoever decides by what they read before
  primary key (app_id, alias),
  foreign key (app_id, user_id) references users on delete cascade
);
create index aliases_by_user on aliases (app_id, user_id);

alter table bound add column version int not null default 0; -- as in aliases
create index bound_by_device on bound (device_id);

-- Tokens of a device end when it changes hands.
create index user_tokens_by_device on user_tokens (device_id) where device_id is not null;
create index user_tokens_by_expiry on user_tokens (expires_at);

-- Whoever sees only their own tasks, or their group's, must not walk through everybody's.
create index tasks_by_author on tasks (app_id, author, task_id) where author <> 'admin';
create index tasks_by_group on tasks (app_id, group_id, task_id) where group_id is not null;

-- Neither user nor token: the whole app.
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
  detail     text not null,            -- JSON text
  address    text not null,
  at         timestamptz not null default now()
);
create index audit_by_app on audit (app_id, audit_id);
create index audit_by_age on audit (at);
