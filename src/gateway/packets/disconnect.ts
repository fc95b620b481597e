import type { IDisconnectPacket } from 'mqtt-packet';
import type { ProtocolVersion } from '../codec.ts';
import type { PacketCursor } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../reason-codes.ts';
import type { PacketHandler } from './packet-handler.ts';

/** Reason codes that MQTT 5 allows in a client's DISCONNECT (table 3-10). The others are reserved for servers. */
const reasonCodes: ReadonlySet<number> = new Set([
  0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
]);

export function checkDisconnect(cursor: PacketCursor, version: ProtocolVersion): void {
  if (version === 5 && !cursor.done) {
    if (!reasonCodes.has(cursor.byte())) cursor.fail(reason.protocolError);
    if (!cursor.done) checkProperties(cursor, 'disconnect');
  }
  cursor.mustEnd();
}

/**
 * Ends the session, for any reason code. 0x04 asks the server to publish the will, but no session has one. If the
 * CONNECT requested no session expiry, requesting one now is a protocol error [MQTT-3.14.2-2].
 */
export const handleDisconnect: PacketHandler<IDisconnectPacket> = (session, { properties }) =>
  (properties?.sessionExpiryInterval ?? 0) > 0 && !session.expiryRequested ? reason.protocolError : reason.normal;
