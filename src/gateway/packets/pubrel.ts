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
 * The rest of something at QoS 2 that another server began: nothing here knows of it, and the client is told so, which
 * lets it forget [MQTT-4.3.3-11]. To end the session instead would have it come again with the same packet.
 */
export const handlePubrel: PacketHandler<IPubrelPacket> = (session, { messageId }) => {
  session.send({
    cmd: 'pubcomp',
    messageId: messageId as number,
    ...(session.version === 5 && { reasonCode: reason.packetIdNotFound }),
  });
  return undefined;
};
