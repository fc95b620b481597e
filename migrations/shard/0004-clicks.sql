-- Why: clicks are counted like receipts.

-- A bit for each place whose user clicked the notification. Null until the first click, so that a slice without clicks needs no
-- space for it.
alter table slices add column clicked varbit;
