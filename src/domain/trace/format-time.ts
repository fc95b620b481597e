/** Formats a time as in explanations: ISO 8601 in UTC, without fractions of a second. */
export const formatTime = (instant: Date): string => instant.toISOString().replace(/\.\d+Z$/, 'Z');
