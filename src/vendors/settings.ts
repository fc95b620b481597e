import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

/** Declares the URL of a vendor. It can contain a path, for a vendor that is reached through a reverse proxy. */
const url = (address: string, description: string) =>
  Type.String({ default: address, pattern: '^https?://[^\\s?#]+$', description });

/** A host name with at least two labels, optionally with its subdomains. */
const HOST = '(\\*\\.)?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+';

export const vendorSettings = Type.Object({
  CARILLON_VENDOR_DEADLINE_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 30,
    description:
      'Maximum duration of a request to a vendor, in seconds. After that, the vendor counts as unreachable. Must be at most `CARILLON_LEASE_SECONDS` - 4.',
  }),
  CARILLON_APNS_URL_PRODUCTION: url('https://api.push.apple.com', 'URL of APNs for environment 1 (production).'),
  CARILLON_APNS_URL_DEVELOPMENT: url(
    'https://api.sandbox.push.apple.com',
    'URL of APNs for environment 0 (development).',
  ),
  CARILLON_FCM_URL: url('https://fcm.googleapis.com', 'URL of FCM.'),
  CARILLON_FCM_TOKEN_URL: url(
    'https://oauth2.googleapis.com',
    'URL from which Carillon requests provider tokens for FCM.',
  ),
  CARILLON_HUAWEI_URL: url('https://push-api.cloud.huawei.com', 'URL of Huawei Push Kit.'),
  CARILLON_HUAWEI_TOKEN_URL: url(
    'https://oauth-login.cloud.huawei.com',
    'URL from which Carillon requests provider tokens for Huawei.',
  ),
  CARILLON_HARMONY_URL: url('https://push-api.cloud.huawei.com', 'URL of Push Kit for HarmonyOS 5 and later.'),
  CARILLON_HONOR_URL: url('https://push-api.cloud.honor.com', 'URL of Honor Push.'),
  CARILLON_HONOR_TOKEN_URL: url(
    'https://iam.developer.honor.com',
    'URL from which Carillon requests provider tokens for Honor.',
  ),
  CARILLON_XIAOMI_URL: url('https://api.xmpush.xiaomi.com', 'URL of Xiaomi Push.'),
  CARILLON_OPPO_URL: url('https://api.push.oppomobile.com', 'URL of OPPO Push.'),
  CARILLON_VIVO_URL: url('https://api-push.vivo.com.cn', 'URL of vivo Push.'),
  CARILLON_FLYME_URL: url('https://server-api-push.meizu.com', 'URL of Meizu Push.'),
  CARILLON_WEBPUSH_HOSTS: Type.String({
    default: '',
    pattern: `^(${HOST}([\\s,]+${HOST})*)?$`,
    description:
      'Hosts of push services that Carillon sends Web Push messages to, in addition to those of the browsers, separated by commas. Needed for UnifiedPush, such as `ntfy.example.com,*.push.example.org`. `*.` stands for all subdomains. Users choose the URL on these hosts.',
  }),
  CARILLON_WEBPUSH_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description:
      'URL of a reverse proxy for all push services of Web Push. Carillon appends the host and the path of the subscription, such as `/fcm.googleapis.com/fcm/send/…`. If empty, Carillon connects to the push services directly, and only to public addresses.',
  }),
  CARILLON_PUBLIC_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description:
      'Public URL of the API, such as `https://push.example.com`. Carillon sends it with each message to Xiaomi, OPPO and Meizu, which send their receipts to it. If empty, these vendors send no receipts.',
  }),
  CARILLON_VENDOR_PROXY_URL: secret({
    default: '',
    description:
      'HTTP proxy (method CONNECT) for requests to vendors, such as `http://name:password@proxy:3128`. If empty, no proxy is used.',
    pattern: '^(https?://[^\\s/?#]+/?)?$',
  }),
  CARILLON_VENDOR_PROXY_FOR: Type.String({
    default: '',
    description:
      'Vendors that are reached through the proxy, separated by commas, such as `fcm,apns`. If empty, the proxy is used for all vendors.',
  }),
});
