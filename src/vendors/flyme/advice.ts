/** Advice by error code, shown when Meizu rejects the credentials. */
export const flymeAdvice: Readonly<Record<string, string>> = {
  1006: 'check that app_secret is the AppSecret of the AppId',
  110000: 'Meizu has no app with this AppId: check app_id',
  110009: 'Meizu has put the app on its deny list: contact Meizu',
  110031: 'package_names in certificate contains packages that do not belong to this app',
  110033: 'check that app_secret is the AppSecret of the AppId',
};
