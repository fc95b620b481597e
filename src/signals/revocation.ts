import type { Signals } from './signals.ts';
import { subjects } from './subjects.ts';

/** Signals all processes to check for revocations now. A lost signal only causes a delay, because they also poll. */
export function sendRevocation(signals: Signals): void {
  signals.publish(subjects.revocation, '');
}

export function onRevocation(signals: Signals, handler: () => void): void {
  signals.subscribe(subjects.revocation, () => {
    handler();
    return undefined;
  });
}
