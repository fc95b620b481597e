-- Why: permissions: groups and their members, permissions of an app, and revocations.

alter table apps
  add column http_errors text not null default 'status' check (http_errors in ('status', 'always200')),
  add column user_push text not null default 'self' check (user_push in ('none', 'self', 'any'));

create table groups (
  app_id     text not null references apps,
  group_id   bigint not null,
  name       text not null,
  created_at timestamptz not null default now(),
  primary key (app_id, group_id)
);

create table members (
  app_id   text not null,
  group_id bigint not null,
  user_id  bigint not null,
  primary key (app_id, group_id, user_id),
  foreign key (app_id, group_id) references groups on delete cascade,
  foreign key (app_id, user_id) references users on delete cascade
);
create index members_by_user on members (app_id, user_id);

-- The group that the audience was limited to, if the caller was the admin of a group.
alter table tasks add column group_id bigint;

-- Revocations of a token, of all tokens of a user, or of the sessions of a device. Kept for a day, for gateways that were disconnected.
create sequence revocation_numbers;
create table revocations (
  number     bigint primary key default nextval('revocation_numbers'),
  app_id     text not null,
  user_id    bigint,
  token_hash bytea,
  at         timestamptz not null default clock_timestamp(),
  check (num_nonnulls(user_id, token_hash) = 1)
);
create index revocations_by_age on revocations (at);

-- Points used up per rate-limit key, for example failed logins per name or per address. Unlogged: a crash resets all limits.
create unlogged table limit_points (
  key    text primary key,
  points int not null,
  until  timestamptz not null
);
create index limit_points_by_age on limit_points (until);
