-- Why: accept_attributed_tasks replaced this function.

-- compatible: the previous version calls accept_attributed_tasks
drop function accept_tasks;
