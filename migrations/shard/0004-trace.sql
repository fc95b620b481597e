-- Why: for one device and one task the trace tells every attempt, in the channel's own words. A slice keeps what was said of its
-- places, written by its holder together with the outcome, so that it costs no statement and is as exact as the statuses.

alter table slices
  add column history text[] not null default '{}',       -- an entry per write: the instant in milliseconds, then words and places
  add column history_dropped int not null default 0;     -- entries from the middle that had to make room
