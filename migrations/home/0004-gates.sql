-- Why: a vendor that is unavailable or rejects an app's credentials gets single probes instead of every notification.

-- Each row is an open circuit breaker: the channel is paused.
create table gates (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,            -- of the credentials at that time; other versions are not paused
  why         text not null check (why in ('locked-out', 'unreachable')),
  reason      text not null,           -- the vendor's error
  closed_at   timestamptz not null default now(),
  probe_at    timestamptz not null,    -- when the next probe can be sent
  primary key (app_id, channel, environment)
);
