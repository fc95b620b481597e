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
}

/** The facts about each vendor that rules need, in the order of the documentation. */
export const vendorFacts = {
  apns: { provider: 1, reachIndex: 0, displayName: 'APNs', supportsDataOnly: true, sendsReceipts: false },
  fcm: {
    provider: 7,
    reachIndex: 1,
    displayName: 'FCM',
    sequenceWord: 'fcm',
    supportsDataOnly: true,
    sendsReceipts: false,
  },
  huawei: {
    provider: 2,
    reachIndex: 4,
    displayName: 'Huawei',
    sequenceWord: 'huawei',
    supportsDataOnly: true,
    sendsReceipts: true,
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

/** The vendors that serve Android devices. */
export type AndroidVendor = Exclude<VendorName, 'apns'>;
export const androidVendors = vendorNames.filter((vendor): vendor is AndroidVendor => vendor !== 'apns');

/** The nine channels, named as in the statistics. */
export const channels: readonly Channel[] = [...vendorNames, 'nativepush' as const].sort();

/** The vendors that `ups` in `ospush_sequence` stands for: the Chinese vendors. */
export const domesticVendors = ['xiaomi', 'huawei', 'honor', 'flyme', 'oppo', 'vivo'] as const satisfies VendorName[];

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
