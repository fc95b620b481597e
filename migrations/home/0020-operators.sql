-- Why: operators sign in to the console with separate accounts, and the audit log names them.

create table operators (
  operator_id   bigint generated always as identity primary key,
  email         text not null,           -- in lower case
  name          text not null,
  password_hash text,                    -- argon2id; null if the operator signs in with OpenID Connect
  oidc_issuer   text,
  oidc_subject  text,
  is_platform   boolean not null default false, -- admin in every app, and of the installation
  disabled_at   timestamptz,
  created_at    timestamptz not null default now(),
  check ((oidc_issuer is null) = (oidc_subject is null))
);
create unique index operators_by_email on operators (lower(email));
create unique index operators_by_subject on operators (oidc_issuer, oidc_subject);

create table operator_roles (
  operator_id bigint not null references operators,
  app_id      text not null references apps,
  role        text not null check (role in ('viewer', 'sender', 'admin')),
  primary key (operator_id, app_id)
);
create index operator_roles_by_app on operator_roles (app_id);

create table operator_sessions (
  session_hash bytea primary key,        -- SHA-256 of the session ID in the cookie
  operator_id  bigint not null references operators,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(), -- written at most once a minute
  expires_at   timestamptz not null,
  address      text not null,
  user_agent   text not null
);
create index operator_sessions_by_operator on operator_sessions (operator_id);
create index operator_sessions_by_expiry on operator_sessions (expires_at);

alter table audit add column operator_id bigint; -- the operator who made the call, or null

-- Changes to operators belong to no app.
-- compatible: the previous version reads only entries with an app, and its worker chains entries without one correctly
alter table audit alter column app_id drop not null;
