/** Advice for operators when a push service rejects the VAPID token, keyed by the reason of the push service. */
export const webPushAdvice: Readonly<Record<string, string>> = {
  BadJwtToken:
    'check that app_id is a mailto: or https: URL with a domain that exists, and that the clock of the PostgreSQL server is correct',
};
