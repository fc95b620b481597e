import type { IUnsubscribePacket } from 'mqtt-packet';
import { PUSH_TOPIC, RECALL_TOPIC } from '#src/contract/mqtt.ts';
import type { ProtocolVersion } from '../codec.ts';
import type { PacketCursor } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../reason-codes.ts';
import type { PacketHandler } from './packet-handler.ts';
import { checkFilter } from './subscribe.ts';

const SUCCESS = 0x00;
const NO_SUBSCRIPTION_EXISTED = 0x11;

export function checkUnsubscribe(cursor: PacketCursor, version: ProtocolVersion): void {
  cursor.packetId();
  if (version === 5) checkProperties(cursor, 'unsubscribe');
  if (cursor.done) cursor.fail(reason.protocolError); // a list without a filter [MQTT-3.10.3-2]
  while (!cursor.done) checkFilter(cursor);
}

/**
 * Responds to an UNSUBSCRIBE. Unsubscribing from `push` is rejected, because notifications are sent as long as the
 * device is connected. In 3.1.1 the UNSUBACK has no reason codes.
 */
export const handleUnsubscribe: PacketHandler<IUnsubscribePacket> = (session, { messageId, unsubscriptions }) => {
  const granted = unsubscriptions.map((filter) => {
    if (filter === PUSH_TOPIC) return reason.notAuthorised;
    if (filter !== RECALL_TOPIC || !session.acceptsRecalls) return NO_SUBSCRIPTION_EXISTED;
    session.acceptsRecalls = false;
    return SUCCESS;
  });
  session.send({ cmd: 'unsuback', messageId: messageId as number, granted });
  return undefined;
};
