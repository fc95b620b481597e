-- Why: operators see how each vendor answered last, also while its channel is open.

create table last_responses (
  app_id      text not null references apps,
  channel     text not null,
  environment smallint not null,
  version     int not null,              -- of the credentials that were used
  kind        text not null,             -- of the outcome, as in src/domain/outcome.ts
  reason      text not null,             -- the vendor's error without secrets and tokens, or empty
  at          timestamptz not null,
  primary key (app_id, channel, environment)
);
