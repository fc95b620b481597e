-- Why: with a backlog, apps take turns, and the due tasks of an app must be found without scanning those of other apps.
-- A task to all devices of a small app is expanded as one list.

-- The number of expansions of a task to all devices or to tags is decided when it is due: few devices are expanded as a list.
alter table tasks alter column expansions drop not null;

create index tasks_due_by_app on tasks (lane, app_id, next_at) where state = 'accepted';
