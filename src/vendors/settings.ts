import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

/** Declares the URL of a vendor. It can contain a path, for a vendor that is reached through a reverse proxy. */
const url = (address: string, description: string) =>
  Type.String({ default: address, pattern: '^https?://[^\\s?#]+$', description });

export const vendorSettings = Type.Object({
  CARILLON_VENDOR_DEADLINE_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 30,
    description:
      'Deadline of a vendor request, after which the vendor counts as unreachable. Must be at most CARILLON_LEASE_SECONDS - 4.',
  }),
  CARILLON_APNS_URL_PRODUCTION: url('https://api.push.apple.com', 'URL of APNs for environment 1.'),
  CARILLON_APNS_URL_DEVELOPMENT: url('https://api.sandbox.push.apple.com', 'URL of APNs for environment 0.'),
  CARILLON_FCM_URL: url('https://fcm.googleapis.com', 'URL of FCM.'),
  CARILLON_FCM_TOKEN_URL: url('https://oauth2.googleapis.com', 'URL for requesting FCM access tokens.'),
  CARILLON_HUAWEI_URL: url('https://push-api.cloud.huawei.com', 'URL of Huawei Push Kit.'),
  CARILLON_HUAWEI_TOKEN_URL: url('https://oauth-login.cloud.huawei.com', 'URL for requesting Huawei access tokens.'),
  CARILLON_HONOR_URL: url('https://push-api.cloud.honor.com', 'URL of Honor Push.'),
  CARILLON_HONOR_TOKEN_URL: url('https://iam.developer.honor.com', 'URL for requesting Honor access tokens.'),
  CARILLON_XIAOMI_URL: url('https://api.xmpush.xiaomi.com', 'URL of Xiaomi Push.'),
  CARILLON_OPPO_URL: url('https://api.push.oppomobile.com', 'URL of OPPO Push.'),
  CARILLON_VIVO_URL: url('https://api-push.vivo.com.cn', 'URL of vivo Push.'),
  CARILLON_FLYME_URL: url('https://server-api-push.meizu.com', 'URL of Meizu Push.'),
  CARILLON_PUBLIC_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description:
      'Public URL of the API, such as https://push.example.com. Xiaomi, OPPO and Meizu receive it with each message and send their receipts to it. If empty, they send no receipts.',
  }),
  CARILLON_VENDOR_PROXY_URL: secret({
    default: '',
    description: 'HTTP proxy (CONNECT) for vendor requests, such as http://name:password@proxy:3128; empty for none.',
    pattern: '^(https?://[^\\s/?#]+/?)?$',
  }),
  CARILLON_VENDOR_PROXY_FOR: Type.String({
    default: '',
    description: 'Vendors that are reached through the proxy, such as fcm,apns; empty for all.',
  }),
});
