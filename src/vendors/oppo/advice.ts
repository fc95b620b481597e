import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when OPPO rejects the credentials. */
export const oppoAdvice: Advice = {
  14: { en: 'check that app_key is the AppKey of this app', zh: '请检查 app_key 是否为此应用的 AppKey' },
  16: {
    en: 'check that app_secret is the MasterSecret of this app, not the AppSecret',
    zh: '请检查 app_secret 是否为此应用的 MasterSecret，而不是 AppSecret',
  },
  19: {
    en: 'the database clock is wrong by more than ten minutes: synchronize it',
    zh: '数据库时钟的误差超过十分钟：请同步时钟',
  },
  28: { en: 'OPPO has disabled the app: contact OPPO', zh: 'OPPO 已停用此应用：请联系 OPPO' },
};
