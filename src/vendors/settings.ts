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
    description: 'A vendor that has not answered by then counts as unreachable. Must be well below the lease.',
  }),
  CARILLON_APNS_URL_PRODUCTION: url('https://api.push.apple.com', 'Where APNs is, environment 1.'),
  CARILLON_APNS_URL_DEVELOPMENT: url('https://api.sandbox.push.apple.com', 'Where APNs is, environment 0.'),
  CARILLON_FCM_URL: url('https://fcm.googleapis.com', 'Where FCM is.'),
  CARILLON_FCM_TOKEN_URL: url('https://oauth2.googleapis.com', 'Where access tokens for FCM are had.'),
  CARILLON_HUAWEI_URL: url('https://push-api.cloud.huawei.com', 'Where Huawei Push Kit is.'),
  CARILLON_HUAWEI_TOKEN_URL: url('https://oauth-login.cloud.huawei.com', 'Where access tokens for Huawei are had.'),
  CARILLON_HONOR_URL: url('https://push-api.cloud.honor.com', 'Where Honor Push is.'),
  CARILLON_HONOR_TOKEN_URL: url('https://iam.developer.honor.com', 'Where access tokens for Honor are had.'),
  CARILLON_XIAOMI_URL: url('https://api.xmpush.xiaomi.com', 'Where Xiaomi Push is.'),
  CARILLON_OPPO_URL: url('https://api.push.oppomobile.com', 'Where OPPO Push is.'),
  CARILLON_VIVO_URL: url('https://api-push.vivo.com.cn', 'Where vivo Push is.'),
  CARILLON_FLYME_URL: url('https://server-api-push.meizu.com', 'Where Meizu Push is.'),
  CARILLON_PUBLIC_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description:
      'The public address of the API, such as https://push.example.com. Vendors that are told with each message where to report its arrival (Xiaomi, OPPO, Meizu) are told it; empty: they report nothing.',
  }),
  CARILLON_VENDOR_PROXY_URL: secret({
    default: '',
    description: 'An HTTP proxy (CONNECT) on the way to vendors, such as http://name:password@proxy:3128; empty: none.',
    pattern: '^(https?://[^\\s/?#]+/?)?$',
  }),
  CARILLON_VENDOR_PROXY_FOR: Type.String({
    default: '',
    description: 'Only these vendors are reached by the proxy, such as fcm,apns; empty: all.',
  }),
});
