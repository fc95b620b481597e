/** Maximum time until revoked tokens, their sessions and disabled apps are rejected everywhere. */
export const REVOKED_SECONDS_MAX = 5;

/** The error code for a token that was revoked or never issued. */
export const TOKEN_INVALID = 10008;
