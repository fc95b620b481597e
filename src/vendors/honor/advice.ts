/** Advice by error code, shown when Honor rejects the credentials. */
export const honorAdvice: Readonly<Record<string, string>> = {
  80200001:
    'the credentials belong to another app: check that app_id, Client ID and Client Secret belong to the same app',
  80300002: 'the push service is not enabled for this App ID',
  404: 'Honor has no app with this App ID: check app_id',
  unauthorized_client: 'check that app_key is the Client ID and app_secret the Client Secret, not the App Secret',
  invalid_client: 'check that app_key is the Client ID and app_secret the Client Secret, not the App Secret',
};
