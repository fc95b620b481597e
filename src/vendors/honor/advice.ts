import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when Honor rejects the credentials. */
export const honorAdvice: Advice = {
  80200001: {
    en: 'the credentials belong to another app: check that app_id, Client ID and Client Secret belong to the same app',
    zh: '凭据属于其他应用：请检查 app_id、Client ID 和 Client Secret 是否属于同一应用',
  },
  80300002: { en: 'the push service is not enabled for this App ID', zh: '此 App ID 未开通推送服务' },
  404: { en: 'Honor has no app with this App ID: check app_id', zh: '荣耀没有使用此 App ID 的应用：请检查 app_id' },
  unauthorized_client: {
    en: 'check that app_key is the Client ID and app_secret the Client Secret, not the App Secret',
    zh: '请检查 app_key 是否为 Client ID，app_secret 是否为 Client Secret，而不是 App Secret',
  },
  invalid_client: {
    en: 'check that app_key is the Client ID and app_secret the Client Secret, not the App Secret',
    zh: '请检查 app_key 是否为 Client ID，app_secret 是否为 Client Secret，而不是 App Secret',
  },
};
