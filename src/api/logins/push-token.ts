import { pushTokenOf } from '#src/domain/device.ts';
import { randomText } from '#src/foundation/random-text.ts';

const PUSH_TOKEN_BITS = 160;

/** Generates a random push token for a device of this shard. */
export const generatePushToken = (shard: number): string => pushTokenOf(shard, randomText(PUSH_TOKEN_BITS));
