import type { ISubscribePacket, IUnsubscribePacket } from 'mqtt-packet';
import { isPacketId, PUSH_TOPIC } from '../codec.ts';
import { reason } from '../session.ts';
import type { PacketHandler } from './handler.ts';

const GRANTED_QOS_1 = 0x01;
const REFUSED_3_1_1 = 0x80;
const NOT_AUTHORISED = 0x87;

/** Devices are sent their notifications unasked; a subscription to `push` is granted all the same, and nothing else. */
export const handleSubscribe: PacketHandler<ISubscribePacket> = (session, { messageId, subscriptions }) => {
  // A list without a topic is a protocol error [MQTT-3.8.3-2], and so is a packet without an id [MQTT-2.2.1-3].
  if (!isPacketId(messageId) || subscriptions.length === 0) {
    session.close(reason.protocolError);
    return;
  }
  const refused = session.version === 5 ? NOT_AUTHORISED : REFUSED_3_1_1;
  session.send({
    cmd: 'suback',
    messageId,
    granted: subscriptions.map(({ topic }) => (topic === PUSH_TOPIC ? GRANTED_QOS_1 : refused)),
  });
};

export const handleUnsubscribe: PacketHandler<IUnsubscribePacket> = (session, { messageId, unsubscriptions }) => {
  if (!isPacketId(messageId) || unsubscriptions.length === 0) session.close(reason.protocolError);
  else session.send({ cmd: 'unsuback', messageId, granted: unsubscriptions.map(() => 0) });
};
