import type { Advice } from '../vendor.ts';

/** Advice for operators when a push service rejects the VAPID token, keyed by the reason of the push service. */
export const webPushAdvice: Advice = {
  BadJwtToken: {
    en: 'check that app_id is a mailto: or https: URL with a domain that exists, and that the clock of the PostgreSQL server is correct',
    zh: '请检查 app_id 是否为 mailto: 或 https: URL 且域名存在，以及 PostgreSQL 服务器的时钟是否正确',
  },
};
