/** Advice by error code, shown when OPPO rejects the credentials. */
export const oppoAdvice: Readonly<Record<string, string>> = {
  14: 'check that app_key is the AppKey of this app',
  16: 'check that app_secret is the MasterSecret of this app, not the AppSecret',
  19: 'the database clock is wrong by more than ten minutes: synchronize it',
  28: 'OPPO has disabled the app: contact OPPO',
};
