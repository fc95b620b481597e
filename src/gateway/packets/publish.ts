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
  // In MQTT 5 an empty topic without an alias is a protocol error [MQTT5 3.3.2.1], which `handlePublish` checks. 3.1.1
  // has no aliases.
  if (topic.length === 0 && version === 4) cursor.fail(reason.malformed);
  if (qos > 0) cursor.packetId();
  if (version === 5) checkProperties(cursor, 'publish');
}

/**
 * Handles a report. Devices can publish only receipts and badges. At QoS 1 the PUBACK is sent after the report is
 * recorded. A report to another topic is rejected with a reason code in MQTT 5, and acknowledged and dropped in 3.1.1
 * [MQTT-3.3.5-2].
 */
export const handlePublish: PacketHandler<IPublishPacket> = (session, packet, context) => {
  const { qos, retain, topic, properties } = packet;
  if (qos === 2) return reason.qosNotSupported; // [MQTT-3.2.2-11]; 3.1.1 can only close the connection
  if (session.version === 5) {
    if (retain) return reason.retainNotSupported; // [MQTT-3.2.2-14]
    if (properties?.topicAlias !== undefined) return reason.topicAliasInvalid; // [MQTT-3.2.2-18]: topic aliases are not supported
    if (properties?.subscriptionIdentifier !== undefined || topic === '') return reason.protocolError; // [MQTT-3.3.4-6]
  }
  const report = readReport(topic, packet.payload as Buffer, properties?.payloadFormatIndicator === true);
  return qos === 0 ? handleQos0(session, report, context) : handleQos1(session, packet, report, context);
};

/**
 * Handles a report at QoS 0. QoS 0 has no acknowledgement, so invalid reports and reports over the rate limit are
 * dropped.
 */
function handleQos0(session: Session, report: Report, context: PacketContext): undefined {
  if (report.kind !== 'refused' && session.takeReportToken())
    ReportQueue.forSession(session, context).add(undefined, report);
}

function handleQos1(
  session: Session,
  { messageId, dup }: IPublishPacket,
  report: Report,
  context: PacketContext,
): number | undefined {
  const packetId = messageId as number;
  const pendingReports = session.reportQueue?.size ?? 0;
  // 3.1.1 has no receive maximum, so a higher limit applies to its clients.
  if (pendingReports >= (session.version === 5 ? RECEIVE_MAXIMUM : UNACKNOWLEDGED_REPORTS_MAX))
    return reason.receiveMaximumExceeded;
  if (session.reportQueue?.has(packetId)) {
    if (dup) return undefined; // the client resends too early; the PUBACK follows
    if (session.version === 4) return reason.protocolError; // [MQTT-2.3.1-2]
    session.reportQueue.add(packetId, { kind: 'refused', reasonCode: reason.packetIdInUse });
    return undefined;
  }
  if (report.kind !== 'refused' && !session.takeReportToken()) {
    // Only MQTT 5 can reject a report. With 3.1.1 the connection is closed, because the client resends the report after
    // a reconnect, but not after a PUBACK.
    if (session.version === 4) return reason.quotaExceeded;
    ReportQueue.forSession(session, context).add(packetId, { kind: 'refused', reasonCode: reason.quotaExceeded });
    return undefined;
  }
  ReportQueue.forSession(session, context).add(packetId, report);
  return undefined;
}
