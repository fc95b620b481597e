/** Advice by error code, shown when Xiaomi rejects the credentials. */
export const xiaomiAdvice: Readonly<Record<string, string>> = {
  21301: 'check that app_secret is the AppSecret of this app',
  22022: 'package_names in certificate contains packages that do not belong to the app with this AppSecret',
};
