-- Why: the signature of a vendor callback does not cover its body, so a recorded signature must not be valid for another body.

-- Signatures of accepted callbacks. Unlogged: after a crash, a recorded signature can be used until it expires.
create unlogged table callback_signatures (
  app_id    text not null,
  channel   text not null,
  signature bytea not null,
  body_hash bytea not null,
  until     timestamptz not null,
  primary key (app_id, channel, signature)
);
create index callback_signatures_by_age on callback_signatures (until);
