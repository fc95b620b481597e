interface VendorFacts {
  /** The value of `provider` in the public API. */
  readonly provider: number;
  /** Position of the vendor's pair of bits in a `Reach`. The database stores reaches, so an index must never change. */
  readonly reachIndex: number;
  readonly displayName: string;
  /**
   * The vendor's word in `ospush_sequence`. A vendor without a word is either included in `ups` or not part of the
   * sequence.
   */
  readonly sequenceWord?: string;
  /** Whether the vendor supports data-only messages. */
  readonly supportsDataOnly: boolean;
  /** Whether the vendor reports later which notifications were delivered. */
  readonly sendsReceipts: boolean;
  /**
   * Whether the specification of the API does not know the vendor. Its counters are in `/push/task/detail` only if the
   * app sets `extra_counters`.
   */
  readonly isExtra?: true;
  /** Whether notifications contain the number on the app's icon, which Carillon then counts for each device. */
  readonly countsBadge?: true;
}

/** The facts about each vendor that rules need, in the order of the documentation. */
export const vendorFacts = {
  apns: {
    provider: 1,
    reachIndex: 0,
    displayName: 'APNs',
    supportsDataOnly: true,
    sendsReceipts: false,
    countsBadge: true,
  },
  fcm: {
    provider: 7,
    reachIndex: 1,
    displayName: 'FCM',
    sequenceWord: 'fcm',
    supportsDataOnly: true,
    sendsReceipts: false,
  },
  webpush: {
    provider: 10,
    reachIndex: 9,
    displayName: 'Web Push',
    sequenceWord: 'webpush',
    supportsDataOnly: false,
    sendsReceipts: false,
    countsBadge: true,
    isExtra: true,
  },
  huawei: {
    provider: 2,
    reachIndex: 4,
    displayName: 'Huawei',
    sequenceWord: 'huawei',
    supportsDataOnly: true,
    sendsReceipts: true,
  },
  harmony: {
    provider: 9,
    reachIndex: 8,
    displayName: 'HarmonyOS',
    sequenceWord: 'harmony',
    supportsDataOnly: true,
    sendsReceipts: true,
    isExtra: true,
  },
  honor: { provider: 8, reachIndex: 3, displayName: 'Honor', supportsDataOnly: true, sendsReceipts: true },
  xiaomi: {
    provider: 3,
    reachIndex: 7,
    displayName: 'Xiaomi',
    sequenceWord: 'xiaomi',
    supportsDataOnly: false,
    sendsReceipts: true,
  },
  oppo: {
    provider: 6,
    reachIndex: 5,
    displayName: 'OPPO',
    sequenceWord: 'oppo',
    supportsDataOnly: false,
    sendsReceipts: true,
  },
  vivo: {
    provider: 5,
    reachIndex: 6,
    displayName: 'vivo',
    sequenceWord: 'vivo',
    supportsDataOnly: false,
    sendsReceipts: true,
  },
  flyme: {
    provider: 4,
    reachIndex: 2,
    displayName: 'Meizu',
    sequenceWord: 'meizu',
    supportsDataOnly: false,
    sendsReceipts: true,
  },
} as const satisfies Record<string, VendorFacts>;

export type VendorName = keyof typeof vendorFacts;
export type Channel = VendorName | 'nativepush';

export const vendorNames = (Object.keys(vendorFacts) as VendorName[]).sort();

/** The vendors whose devices do not run Android. They do not use the parameters in `android`. */
const otherSystems = ['apns', 'harmony', 'webpush'] as const satisfies VendorName[];

/** The vendors that serve Android devices. */
export type AndroidVendor = Exclude<VendorName, (typeof otherSystems)[number]>;
export const androidVendors = vendorNames.filter(
  (vendor): vendor is AndroidVendor => !(otherSystems as readonly VendorName[]).includes(vendor),
);

/** The vendors whose notifications contain the number on the app's icon. */
export const badgeVendors = vendorNames.filter((vendor) => 'countsBadge' in vendorFacts[vendor]);

/** All channels, named as in the statistics. */
export const channels: readonly Channel[] = [...vendorNames, 'nativepush' as const].sort();

/** The channels that the specification of the API does not know. */
export const extraChannels: readonly Channel[] = vendorNames.filter((vendor) => 'isExtra' in vendorFacts[vendor]);

/** The nine channels of the specification. */
export const specifiedChannels: readonly Channel[] = channels.filter((channel) => !extraChannels.includes(channel));

/**
 * The vendors that `ups` in `ospush_sequence` stands for: the Chinese vendors. HarmonyOS is before Huawei, because a
 * phone that was upgraded from HarmonyOS 4 may still have a Huawei token that no longer works.
 */
export const domesticVendors = [
  'xiaomi',
  'harmony',
  'huawei',
  'honor',
  'flyme',
  'oppo',
  'vivo',
] as const satisfies VendorName[];

type VendorWord = Extract<(typeof vendorFacts)[VendorName], { sequenceWord: string }>['sequenceWord'];

export const vendorBySequenceWord: ReadonlyMap<string, VendorName> = new Map(
  (Object.entries(vendorFacts) as [VendorName, VendorFacts][]).flatMap(([vendor, { sequenceWord }]) =>
    sequenceWord === undefined ? [] : [[sequenceWord, vendor]],
  ),
);

/** The words of `ospush_sequence`. */
export const sequenceWords = ['ups', ...vendorBySequenceWord.keys()] as readonly ('ups' | VendorWord)[];

/** Values of `provider` in the public API. */
export const providerByVendor = Object.fromEntries(
  vendorNames.map((vendor) => [vendor, vendorFacts[vendor].provider]),
) as Readonly<Record<VendorName, number>>;

export const vendorByProvider: Readonly<Record<number, VendorName>> = Object.fromEntries(
  vendorNames.map((vendor) => [providerByVendor[vendor], vendor]),
);

/** Values of `environment` in the public API: 0 is development, 1 is production. */
export type Environment = 0 | 1;
