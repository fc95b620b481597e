-- Why: a process with a wrong master key is rejected when it starts, before it seals a value that no other process can open.

-- A known text, sealed with each master key.
create table master_key_checks (
  purpose text not null check (purpose in ('apps', 'callbacks', 'credentials')),
  key_id  text not null,
  box     bytea not null,
  primary key (purpose, key_id)
);
