import { createECDH, createHash, type ECDH } from 'node:crypto';

/** A host of each push service, as in the subscriptions of real browsers. */
export const serviceHosts = {
  google: 'fcm.googleapis.com',
  mozilla: 'updates.push.services.mozilla.com',
  apple: 'web.push.apple.com',
  windows: 'wns2-par02p.notify.windows.com',
} as const;

export type BrowserService = keyof typeof serviceHosts;

/** A UnifiedPush server can have any host. */
export type PushService = BrowserService | 'unifiedpush';

/** The private key of all simulated browsers. It is public, because no real browser has it. */
const BROWSER_KEY = createHash('sha256').update('the private key of all simulated browsers').digest();

/** Returns the key pair with which the simulated browsers decrypt messages. */
export function browserKeys(): ECDH {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(BROWSER_KEY);
  return keys;
}

/** Returns the authentication secret of a subscription, which its name determines. */
export const authOf = (name: string): Buffer => createHash('sha256').update(`auth of ${name}`).digest().subarray(0, 16);

/** Returns the URL of a subscription. As for other vendors, its name determines the response of the push service. */
export function endpointOf(name: string, host: string = serviceHosts.apple): string {
  const id = encodeURIComponent(name);
  switch (serviceOf(host)) {
    case 'google':
      return `https://${host}/fcm/send/${id}`;
    case 'mozilla':
      return `https://${host}/wpush/v2/${id}`;
    case 'windows':
      return `https://${host}/w/?token=${id}`;
    default:
      return `https://${host}/${id}`;
  }
}

/** Returns the JSON of a subscription, as `JSON.stringify(subscription)` returns it in a browser. */
export function subscriptionOf(name: string, host?: string): string {
  const keys = { p256dh: browserKeys().getPublicKey('base64url'), auth: authOf(name).toString('base64url') };
  return JSON.stringify({ endpoint: endpointOf(name, host), expirationTime: null, keys });
}

export function serviceOf(host: string): PushService {
  if (host === serviceHosts.google) return 'google';
  if (host.endsWith('.push.services.mozilla.com')) return 'mozilla';
  if (host.endsWith('.push.apple.com')) return 'apple';
  return host.endsWith('.notify.windows.com') ? 'windows' : 'unifiedpush';
}
