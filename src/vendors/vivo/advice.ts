import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when vivo rejects the credentials. */
export const vivoAdvice: Advice = {
  10045: {
    en: 'vivo is still reviewing the app: until the review is complete, only test messages (environment 0) can be sent',
    zh: 'vivo 仍在审核此应用：审核完成前只能发送测试消息（环境 0）',
  },
  10094: {
    en: 'the credentials belong to another app: check that app_id, app_key and app_secret belong to the same app',
    zh: '凭据属于其他应用：请检查 app_id、app_key 和 app_secret 是否属于同一应用',
  },
  10202: { en: 'check that app_key is the AppKey of this app', zh: '请检查 app_key 是否为此应用的 AppKey' },
  10205: { en: 'vivo has no app with this AppID: check app_id', zh: 'vivo 没有使用此 AppID 的应用：请检查 app_id' },
  10206: {
    en: 'check that app_key and app_secret belong to the AppID',
    zh: '请检查 app_key 和 app_secret 是否属于此 AppID',
  },
  10207: {
    en: 'the database clock is wrong by more than ten minutes: synchronize it',
    zh: '数据库时钟的误差超过十分钟：请同步时钟',
  },
};
