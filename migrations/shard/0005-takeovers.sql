-- Why: a device that connects at another gateway takes over, and the gateway it left is told at once; but not without end.

alter table sessions
  add column replaced text,                                            -- the gateway that the last announcement took the device from
  add column takeovers smallint not null default 0,                    -- how often a connection took over from a live one
  add column takeovers_from timestamptz not null default '-infinity';  -- since when they are counted
