/** What is revoked ends everywhere within this time: tokens, sessions, and apps that are shut. */
export const REVOKED_SECONDS_MAX = 5;

/** The code for a token that was revoked, or never given. */
export const TOKEN_INVALID = 10008;
