-- Why: with a backlog, apps take turns, and the due work of an app must be found without scanning that of other apps.

create index slices_due_by_app on slices (lane, app_id, next_at) where state <> 'closed';
create index expansions_due_by_app on expansions (lane, app_id, next_at) where state <> 'done';
