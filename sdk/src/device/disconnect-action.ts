import type { RetryPace } from './backoff.ts';

/** What the end of a connection means. The last two are final until somebody acts. */
export type DisconnectAction = RetryPace | 'signed-out' | 'taken-over';

/** Reason codes of MQTT 5, and the two of 3.1.1 for the same refusals. */
const actionByReasonCode: Readonly<Record<number, DisconnectAction>> = {
  4: 'signed-out', // 3.1.1: bad user name or password
  5: 'signed-out', // 3.1.1: not authorised
  134: 'signed-out', // 0x86, bad user name or password
  135: 'signed-out', // 0x87, not authorised: also what a session hears whose token was revoked
  138: 'signed-out', // 0x8a, banned
  139: 'soon', // 0x8b, the server is shutting down
  142: 'taken-over', // 0x8e, another connection of the same device
  156: 'soon', // 0x9c, use another server
};

export const disconnectActionOf = (reasonCode: number | undefined): DisconnectAction =>
  (reasonCode === undefined ? undefined : actionByReasonCode[reasonCode]) ?? 'later';
