-- Why: for one device and one task, the trace lists every attempt with the channel's response. A slice stores the history of its
-- places. The lease holder writes it together with the outcome, so it needs no extra statement and is as exact as the statuses.

alter table slices
  add column history text[] not null default '{}',       -- an entry per write: the time in milliseconds, then words and places
  add column history_dropped int not null default 0;     -- number of entries that were removed from the middle to limit the size
