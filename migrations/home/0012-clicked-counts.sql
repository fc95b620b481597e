-- Why: clicks are kept with the other final counts.

alter table final_counts add column clicked bigint[]; -- null for tasks that were counted before clicks were recorded
