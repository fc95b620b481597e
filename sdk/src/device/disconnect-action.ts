import type { RetryPace } from './backoff.ts';

/**
 * The action after a connection has ended. After `signed-out` and `taken-over`, the device does not reconnect
 * automatically.
 */
export type DisconnectAction = RetryPace | 'signed-out' | 'taken-over';

/** Reason codes of MQTT 5, and the two codes of MQTT 3.1.1 for the same rejections. */
const actionByReasonCode: Readonly<Record<number, DisconnectAction>> = {
  4: 'signed-out', // 3.1.1: bad user name or password
  5: 'signed-out', // 3.1.1: not authorised
  134: 'signed-out', // 0x86, bad user name or password
  135: 'signed-out', // 0x87, not authorised: also sent to a session whose token was revoked
  138: 'signed-out', // 0x8a, banned
  139: 'soon', // 0x8b, the server is shutting down
  142: 'taken-over', // 0x8e, another connection of the same device
  156: 'soon', // 0x9c, use another server
};

export const disconnectActionOf = (reasonCode: number | undefined): DisconnectAction =>
  (reasonCode === undefined ? undefined : actionByReasonCode[reasonCode]) ?? 'later';
