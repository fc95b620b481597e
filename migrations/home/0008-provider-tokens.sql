-- Why: workers share the tokens that authenticate Carillon at a vendor, and vendors report deliveries by a callback.

create table provider_tokens (
  name          text primary key,      -- a hash of the credentials it is created from
  token         bytea,                 -- sealed; null while the first one is created
  made_at       timestamptz,
  expires_at    timestamptz,
  claimed_until timestamptz not null   -- one worker creates a new one until then
);

create table callbacks (
  app_id      text not null references apps,
  channel     text not null,
  path_hash   bytea not null unique,   -- SHA-256 of the unguessable part of the URL
  secrets     bytea not null,          -- sealed JSON: that part, the key of references, the vendor's signing key
  updated_at  timestamptz not null default now(),
  primary key (app_id, channel)
);
