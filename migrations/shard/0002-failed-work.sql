-- Why: work that fails for its own reason is retried alone, and then quarantined with its error. A quarantined row is open and
-- has the due time `infinity`, so that no worker claims it.

alter table expansions
  add column failures smallint,          -- number of failures of the expansion alone; null if there are none
  add column failure text,               -- the error of the last failure
  add column failed_at timestamptz;

alter table slices
  add column failures smallint,          -- number of failures of the slice alone since its last result; null if there are none
  add column failure text,               -- the error of the last failure
  add column failed_at timestamptz;
