// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

/** Every vendor, by its number in `provider`. */
export const vendors: Readonly<Record<number, { readonly name: string; readonly displayName: string }>> = {
  1: { name: 'apns', displayName: 'APNs' },
  2: { name: 'huawei', displayName: 'Huawei' },
  3: { name: 'xiaomi', displayName: 'Xiaomi' },
  4: { name: 'flyme', displayName: 'Meizu' },
  5: { name: 'vivo', displayName: 'vivo' },
  6: { name: 'oppo', displayName: 'OPPO' },
  7: { name: 'fcm', displayName: 'FCM' },
  8: { name: 'honor', displayName: 'Honor' },
};
