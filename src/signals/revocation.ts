import type { Signals } from './signals.ts';
import { subjects } from './subjects.ts';

/** Tells everybody to look for revocations now. It may get lost: they also look by themselves. */
export function sendRevocation(signals: Signals): void {
  signals.publish(subjects.revocation, '');
}

export function onRevocation(signals: Signals, handler: () => void): void {
  signals.subscribe(subjects.revocation, () => {
    handler();
    return undefined;
  });
}
