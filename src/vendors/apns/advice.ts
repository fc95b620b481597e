import type { Advice } from '../vendor.ts';

/** Advice for operators when Apple rejects the account, keyed by Apple's error reason. */
export const apnsAdvice: Advice = {
  TopicDisallowed: {
    en: 'the key or certificate is not valid for this bundle ID; check app_id and the topics that the key is limited to',
    zh: '密钥或证书不适用于此 Bundle ID；请检查 app_id，以及密钥限定的 topic',
  },
  BadCertificateEnvironment: {
    en: 'the certificate is for the other environment; save it for that environment, or create one for both environments',
    zh: '证书属于另一环境；请保存到该环境，或创建适用于两个环境的证书',
  },
  BadEnvironmentKeyIdInToken: {
    en: 'the key is for the other environment; save it for that environment, or create one for both environments',
    zh: '密钥属于另一环境；请保存到该环境，或创建适用于两个环境的密钥',
  },
  BadEnvironmentKeyInToken: {
    en: 'the key is for the other environment; save it for that environment, or create one for both environments',
    zh: '密钥属于另一环境；请保存到该环境，或创建适用于两个环境的密钥',
  },
  InvalidProviderToken: {
    en: 'check the Key ID in app_key, the Team ID in app_secret, and that the key has not been revoked',
    zh: '请检查 app_key 中的 Key ID、app_secret 中的 Team ID，以及密钥是否已被吊销',
  },
  UnrelatedKeyIdInToken: {
    en: 'check that the Key ID, the Team ID and the key belong to the same team',
    zh: '请检查 Key ID、Team ID 和密钥是否属于同一团队',
  },
  BadCertificate: {
    en: 'check that the certificate is a push certificate and has not been revoked',
    zh: '请检查证书是否为推送证书，以及是否已被吊销',
  },
};
