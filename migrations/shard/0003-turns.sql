-- Why: with a backlog, apps take turns; the due work of each must be found without walking through everybody else's.

create index slices_due_by_app on slices (lane, app_id, next_at) where state <> 'closed';
create index expansions_due_by_app on expansions (lane, app_id, next_at) where state <> 'done';
