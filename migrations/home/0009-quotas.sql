-- Why: vendors take so many a day and so many a second; what is learned of that is shared by all workers.

-- A row: the day's allowance is spent.
create table quotas (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  class       text not null,           -- of messages, where the vendor counts some apart; else empty
  spent_until timestamptz not null,
  spent_at    timestamptz not null default now(),
  primary key (app_id, channel, environment, class)
);

create table rates (
  app_id       text not null references apps,
  channel      text not null,
  environment  smallint not null,
  per_second   real not null,          -- at most the vendor's own limit; less after it was too much
  permits      real not null,          -- left of what has come together since `at`
  at           timestamptz not null,
  throttled_at timestamptz,
  primary key (app_id, channel, environment)
);
