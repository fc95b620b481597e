import type { Advice } from '../vendor.ts';

/** Advice by error code, shown when HarmonyOS Push Kit rejects the credentials. */
export const harmonyAdvice: Advice = {
  80200001: {
    en: 'check that certificate is the complete service-account file of the project, and that the key was not deleted',
    zh: '请检查 certificate 是否为项目完整的服务账号文件，以及密钥是否已被删除',
  },
  80200005: {
    en: 'check the clock of the server: Huawei treats the signed token as expired',
    zh: '请检查服务器的时钟：华为认为签名的 token 已过期',
  },
  80300002: {
    en: 'Push Kit is not enabled for the project, or the project ID belongs to another project',
    zh: '项目未开通 Push Kit，或项目 ID 属于其他项目',
  },
  80300036: {
    en: 'check the clock of the server: Huawei treats the lifetime of the signed token as longer than a day',
    zh: '请检查服务器的时钟：华为认为签名的 token 的有效期超过一天',
  },
  80300037: { en: 'Huawei has suspended the app: contact Huawei', zh: '华为已暂停此应用的推送：请联系华为' },
  appinfoError: {
    en: 'Huawei does not know the app yet: publish or register it in AppGallery Connect, and wait',
    zh: '华为尚无此应用的信息：请在 AppGallery Connect 中发布或注册应用，然后等待',
  },
  disableSendHuaweiMsgBecauseOfPenalty: {
    en: 'Huawei has suspended the app: contact Huawei',
    zh: '华为已暂停此应用的推送：请联系华为',
  },
};
