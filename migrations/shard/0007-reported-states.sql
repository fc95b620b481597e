-- Why: a trace explains states of the phone, such as notifications that it does not allow. A separate table, because every
-- notification reads the rows of devices.

-- The state that the app on a device reported last. A row of an earlier generation has no effect.
create table reported_states (
  bucket        smallint not null,
  device_id     bigint not null,
  generation    int not null,
  client        text,
  notifications text check (notifications in ('allowed', 'denied')),
  vendor_errors jsonb not null,          -- a list of objects with the fields vendor and error
  reported_at   timestamptz not null default now(),
  primary key (bucket, device_id)
);
