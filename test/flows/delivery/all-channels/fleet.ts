import { type VendorName, vendorNames } from '#src/domain/channel.ts';

export const PHONES_PER_VENDOR = 2_375;
export const PHONES = PHONES_PER_VENDOR * vendorNames.length;
export const SESSIONS = 1_000;
export const DEVICES = PHONES + SESSIONS;
export const SILENT_EVERY = 10;
/** Longer than the whole test, because a silent session must not be disconnected and receive the notification again. */
export const KEEPALIVE_SECONDS = 600;
/**
 * One phone in twenty has a dead token, and one in twenty is throttled. APNs throttles by token, and other vendors
 * throttle by request.
 */
export const TWENTIETH = 20;
/** One token in a hundred gets a slow response, so that calls are in flight when a worker is killed. */
export const SLOW_EVERY = 100;
/** Vendors that accept lists of tokens receive about one list per slice: two ranges in each of two databases, two slices each. */
export const LISTS = 8;
export const LISTS_THROTTLED = Math.ceil(LISTS / TWENTIETH);
export const SINGLES_THROTTLED = Math.ceil(PHONES_PER_VENDOR / TWENTIETH);
/** Number of lists that Xiaomi's daily quota covers. */
export const LISTS_ALLOWED = 2;
export const OUTAGE_MS = 10_000;
export const A_DAY_MS = 86_400_000;
/**
 * Lifetime of the notification. It expires for silent sessions and for phones that APNs throttles for the whole test.
 * All other devices are reached much earlier.
 */
export const LIFETIME_SECONDS = 90;
export const FINISH_SECONDS_MAX = LIFETIME_SECONDS + 30;
/** Minimum number of places without a confirmed outcome when a worker is killed. */
export const UNCONFIRMED_MIN = 100;

/**
 * Settings that differ from the demo credentials. vivo's console assigns a number to the receipt URL. Honor gets a low
 * rate: a killed worker then leaves few lists of which only the dead tokens are open, which would pause the channel.
 */
export const certificateChanges: Readonly<Partial<Record<VendorName, object>>> = {
  vivo: { certificate: '{"callback_id":"1"}' },
  honor: { per_second: 500 },
};

/** Vendors that report delivery with callbacks. */
export const vendorsWithReceipts = ['huawei', 'harmony', 'honor', 'xiaomi', 'oppo', 'vivo', 'flyme'] as const;
/** For these vendors, one phone in twenty sends a receipt itself, and half of those phones send it twice. */
export const vendorsWithoutReceipts = ['apns', 'fcm', 'webpush'] as const;
/** Vendors that receive one request per device, some of which are throttled. */
export const throttledSingles = ['fcm', 'webpush'] as const;

export type CounterTriple = [target: number, sent: number, received: number];

export const sessions = [...Array(SESSIONS).keys()];
export const isSilent = (i: number) => i % SILENT_EVERY === 0;
/** Half of the sessions have an APNs token. One in five silent sessions with an APNs token has a dead token. */
export const isSilentDead = (i: number) => i % 100 === 40;
export const apnsTokenOf = (i: number) => (i % 4 < 2 ? `${isSilentDead(i) ? 'dead' : 'live'}-swarm-${i}` : undefined);

/**
 * The prefix of a token decides the simulated outcome. Xiaomi phones also have an FCM token. One in twenty Huawei and
 * HarmonyOS phones has notifications turned off.
 */
export function tokensOf(vendor: VendorName, i: number): ReadonlyMap<VendorName, string> {
  const tokens = new Map<VendorName, string>([[vendor, `${tokenPrefixOf(vendor, i)}-${vendor}-bell-${i}`]]);
  if (vendor === 'xiaomi') tokens.set('fcm', `live-fcm-of-xiaomi-${i}`);
  return tokens;
}

export function tokenPrefixOf(vendor: VendorName, i: number): string {
  if (i % TWENTIETH === 3) return 'dead';
  if (i % TWENTIETH === 11 && vendor === 'apns') return 'busy';
  if (i % TWENTIETH === 7 && (vendor === 'huawei' || vendor === 'harmony')) return 'muted';
  return i % SLOW_EVERY === 50 ? 'slow' : 'live';
}
