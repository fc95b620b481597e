-- Why: devices have tags and an alias.

alter table devices
  add column alias text,
  add column former_user_id bigint; -- the user who was logged out last, so that erasing a user also finds the device
create index devices_by_former_user on devices (app_id, former_user_id) where former_user_id is not null;

create table tags (
  app_id    text not null,
  tag       text not null,
  shard     smallint not null,
  device_id bigint not null,
  primary key (app_id, tag, shard, device_id)
);
create index tags_by_device on tags (shard, device_id);

-- Devices without a user and ended bindings are deleted after some time.
create index devices_without_user on devices (seen_on) where user_id is null;
create index bindings_by_end on bindings (ended_at) where ended_at is not null;
