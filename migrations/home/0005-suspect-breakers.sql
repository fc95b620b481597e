-- Why: a suspect token does not reset a circuit breaker that tripped because of suspect tokens. It resets any other breaker,
-- because the vendor has checked the credentials before the token.

alter table breakers add column suspect boolean; -- true if it tripped because of suspect tokens; null means false
