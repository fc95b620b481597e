import type { IPublishPacket } from 'mqtt-packet';
import { isPacketId } from '../codec.ts';
import { reason } from '../session.ts';
import type { PacketHandler } from './handler.ts';

const NOT_AUTHORISED = 0x87;

/** Nobody listens to what devices publish: it is acknowledged as their standard asks, and goes nowhere. */
export const handlePublish: PacketHandler<IPublishPacket> = (session, packet) => {
  const { qos, messageId } = packet;
  if (qos === 0) return;
  if (qos === 2 || !isPacketId(messageId)) session.close(reason.protocolError);
  else session.send({ cmd: 'puback', messageId, ...(session.version === 5 && { reasonCode: NOT_AUTHORISED }) });
};
