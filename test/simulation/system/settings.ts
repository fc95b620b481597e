/** The product's settings in a simulation: the same proportions as in production, in fewer seconds. */
export const settings = {
  CARILLON_WORKER_SLOTS: 4,
  CARILLON_LEASE_SECONDS: 10,
  CARILLON_ACKNOWLEDGE_SECONDS: 3,
  CARILLON_SINGLE_EXPANSION_DEVICES_MAX: 10,
  CARILLON_INBOX_SECONDS: 30,
  CARILLON_BREAKER_PROBE_SECONDS: 3,
  CARILLON_RETENTION_DAYS: 93,
  CARILLON_COUNTS_DAYS: 730,
  CARILLON_VENDOR_DEADLINE_SECONDS: 4,
  CARILLON_PUBLIC_URL: '',
  CARILLON_APNS_URL_PRODUCTION: '',
  CARILLON_APNS_URL_DEVELOPMENT: '',
} as const;

export const LEASE_MS = settings.CARILLON_LEASE_SECONDS * 1_000;
export const DEADLINE_MS = settings.CARILLON_VENDOR_DEADLINE_SECONDS * 1_000;
/** Maximum time until a login that has ended is rejected everywhere. */
export const REVOKED_MS_MAX = 5_000;
