/** Advice by error code, shown when vivo rejects the credentials. */
export const vivoAdvice: Readonly<Record<string, string>> = {
  10045:
    'vivo is still reviewing the app: until the review is complete, only test messages (environment 0) can be sent',
  10094: 'the credentials belong to another app: check that app_id, app_key and app_secret belong to the same app',
  10202: 'check that app_key is the AppKey of this app',
  10205: 'vivo has no app with this AppID: check app_id',
  10206: 'check that app_key and app_secret belong to the AppID',
  10207: 'the database clock is wrong by more than ten minutes: synchronize it',
};
