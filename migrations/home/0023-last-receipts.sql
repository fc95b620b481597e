-- Why: operators see whether a vendor reports receipts, and when the last one arrived.

create table last_receipts (
  app_id  text not null references apps,
  channel text not null,
  at      timestamptz not null,
  primary key (app_id, channel)
);
