-- Why: the progress of a recall is stored next to the slices, but not in them, so that it cannot change what was sent.

create table slice_recalls (
  task_id  bigint not null,
  bucket   smallint not null,
  slice    int not null,
  app_id   text not null,
  channel  text not null,
  recalled varbit not null,              -- the places that the vendor or the gateway has recalled
  failed   varbit not null,              -- the places that cannot be recalled
  primary key (task_id, bucket, slice)
);
