import type { ISubscribePacket } from 'mqtt-packet';
import { PUSH_TOPIC, RECALL_TOPIC } from '#src/contract/mqtt.ts';
import type { ProtocolVersion } from '../codec.ts';
import type { PacketCursor } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../reason-codes.ts';
import type { PacketHandler } from './packet-handler.ts';

/** Maximum number of filters that are granted per packet. Further filters are rejected. */
export const SUBSCRIPTIONS_MAX = 4;
const GRANTED_QOS_0 = 0x00;
const GRANTED_QOS_1 = 0x01;
const REFUSED_3_1_1 = 0x80;

const QOS = 0x03;
const NO_LOCAL = 0x04;
const RETAIN_HANDLING = 0x30;
/** The option bits that must be zero. */
const RESERVED = { 4: 0xfc, 5: 0xc0 } as const;

export function checkSubscribe(cursor: PacketCursor, version: ProtocolVersion): void {
  cursor.packetId();
  if (version === 5) checkProperties(cursor, 'subscribe');
  if (cursor.done) cursor.fail(reason.protocolError); // a list without a filter [MQTT-3.8.3-2; 3.1.1: MQTT-3.8.3-3]
  while (!cursor.done) {
    const filter = checkFilter(cursor);
    const options = cursor.byte();
    if ((options & RESERVED[version]) !== 0) cursor.fail(reason.malformed); // [MQTT-3.8.3-5]
    if ((options & QOS) === QOS || (options & RETAIN_HANDLING) === RETAIN_HANDLING) cursor.fail(reason.protocolError);
    if (isShared(filter) && (options & NO_LOCAL) !== 0) cursor.fail(reason.protocolError); // [MQTT-3.8.3-4]
  }
}

/**
 * Reads a filter of at least one character. A wildcard must be a whole level, and `#` must be the last level
 * [MQTT-4.7.1-1, -2, -3].
 */
export function checkFilter(cursor: PacketCursor): string {
  const filter = cursor.utf8String().toString();
  const levels = filter.split('/');
  const hasInvalidWildcard = levels.some(
    (level, i) =>
      (level.includes('+') && level !== '+') || (level.includes('#') && (level !== '#' || i < levels.length - 1)),
  );
  if (hasInvalidWildcard || filter === '') cursor.fail(reason.malformed);
  return filter;
}

const isShared = (filter: string): boolean => filter.startsWith('$share/');
const hasWildcard = (filter: string): boolean => /[+#]/.test(filter);

/**
 * Responds to a SUBSCRIBE. Notifications are sent without a subscription and always at QoS 1, so a subscription to
 * `push` is granted but has no effect. A subscription to `recall` shows that the client can remove a notification; a
 * client that does not know this topic must not receive it. Other topics are rejected. In MQTT 5, using a feature that the CONNACK declared
 * unavailable ends the session [MQTT5 3.2.2.3.11 to 3.2.2.3.13].
 */
export const handleSubscribe: PacketHandler<ISubscribePacket> = (session, { messageId, subscriptions, properties }) => {
  const filters = subscriptions.map(({ topic }) => topic);
  if (session.version === 5) {
    if (properties?.subscriptionIdentifier !== undefined) return reason.subscriptionIdentifiersNotSupported;
    if (filters.some(isShared)) return reason.sharedSubscriptionsNotSupported;
    if (filters.some(hasWildcard)) return reason.wildcardSubscriptionsNotSupported;
  }
  const granted = filters.map((filter, i) => {
    if (filter === PUSH_TOPIC && i < SUBSCRIPTIONS_MAX) return GRANTED_QOS_1;
    if (filter === RECALL_TOPIC && i < SUBSCRIPTIONS_MAX) {
      session.acceptsRecalls = true;
      return GRANTED_QOS_0;
    }
    if (session.version === 4) return REFUSED_3_1_1;
    return i < SUBSCRIPTIONS_MAX ? reason.notAuthorised : reason.quotaExceeded;
  });
  const hasRefusal = granted.some((code) => code > GRANTED_QOS_1);
  session.send({
    cmd: 'suback',
    messageId: messageId as number,
    granted,
    ...(hasRefusal &&
      session.reasonStringProperties(
        `Topic is not allowed. Devices can subscribe only to ${PUSH_TOPIC} and ${RECALL_TOPIC}.`,
      )),
  });
  return undefined;
};
