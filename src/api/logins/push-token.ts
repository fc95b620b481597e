import { pushTokenOf } from '#src/domain/device.ts';
import { randomText } from '#src/foundation/random-text.ts';

const PUSH_TOKEN_BITS = 160;

/** Generates a random push token for a device of this bucket. */
export const generatePushToken = (bucket: number): string => pushTokenOf(bucket, randomText(PUSH_TOKEN_BITS));
