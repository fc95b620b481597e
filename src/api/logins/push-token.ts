import { pushTokenOf } from '#src/domain/device.ts';
import { randomText } from '#src/foundation/random-text.ts';

const PUSH_TOKEN_BITS = 160;

/** A push token that nobody has. */
export const generatePushToken = (shard: number): string => pushTokenOf(shard, randomText(PUSH_TOKEN_BITS));
