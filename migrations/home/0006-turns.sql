-- Why: with a backlog, apps take turns; the due tasks of each must be found without walking through everybody else's.

create index tasks_due_by_app on tasks (lane, app_id, next_at) where state = 'accepted';
