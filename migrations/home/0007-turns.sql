-- Why: with a backlog, apps take turns, and the due tasks of each must be found without walking through everybody else's;
-- and a task to everyone is a list where everyone is few.

-- How many expansions a task to everyone or to tags has is decided when it is due: few devices are expanded as a list.
alter table tasks alter column expansions drop not null;

create index tasks_due_by_app on tasks (lane, app_id, next_at) where state = 'accepted';
