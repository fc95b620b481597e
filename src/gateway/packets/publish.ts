import type { IPublishPacket } from 'mqtt-packet';
import { reason } from '../session.ts';
import type { PacketHandler } from './handler.ts';

const NOT_AUTHORISED = 0x87;

/** Nobody listens to what devices publish: it is acknowledged as their standard asks, and goes nowhere. */
export const handlePublish: PacketHandler<IPublishPacket> = (session, packet) => {
  const { qos, messageId } = packet;
  if (qos === 2 || (qos === 1 && !messageId)) session.close(reason.protocolError);
  else if (qos === 1 && messageId)
    session.send({ cmd: 'puback', messageId, ...(session.version === 5 && { reasonCode: NOT_AUTHORISED }) });
};
