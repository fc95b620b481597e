/** Advice by error code, shown when HarmonyOS Push Kit rejects the credentials. */
export const harmonyAdvice: Readonly<Record<string, string>> = {
  80200001:
    'check that certificate is the complete service-account file of the project, and that the key was not deleted',
  80200005: 'check the clock of the server: Huawei treats the signed token as expired',
  80300002: 'Push Kit is not enabled for the project, or the project ID belongs to another project',
  80300036: 'check the clock of the server: Huawei treats the lifetime of the signed token as longer than a day',
  80300037: 'Huawei has suspended the app: contact Huawei',
  appinfoError: 'Huawei does not know the app yet: publish or register it in AppGallery Connect, and wait',
  disableSendHuaweiMsgBecauseOfPenalty: 'Huawei has suspended the app: contact Huawei',
};
