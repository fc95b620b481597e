import { vendors } from '../../../sdk/src/index.ts';
import type { en } from './i18n/en.ts';

export type ChannelName = keyof (typeof en)['channel'];

/** Returns the channel of a vendor number in `provider`. */
export const channelOf = (provider: number): ChannelName => (vendors[provider]?.name ?? 'nativepush') as ChannelName;

/** Returns whether deliveries are counted without receipts of the app: by the vendor, or by acknowledgements. */
export const reportsDelivery = (channel: ChannelName): boolean =>
  Object.values(vendors).find(({ name }) => name === channel)?.sendsReceipts ?? true;

export const environmentOf = (environment: number): 'production' | 'development' =>
  environment === 0 ? 'development' : 'production';

/** Every channel, the Carillon channel first. */
export const channelNames: readonly ChannelName[] = [
  'nativepush',
  ...Object.values(vendors).map(({ name }) => name as ChannelName),
];
