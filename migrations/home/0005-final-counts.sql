-- Why: when a day is dropped, its counters are kept, with the columns that determine who can read them.

create table final_counts (
  task_id  bigint primary key,
  app_id   text not null,
  author   text not null,              -- as in tasks
  group_id bigint,
  channels text[] not null,            -- those with at least one place; the other arrays have the same order
  targets  bigint[] not null,
  sent     bigint[] not null,
  received bigint[] not null
);
