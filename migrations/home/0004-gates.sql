-- Why: a vendor that is away, or refuses an app's credentials, is asked by one probe at a time and not by every notification.

-- A row is a closed gate.
create table gates (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,            -- of the certificate it was closed under; for another one the gate is open
  why         text not null check (why in ('locked-out', 'unreachable')),
  reason      text not null,           -- in the vendor's words
  closed_at   timestamptz not null default now(),
  probe_at    timestamptz not null,    -- when the next probe may go
  primary key (app_id, channel, environment)
);
