/** Revoked tokens, their sessions and disabled apps stop working everywhere within this time. */
export const REVOKED_SECONDS_MAX = 5;

/** The error code for a token that was revoked or never issued. */
export const TOKEN_INVALID = 10008;
