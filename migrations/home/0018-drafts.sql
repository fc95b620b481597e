-- Why: a notification to many devices can require the approval of a second admin before it is sent.

create table drafts (
  draft_id       bigint generated always as identity primary key,
  app_id         text not null references apps,
  author         text not null,           -- as in tasks
  group_id       bigint,                  -- as in tasks
  body           text not null,           -- the request of /push/notify, as JSON
  request_key    uuid not null default gen_random_uuid(), -- idempotency key of the task, if the request has none
  note           text,
  devices        bigint not null,         -- size of the audience when the draft was created
  needs_approval boolean not null,        -- whether only another token can approve it
  token_kind     text not null,           -- the token that created it
  token_id       bigint not null,
  token_name     text not null,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null,
  state          text not null default 'open' check (state in ('open', 'approved', 'rejected')),
  decided_kind   text,                    -- the token that approved or rejected it
  decided_id     bigint,
  decided_name   text,
  decided_at     timestamptz,
  reason         text,
  task_id        bigint                   -- null until the task of an approved draft is accepted
);
create index drafts_by_app on drafts (app_id, draft_id);
create index drafts_by_expiry on drafts (expires_at);

-- Drafts for more devices than this need the approval of another token. Null: never.
alter table apps add column approval_above int;
