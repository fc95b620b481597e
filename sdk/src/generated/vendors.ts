// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

export interface VendorEntry {
  readonly name: string;
  readonly displayName: string;
  /** Whether the vendor reports deliveries to a callback URL. */
  readonly sendsReceipts: boolean;
}

/** Every vendor, by its number in `provider`. */
export const vendors: Readonly<Record<number, VendorEntry>> = {
  1: { name: 'apns', displayName: 'APNs', sendsReceipts: false },
  2: { name: 'huawei', displayName: 'Huawei', sendsReceipts: true },
  3: { name: 'xiaomi', displayName: 'Xiaomi', sendsReceipts: true },
  4: { name: 'flyme', displayName: 'Meizu', sendsReceipts: true },
  5: { name: 'vivo', displayName: 'vivo', sendsReceipts: true },
  6: { name: 'oppo', displayName: 'OPPO', sendsReceipts: true },
  7: { name: 'fcm', displayName: 'FCM', sendsReceipts: false },
  8: { name: 'honor', displayName: 'Honor', sendsReceipts: true },
  9: { name: 'harmony', displayName: 'HarmonyOS', sendsReceipts: true },
  10: { name: 'webpush', displayName: 'Web Push', sendsReceipts: false },
};
