import type { IPubrelPacket } from 'mqtt-packet';
import type { ProtocolVersion } from '../codec.ts';
import type { PacketCursor } from '../packet-cursor.ts';
import { reason } from '../reason-codes.ts';
import type { PacketHandler } from './packet-handler.ts';
import { checkAcknowledgement } from './puback.ts';

const reasonCodes: ReadonlySet<number> = new Set([0x00, 0x92]);

export const checkPubrel = (cursor: PacketCursor, version: ProtocolVersion): void =>
  checkAcknowledgement(cursor, version, reasonCodes);

/**
 * Completes a QoS 2 exchange that another server began. This gateway does not have the packet id, and the PUBCOMP lets
 * the client discard it [MQTT-4.3.3-11]. If the session ended instead, the client would reconnect and send the same
 * packet.
 */
export const handlePubrel: PacketHandler<IPubrelPacket> = (session, { messageId }) => {
  session.send({
    cmd: 'pubcomp',
    messageId: messageId as number,
    ...(session.version === 5 && { reasonCode: reason.packetIdNotFound }),
  });
  return undefined;
};
