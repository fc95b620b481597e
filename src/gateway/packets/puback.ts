import type { IPubackPacket } from 'mqtt-packet';
import type { ProtocolVersion } from '../codec.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { PacketCursor } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../reason-codes.ts';
import type { LatencySample } from '../sessions/session.ts';
import type { AcknowledgementContext, PacketHandler } from './packet-handler.ts';

/** Reason codes that MQTT 5 allows in a PUBACK (table 3-4). */
const reasonCodes: ReadonlySet<number> = new Set([0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99]);
/** MQTT 5 reason codes of this value or above mean that the device rejected the notification. */
const FAILURE_CODE_MIN = 0x80;

export const checkPuback = (cursor: PacketCursor, version: ProtocolVersion): void =>
  checkAcknowledgement(cursor, version, reasonCodes);

/** Checks a packet id. In MQTT 5, an optional reason code and optional properties follow it. */
export function checkAcknowledgement(
  cursor: PacketCursor,
  version: ProtocolVersion,
  allowed: ReadonlySet<number>,
): void {
  cursor.packetId();
  if (version === 5 && !cursor.done) {
    if (!allowed.has(cursor.byte())) cursor.fail(reason.protocolError);
    if (!cursor.done) checkProperties(cursor, 'puback');
  }
  cursor.mustEnd();
}

/**
 * Records the receipt, and sends further notifications if the window has room. A notification that the device rejects
 * does not count as received, and is not sent again in this session.
 */
export const handlePuback: PacketHandler<IPubackPacket, AcknowledgementContext> = (
  session,
  packet,
  { receipts, inbox },
) => {
  const accepted = (packet.reasonCode ?? 0) < FAILURE_CODE_MIN;
  const acknowledged = session.acknowledge(packet.messageId ?? 0, accepted);
  if (acknowledged && accepted) {
    const { deviceId } = session.device;
    const { ref, inInbox, latencySample } = acknowledged;
    if (latencySample) recordLatency(latencySample);
    receipts.addReceived(ref, inInbox ? { deviceId, taskId: ref.taskId } : undefined);
  }
  for (const ref of session.writeQueued()) receipts.addSent(ref);
  if (session.hasMoreInInbox && session.hasRoom) inbox.read(session);
  return undefined;
};

function recordLatency({ ageMs, writtenMs }: LatencySample): void {
  const acknowledgeMs = performance.now() - writtenMs;
  gatewayMetrics.receiptSeconds.observe(acknowledgeMs / 1_000);
  gatewayMetrics.endToEndSeconds.observe((ageMs + acknowledgeMs) / 1_000);
}
