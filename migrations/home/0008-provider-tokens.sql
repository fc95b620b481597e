-- Why: workers share the tokens that say to a vendor who we are, and vendors tell by a callback what has arrived.

create table provider_tokens (
  name          text primary key,      -- a hash of what it is made from
  token         bytea,                 -- sealed; null while the first one is made
  made_at       timestamptz,
  expires_at    timestamptz,
  claimed_until timestamptz not null   -- one worker makes a new one until then
);

create table callbacks (
  app_id      text not null references apps,
  channel     text not null,
  path_hash   bytea not null unique,   -- SHA-256 of the unguessable part of the address
  secrets     bytea not null,          -- sealed JSON: that part, the key of references, what the vendor signs with
  updated_at  timestamptz not null default now(),
  primary key (app_id, channel)
);
