import type { VendorName } from '../channel.ts';

/**
 * Returns the part of a vendor token that identifies the device. A Web Push token is the JSON of a subscription, which
 * is identified by its URL, because its keys can change.
 */
export function tokenIdentity(token: string, channel: VendorName): string {
  return channel === 'webpush' ? (JSON.parse(token) as { endpoint: string }).endpoint : token;
}
