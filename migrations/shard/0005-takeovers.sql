-- Why: a device that connects to another gateway takes over its session, and the previous gateway is notified. Takeovers are limited.

alter table sessions
  add column replaced text,                                            -- the gateway from which the last announcement took the device
  add column takeovers smallint not null default 0,                    -- number of connections that took over from a live one
  add column takeovers_from timestamptz not null default '-infinity';  -- start of the period in which they are counted
