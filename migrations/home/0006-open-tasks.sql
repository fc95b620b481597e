-- Why: disabling an app cancels its open tasks, which must be found among all its tasks.

create index tasks_open on tasks (app_id) where state <> 'finished' and cancelled_at is null;
create index apps_disabled on apps (disabled_at) where disabled_at is not null;
