import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when Huawei rejects the credentials. */
export const huaweiAdvice: Advice = {
  80200001: {
    en: 'the credentials belong to another app: check that app_id, app_secret and the project ID, if set, belong to the same app',
    zh: '凭据属于其他应用：请检查 app_id、app_secret 和项目 ID（如已设置）是否属于同一应用',
  },
  80300002: {
    en: 'Push Kit is not enabled for this App ID, or the credentials belong to another App ID',
    zh: '此 App ID 未开通 Push Kit，或凭据属于其他 App ID',
  },
  80300037: { en: 'Huawei has suspended the app: contact Huawei', zh: '华为已暂停此应用的推送：请联系华为' },
  1101: {
    en: 'check that app_id is the App ID and app_secret the secret of the same app',
    zh: '请检查 app_id 是否为 App ID，app_secret 是否为同一应用的密钥',
  },
};
