/** Advice for operators when Apple rejects the account, keyed by Apple's error reason. */
export const apnsAdvice: Readonly<Record<string, string>> = {
  TopicDisallowed:
    'the key or certificate is not valid for this bundle ID; check app_id and the topics that the key is limited to',
  BadCertificateEnvironment:
    'the certificate is for the other environment; save it for that environment, or create one for both environments',
  BadEnvironmentKeyIdInToken:
    'the key is for the other environment; save it for that environment, or create one for both environments',
  BadEnvironmentKeyInToken:
    'the key is for the other environment; save it for that environment, or create one for both environments',
  InvalidProviderToken: 'check the Key ID in app_key, the Team ID in app_secret, and that the key has not been revoked',
  UnrelatedKeyIdInToken: 'check that the Key ID, the Team ID and the key belong to the same team',
  BadCertificate: 'check that the certificate is a push certificate and has not been revoked',
};
