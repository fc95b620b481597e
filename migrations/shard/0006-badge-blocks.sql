-- Why: every task changes the badge, whichever channel delivers it, and a row per device would make this too expensive.

-- The numbers on the app icons of devices with a vendor that needs them. A row has the devices of one bucket whose IDs are equal
-- when shifted right by 30 bits. A device without an entry has the number 0. An entry of an earlier generation has no effect.
create table badge_blocks (
  app_id      text not null,
  bucket      smallint not null,
  block       int not null,
  device_ids  bigint[] not null,
  generations int[] not null,
  badges      int[] not null,
  primary key (app_id, bucket, block)
);

insert into badge_blocks (app_id, bucket, block, device_ids, generations, badges)
select app_id, bucket, (device_id >> 30)::int, array_agg(device_id), array_agg(d.generation), array_agg(b.badge)
  from badges b join devices d using (app_id, bucket, device_id)
 where b.badge > 0
 group by 1, 2, 3;

-- compatible: there is no release yet, and the first version that can use the current schema has badge_blocks
drop table badges;
