-- Why: some channels are not in the specification of /push/task/detail. An app decides whether it wants their counters.

-- Whether /push/task/detail returns the counters of channels that the specification does not know.
alter table apps add column extra_counters boolean not null default false;
