import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when Xiaomi rejects the credentials. */
export const xiaomiAdvice: Advice = {
  21301: { en: 'check that app_secret is the AppSecret of this app', zh: '请检查 app_secret 是否为此应用的 AppSecret' },
  22022: {
    en: 'package_names in certificate contains packages that do not belong to the app with this AppSecret',
    zh: 'certificate 中的 package_names 包含不属于此 AppSecret 所属应用的包名',
  },
};
