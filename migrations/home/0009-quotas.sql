-- Why: vendors have daily quotas and rate limits, and all workers share the current state.

-- Each row is a daily quota that is used up.
create table quotas (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  class       text not null,           -- of messages, if the vendor counts classes separately; else empty
  spent_until timestamptz not null,
  spent_at    timestamptz not null default now(),
  primary key (app_id, channel, environment, class)
);

create table rates (
  app_id       text not null references apps,
  channel      text not null,
  environment  smallint not null,
  per_second   real not null,          -- at most the vendor's limit; less after the vendor throttled
  permits      real not null,          -- permits that were available at `at`
  at           timestamptz not null,
  throttled_at timestamptz,
  primary key (app_id, channel, environment)
);
