-- Why: a day that is dropped leaves its counts behind, with what says who may see them.

create table final_counts (
  task_id  bigint primary key,
  app_id   text not null,
  author   text not null,              -- as in tasks
  group_id bigint,
  channels text[] not null,            -- those with any place; the other three are in their order
  targets  bigint[] not null,
  sent     bigint[] not null,
  received bigint[] not null
);
