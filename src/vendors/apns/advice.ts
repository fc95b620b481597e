/** Advice for operators when Apple rejects the account, keyed by Apple's error reason. */
export const apnsAdvice: Readonly<Record<string, string>> = {
  TopicDisallowed:
    'the key or certificate is not for this bundle ID: check app_id, and which topics the key is limited to',
  BadCertificateEnvironment: 'the certificate is for the other environment: save it there, or make one for both',
  BadEnvironmentKeyIdInToken: 'the key is for the other environment: save it there, or make one for both',
  BadEnvironmentKeyInToken: 'the key is for the other environment: save it there, or make one for both',
  InvalidProviderToken: 'check the Key ID in app_key and the Team ID in app_secret, and that the key was not revoked',
  UnrelatedKeyIdInToken: 'check that Key ID, Team ID and key are of one team',
  BadCertificate: 'check that the certificate is one for push and was not revoked',
};
