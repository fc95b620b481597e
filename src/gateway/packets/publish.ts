import type { IPublishPacket } from 'mqtt-packet';
import { reason } from '../session.ts';
import type { PacketHandler } from './handler.ts';

const NOT_AUTHORISED = 0x87;

/** Nobody listens to what devices publish: it is acknowledged as their standard asks, and goes nowhere. */
export const handlePublish: PacketHandler<IPublishPacket> = (session, packet) => {
  if (packet.qos === 2) session.close(reason.protocolError);
  else if (packet.qos === 1)
    session.send({
      cmd: 'puback',
      messageId: packet.messageId ?? 0,
      ...(session.version === 5 && { reasonCode: NOT_AUTHORISED }),
    });
};
