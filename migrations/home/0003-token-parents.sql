-- Why: a revoked admin token also revokes the tokens that were created with it, and an access token that was created with an
-- admin token has no more rights than that token.

alter table admin_tokens
  add column parent bigint,              -- the admin token that created this one; null if the operator created it
  add column group_id bigint,            -- the only group that the token can act for; null if it is not limited
  add column keeps_user_tokens boolean;  -- true if the access tokens that it created stay valid after its revocation

create index admin_tokens_by_parent on admin_tokens (parent) where parent is not null;

alter table user_tokens
  add column parent bigint,              -- the admin token that created this one; null after a login with a password
  add column may_push boolean;           -- false if the parent did not have the scope `push`; null means true

-- A revocation of all access tokens that an admin token created.
alter table revocations add column parent bigint;
