-- Why: work that fails for its own reason is retried alone, and then quarantined with its error. A quarantined row is open and
-- has the due time `infinity`, so that no worker claims it.

alter table tasks
  add column failures smallint,          -- number of failures of the task alone; null if there are none
  add column failure text,               -- the error of the last failure
  add column failed_at timestamptz;
