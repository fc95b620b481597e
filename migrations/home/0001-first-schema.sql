-- Why: the data that does not depend on devices: apps, credentials, users, their tokens, and accepted tasks.

create table apps (
  app_id            text primary key,
  name              text not null,
  token_days        int not null default 90 check (token_days between 1 and 3650),
  public_key        text not null,       -- Ed25519, PEM: a separate file service verifies store tokens with it
  private_key       bytea not null,      -- sealed
  http_errors       text not null default 'status' check (http_errors in ('status', 'always200')),
  user_push         text not null default 'self' check (user_push in ('none', 'self', 'any')),
  registration      boolean not null default false, -- whether users can register
  country           text not null default 'CN' check (country ~ '^[A-Z]{2}$'), -- for mobile numbers without a country code
  notify_per_second int check (notify_per_second > 0), -- null: no limit
  disabled_at       timestamptz,
  created_at        timestamptz not null default now()
);
create index apps_disabled on apps (disabled_at) where disabled_at is not null;

create table admin_tokens (
  token_hash bytea primary key,
  token_id   bigint not null generated always as identity,
  app_id     text not null references apps,
  name       text not null,
  scopes     text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index admin_tokens_by_id on admin_tokens (token_id);
create index admin_tokens_by_app on admin_tokens (app_id);

-- Reads of secrets and changes by admin tokens.
create table audit (
  audit_id   bigint generated always as identity primary key,
  app_id     text not null references apps,
  token_id   bigint not null,
  token_name text not null,
  operation  text not null,
  detail     text not null,              -- JSON as text
  address    text not null,
  at         timestamptz not null default now()
);
create index audit_by_app on audit (app_id, audit_id);
create index audit_by_age on audit (at);

-- The database of each bucket. Databases are named, and the settings contain the URL of each name, because a URL contains a
-- password. A process reads the map again when the version changes.
create table bucket_map_version (
  version int not null
);
create unique index bucket_map_version_single_row on bucket_map_version ((true));
insert into bucket_map_version (version) values (0);

create table bucket_map (
  first_bucket smallint primary key check (first_bucket between 0 and 4095),
  last_bucket  smallint not null check (last_bucket between first_bucket and 4095),
  database     text not null
);

-- Credentials of an app at a vendor.

create table certificates (
  app_id        text not null references apps,
  channel       text not null,
  environment   smallint not null check (environment in (0, 1)),
  name          text not null,
  vendor_app_id text not null,
  app_key       text not null,
  app_secret    bytea not null,          -- sealed
  certificate   bytea not null,          -- sealed
  per_second    int check (per_second > 0), -- a rate agreed with the vendor; null: the limit that the vendor gives to everyone
  expires_at    timestamptz,
  version       int not null default 1,
  updated_at    timestamptz not null default now(),
  primary key (app_id, channel, environment)
);

-- Credentials that are saved again continue the version number, by which workers distinguish old from new credentials.
create table deleted_certificates (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,
  primary key (app_id, channel, environment)
);

create table provider_tokens (
  name          text primary key,        -- a hash of the credentials it is created from
  token         bytea,                   -- sealed; null while the first one is created
  made_at       timestamptz,
  expires_at    timestamptz,
  claimed_until timestamptz not null     -- one worker creates a new one until then
);

create table callbacks (
  app_id     text not null references apps,
  channel    text not null,
  path_hash  bytea not null unique,      -- SHA-256 of the unguessable part of the URL
  secrets    bytea not null,             -- sealed JSON: that part, the key of references, the vendor's signing key
  updated_at timestamptz not null default now(),
  primary key (app_id, channel)
);

-- Each row is a tripped circuit breaker: the channel is paused, and workers send single probes.
create table breakers (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,              -- of the credentials at that time; other versions are not paused
  cause       text not null check (cause in ('locked-out', 'unreachable')),
  reason      text not null,             -- the vendor's error
  tripped_at  timestamptz not null default now(),
  probe_at    timestamptz not null,      -- when the next probe can be sent
  primary key (app_id, channel, environment)
);

-- Each row is a daily quota that is used up.
create table quotas (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  class       text not null,             -- of messages, if the vendor counts classes separately; else empty
  spent_until timestamptz not null,
  spent_at    timestamptz not null default now(),
  primary key (app_id, channel, environment, class)
);

create table rates (
  app_id           text not null references apps,
  channel          text not null,
  environment      smallint not null,
  per_second       real not null,        -- at most the vendor's limit; less after the vendor throttled
  limit_per_second real,                 -- the limit that per_second is at or below; null: starts again at the limit
  permits          real not null,        -- permits that were available at `at`
  at               timestamptz not null,
  throttled_at     timestamptz,
  primary key (app_id, channel, environment)
);

-- Users. The bucket of a user is the hash of app_id and user_id.

create sequence user_numbers start 100001;

create table users (
  app_id         text not null references apps,
  user_id        bigint not null,
  name           text,
  mobile         text,
  email          text,
  password_hash  text,                   -- argon2id, PHC string
  -- The buckets in which the user has devices, or had them. A bucket is added before the device exists and is never removed.
  device_buckets smallint[] not null default '{}',
  disabled_at    timestamptz,
  created_at     timestamptz not null default now(),
  primary key (app_id, user_id)
);
create unique index users_by_name on users (app_id, name);
create unique index users_by_mobile on users (app_id, mobile);
create unique index users_by_email on users (app_id, email);

-- The IDs of deleted users are not reused, because earlier tasks are still addressed to them.
create table erased_users (
  app_id         text not null references apps,
  user_id        bigint not null,
  device_buckets smallint[] not null,    -- so that a repeated deletion finds the remaining devices
  erased_at      timestamptz not null default now(),
  primary key (app_id, user_id)
);

-- The primary key is the token hash without app_id: a device on the Carillon channel sends only its token, and the app is
-- read from this row. The text of a token contains the bucket of its user.
create table user_tokens (
  token_hash bytea primary key,
  app_id     text not null,
  user_id    bigint not null,
  device_id  bigint,                     -- the device that it was issued for, and the only one that it authenticates
  generation int,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  foreign key (app_id, user_id) references users on delete cascade
);
create index user_tokens_by_user on user_tokens (app_id, user_id);
-- The tokens of a device are deleted when another user logs in on it.
create index user_tokens_by_device on user_tokens (device_id) where device_id is not null;
create index user_tokens_by_expiry on user_tokens (expires_at);

-- Revocations of a token, of all tokens of a user, or of a whole app. Kept for a day, for gateways that were disconnected.
create sequence revocation_numbers;
create table revocations (
  number     bigint primary key default nextval('revocation_numbers'),
  app_id     text not null,
  user_id    bigint,
  token_hash bytea,
  at         timestamptz not null default clock_timestamp(),
  check (num_nonnulls(user_id, token_hash) <= 1)
);
create index revocations_by_age on revocations (at);

-- Points used up per rate-limit key, for example failed logins per name or per address. Unlogged: a crash resets all limits.
create unlogged table limit_points (
  key    text primary key,
  points int not null,
  until  timestamptz not null
);
create index limit_points_by_age on limit_points (until);

create sequence group_numbers start 100001;

create table groups (
  app_id     text not null references apps,
  group_id   bigint not null,
  name       text not null,
  deleted_at timestamptz,                -- a deleted group keeps its ID, because earlier tasks are still limited to it
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

-- An alias belongs to one user, in all databases. The devices table has the devices with the alias.
create table aliases (
  app_id  text not null,
  alias   text not null,
  user_id bigint not null,
  version int not null default 0,        -- increases with every change, for optimistic locking
  primary key (app_id, alias),
  foreign key (app_id, user_id) references users on delete cascade
);
create index aliases_by_user on aliases (app_id, user_id);

-- A vendor token belongs to the device that bound it last, whichever database that device is in.
create table vendor_token_owners (
  app_id     text not null,
  channel    text not null,
  token_hash bytea not null,
  device_id  bigint not null,
  version    int not null default 0,     -- as in aliases
  bound_at   timestamptz not null default now(),
  primary key (app_id, channel, token_hash)
);
create index vendor_token_owners_by_device on vendor_token_owners (device_id);

-- Tasks.

create table tasks (
  task_id         bigint not null,
  app_id          text not null,
  author          text not null,         -- admin, or user:<id>
  group_id        bigint,                -- the group that the audience is limited to, if the caller was the admin of a group
  lane            text not null check (lane in ('prompt', 'bulk')),
  state           text not null default 'accepted' check (state in ('accepted', 'planned', 'finished')),
  by_range        boolean,               -- expanded by ranges of devices in every database; null until it is decided
  strategy        text not null,
  ospush_sequence text[] not null,
  audience        text not null,         -- JSON as text, so that int64 and free-form fields are stored unchanged
  message         text not null,         -- JSON as text
  due_at          timestamptz not null,
  not_after       timestamptz not null,
  epoch           int not null default 0,
  next_at         timestamptz not null,  -- when a worker must process it: due time, end of a lease, or next check whether it is finished
  accepted_at     timestamptz not null default now(),
  cancelled_at    timestamptz,
  finished_at     timestamptz,
  primary key (task_id)
) partition by range (task_id);
create index tasks_due on tasks (lane, next_at) where state = 'accepted';
-- With a backlog, apps take turns, and the due tasks of an app must be found without scanning those of other apps.
create index tasks_due_by_app on tasks (lane, app_id, next_at) where state = 'accepted';
create index tasks_to_finish on tasks (next_at) where state = 'planned';
-- Disabling an app cancels its open tasks.
create index tasks_open on tasks (app_id) where state <> 'finished' and cancelled_at is null;
create index tasks_by_app on tasks (app_id, task_id);
-- For callers that see only their tasks or those of their group, so that they do not scan the tasks of the whole app.
create index tasks_by_author on tasks (app_id, author, task_id) where author <> 'admin';
create index tasks_by_group on tasks (app_id, group_id, task_id) where group_id is not null;

-- Not partitioned, so that an idempotency key is unique over all days for which it is kept. A key and its task have the same
-- bucket.
create table request_keys (
  bucket     smallint not null check (bucket between 0 and 4095),
  app_id     text not null,
  author     text not null,
  request_id text not null,
  task_id    bigint not null,
  body_hash  bytea not null,
  at         timestamptz not null default now(),
  primary key (app_id, bucket, author, request_id)
);
create index request_keys_by_age on request_keys (at);

-- When a day is dropped, its counters are kept, with the columns that determine who can read them.
create table final_counts (
  task_id  bigint primary key,
  app_id   text not null,
  author   text not null,                -- as in tasks
  group_id bigint,
  channels text[] not null,              -- those with at least one place; the other arrays have the same order
  targets  bigint[] not null,
  sent     bigint[] not null,
  received bigint[] not null
);

-- Returns a task ID of 53 bits: the time in units of 1/1024 s since 2026-01-01, and 12 bits of the bucket. IDs are ordered by
-- time. `ticks_ahead` is added to the time if the ID is taken. It is at most 512 s.
create function mint_task_id(bucket smallint, ticks_ahead bigint) returns bigint language sql volatile as $$
  select (floor(extract(epoch from clock_timestamp()) * 1024)::bigint - 1767225600 * 1024::bigint + ticks_ahead) << 12 | bucket
$$;

-- Inserts tasks with their idempotency keys, and returns the position and ID of each inserted task. Element i of every array
-- belongs to the task at position i. A task whose idempotency key was used before is not inserted. A task whose ID is taken gets
-- another one, up to 512 s ahead of the clock. Rows are inserted in the order of their keys, because two calls with different orders
-- would deadlock.
create function accept_tasks(
  buckets smallint[], app_ids text[], authors text[], request_ids text[], body_hashes bytea[], lanes text[],
  by_ranges boolean[], strategies text[], ospush_sequences text[], audiences text[], messages text[],
  due_times timestamptz[], not_after_times timestamptz[], group_ids bigint[], lifetime interval
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
                         due_at, not_after, next_at)
      select ids[i], app_ids[i], authors[i], group_ids[i], lanes[i], by_ranges[i], strategies[i],
             string_to_array(ospush_sequences[i], ','), audiences[i], messages[i], due.at,
             coalesce(not_after_times[i], due.at + lifetime), due.at
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
    -- Each attempt chooses from a longer time, because the next IDs may be taken too. A further attempt does not insert in the order
    -- of all IDs, so it could deadlock with another call. It then fails soon, and the caller repeats the call.
    ticks := least(cardinality(pending) * 2 ^ (attempt + 3), 512 * 1024);
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
