import type { IPublishPacket } from 'mqtt-packet';
import type { ProtocolVersion } from '../codec.ts';
import type { PacketCursor } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../reason-codes.ts';
import { type Report, readReport } from '../report.ts';
import { ReportQueue } from '../report-queue.ts';
import { RECEIVE_MAXIMUM, type Session } from '../sessions/session.ts';
import type { PacketContext, PacketHandler } from './packet-handler.ts';

const DUP = 0x08;
const UNACKNOWLEDGED_REPORTS_MAX = 100;

export function checkPublish(cursor: PacketCursor, version: ProtocolVersion): void {
  const flags = cursor.bytes[0] as number;
  const qos = (flags >> 1) & 3;
  if (qos === 3) cursor.fail(reason.malformed); // [MQTT-3.3.1-4]
  if (qos === 0 && (flags & DUP) !== 0) cursor.fail(reason.malformed); // [MQTT-3.3.1-2]
  const topic = cursor.topicName();
  // No topic is a protocol error without an alias [MQTT5 3.3.2.1], which is looked at below; 3.1.1 has no aliases.
  if (topic.length === 0 && version === 4) cursor.fail(reason.malformed);
  if (qos > 0) cursor.packetId();
  if (version === 5) checkProperties(cursor, 'publish');
}

/**
 * A device may say what it received and what its icon shows, and nothing else. The answer of QoS 1 is sent when that is
 * recorded. What it is not allowed to say is answered as its standard wants: MQTT 5 has words for it, and in 3.1.1 it is
 * acknowledged and goes nowhere [MQTT-3.3.5-2].
 */
export const handlePublish: PacketHandler<IPublishPacket> = (session, packet, context) => {
  const { qos, retain, topic, properties } = packet;
  if (qos === 2) return reason.qosNotSupported; // [MQTT-3.2.2-11]; 3.1.1 can say it only by going
  if (session.version === 5) {
    if (retain) return reason.retainNotSupported; // [MQTT-3.2.2-14]
    if (properties?.topicAlias !== undefined) return reason.topicAliasInvalid; // [MQTT-3.2.2-18]: we take none
    if (properties?.subscriptionIdentifier !== undefined || topic === '') return reason.protocolError; // [MQTT-3.3.4-6]
  }
  const report = readReport(topic, packet.payload as Buffer, properties?.payloadFormatIndicator === true);
  return qos === 0 ? handleQos0(session, report, context) : handleQos1(session, packet, report, context);
};

/** QoS 0: nobody waits for an answer, and what is too much or not allowed is dropped. */
function handleQos0(session: Session, report: Report, context: PacketContext): undefined {
  if (report.kind !== 'refused' && session.takeReportToken())
    ReportQueue.forSession(session, context).add(undefined, report);
}

/** QoS 1. */
function handleQos1(
  session: Session,
  { messageId, dup }: IPublishPacket,
  report: Report,
  context: PacketContext,
): number | undefined {
  const packetId = messageId as number;
  const pendingReports = session.reportQueue?.size ?? 0;
  // Nobody keeps to a receive maximum in 3.1.1, which knows none, but there is an end to everything.
  if (pendingReports >= (session.version === 5 ? RECEIVE_MAXIMUM : UNACKNOWLEDGED_REPORTS_MAX))
    return reason.receiveMaximumExceeded;
  if (session.reportQueue?.has(packetId)) {
    if (dup) return undefined; // a client that is impatient; its answer is on the way
    if (session.version === 4) return reason.protocolError; // [MQTT-2.3.1-2]
    session.reportQueue.add(packetId, { kind: 'refused', reasonCode: reason.packetIdInUse });
    return undefined;
  }
  if (report.kind !== 'refused' && !session.takeReportToken()) {
    // Only MQTT 5 can say no. A client of 3.1.1 that got a yes would not say it again; one that lost its connection does.
    if (session.version === 4) return reason.quotaExceeded;
    ReportQueue.forSession(session, context).add(packetId, { kind: 'refused', reasonCode: reason.quotaExceeded });
    return undefined;
  }
  ReportQueue.forSession(session, context).add(packetId, report);
  return undefined;
}
