/** Advice by error code, shown when Huawei rejects the credentials. */
export const huaweiAdvice: Readonly<Record<string, string>> = {
  80200001:
    'the credentials belong to another app: check that app_id, app_secret and the project ID, if set, belong to the same app',
  80300002: 'Push Kit is not enabled for this App ID, or the credentials belong to another App ID',
  80300037: 'Huawei has suspended the app: contact Huawei',
  1101: 'check that app_id is the App ID and app_secret the secret of the same app',
};
