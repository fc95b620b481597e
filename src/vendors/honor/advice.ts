/** Advice by error code, shown when Honor rejects the credentials. */
export const honorAdvice: Readonly<Record<string, string>> = {
  80200001: 'the credentials are of another app: check that app_id, Client ID and Client Secret are of one app',
  80300002: 'the push service is not enabled for this App ID',
  404: 'there is no such app: check app_id',
  unauthorized_client: 'check that app_key is the Client ID and app_secret the Client Secret, not the App Secret',
  invalid_client: 'check that app_key is the Client ID and app_secret the Client Secret, not the App Secret',
};
