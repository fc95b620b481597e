-- Why: counts by day and channel are read from stored sums, also after the data of the day is deleted.

-- The sums over the slices of one day in one database. A day is counted from the task epoch, as in stored_bytes.
create table daily_counts (
  app_id   text not null,
  day      int not null,
  channel  text not null,
  database text not null,                -- as in bucket_map
  target   bigint not null,
  sent     bigint not null,
  received bigint not null,
  clicked  bigint not null,
  primary key (app_id, day, channel, database)
);
create index daily_counts_by_day on daily_counts (day, database);

-- The state of a day in a database when its slices were last counted.
create table daily_count_days (
  day        int not null,
  database   text not null,
  changes    bigint,                     -- PostgreSQL's number of changed rows at that time; null if it is unknown
  counted_at timestamptz not null,       -- when the count started
  primary key (day, database)
);

-- When all days of a database were last known to be counted.
create table daily_count_checks (
  database   text primary key,
  checked_at timestamptz not null
);
