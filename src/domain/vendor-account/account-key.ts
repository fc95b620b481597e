import type { AccountKey } from './breaker.ts';

/** Returns the key of an app's account at a vendor for maps: equal accounts have equal keys. */
export const accountKey = ({ appId, channel, environment }: AccountKey): string =>
  JSON.stringify([appId, channel, environment]);
