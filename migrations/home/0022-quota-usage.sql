-- Why: operators see how much of a vendor's daily quota an app has used.

create table quota_usage (
  app_id      text not null references apps,
  resets_at   timestamptz not null,      -- end of the vendor's day
  channel     text not null,
  environment smallint not null,
  class       text not null,             -- as in quotas
  counter     uuid not null,             -- identifies the row of one worker, so that a repeated write adds nothing
  accepted    bigint not null,           -- devices for which the vendor accepted a notification
  primary key (app_id, resets_at, channel, environment, class, counter)
);
