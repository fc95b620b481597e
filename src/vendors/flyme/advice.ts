import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when Meizu rejects the credentials. */
export const flymeAdvice: Advice = {
  1006: {
    en: 'check that app_secret is the AppSecret of the AppId',
    zh: '请检查 app_secret 是否为此 AppId 的 AppSecret',
  },
  110000: { en: 'Meizu has no app with this AppId: check app_id', zh: '魅族没有使用此 AppId 的应用：请检查 app_id' },
  110009: { en: 'Meizu has put the app on its deny list: contact Meizu', zh: '魅族已将此应用列入黑名单：请联系魅族' },
  110031: {
    en: 'package_names in certificate contains packages that do not belong to this app',
    zh: 'certificate 中的 package_names 包含不属于此应用的包名',
  },
  110033: {
    en: 'check that app_secret is the AppSecret of the AppId',
    zh: '请检查 app_secret 是否为此 AppId 的 AppSecret',
  },
};
