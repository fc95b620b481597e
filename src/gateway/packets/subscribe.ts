import type { ISubscribePacket, IUnsubscribePacket } from 'mqtt-packet';
import { PUSH_TOPIC } from '../codec.ts';
import type { PacketHandler } from './handler.ts';

const GRANTED_QOS_1 = 0x01;
const REFUSED_3_1_1 = 0x80;
const NOT_AUTHORISED = 0x87;

/** Devices are sent their notifications unasked; a subscription to `push` is granted all the same, and nothing else. */
export const handleSubscribe: PacketHandler<ISubscribePacket> = (session, packet) => {
  const refused = session.version === 5 ? NOT_AUTHORISED : REFUSED_3_1_1;
  session.send({
    cmd: 'suback',
    messageId: packet.messageId ?? 0,
    granted: packet.subscriptions.map(({ topic }) => (topic === PUSH_TOPIC ? GRANTED_QOS_1 : refused)),
  });
};

export const handleUnsubscribe: PacketHandler<IUnsubscribePacket> = (session, packet) => {
  session.send({ cmd: 'unsuback', messageId: packet.messageId ?? 0, granted: packet.unsubscriptions.map(() => 0) });
};
