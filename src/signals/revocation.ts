import type { Motion } from './signals.ts';
import { subjects } from './subjects.ts';

/** Tells everybody to look for revocations now. It may get lost: they also look by themselves. */
export function hurryRevocations(motion: Motion): void {
  motion.publish(subjects.revocation, '');
}

export function onRevocation(motion: Motion, hear: () => void): void {
  motion.subscribe(subjects.revocation, () => {
    hear();
    return undefined;
  });
}
