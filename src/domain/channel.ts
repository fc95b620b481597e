/** The nine bells, named as in the statistics. */
export const channels = ['apns', 'fcm', 'flyme', 'honor', 'huawei', 'nativepush', 'oppo', 'vivo', 'xiaomi'] as const;

export type Channel = (typeof channels)[number];
export type VendorName = Exclude<Channel, 'nativepush'>;

export const vendorNames = channels.filter((channel): channel is VendorName => channel !== 'nativepush');

/** The vendors inside `ups`, the word of `ospush_sequence` for the phone makers of China. */
export const domesticVendors = ['xiaomi', 'huawei', 'honor', 'flyme', 'oppo', 'vivo'] as const satisfies VendorName[];

/** `provider` of the public interface. */
export const providerByVendor = {
  apns: 1,
  huawei: 2,
  xiaomi: 3,
  flyme: 4,
  vivo: 5,
  oppo: 6,
  fcm: 7,
  honor: 8,
} as const satisfies Record<VendorName, number>;

export const vendorByProvider: Readonly<Record<number, VendorName>> = Object.fromEntries(
  vendorNames.map((vendor) => [providerByVendor[vendor], vendor]),
);

/** `environment` of the public interface: 0 development, 1 production. */
export type Environment = 0 | 1;
