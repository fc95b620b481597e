import type { IPubackPacket } from 'mqtt-packet';
import type { ProtocolVersion } from '../codec.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { Wire } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { type Measured, reason } from '../sessions/session.ts';
import type { AnswerContext, PacketHandler } from './packet-handler.ts';

/** What MQTT 5 lets a PUBACK say (its table 3-4). */
const reasonCodes: ReadonlySet<number> = new Set([0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99]);
/** From here on a reason code of MQTT 5 says that the device did not take the message. */
const FAILURE = 0x80;

export const checkPuback = (wire: Wire, version: ProtocolVersion): void => checkAnswer(wire, version, reasonCodes);

/** A packet id, and in MQTT 5 perhaps a reason code and perhaps properties. */
export function checkAnswer(wire: Wire, version: ProtocolVersion, allowed: ReadonlySet<number>): void {
  wire.packetId();
  if (version === 5 && !wire.done) {
    if (!allowed.has(wire.byte())) wire.fail(reason.protocolError);
    if (!wire.done) checkProperties(wire, 'puback');
  }
  wire.mustEnd();
}

/** The receipt. A device that refuses a notification has not received it, and is not asked again in this session. */
export const handlePuback: PacketHandler<IPubackPacket, AnswerContext> = (session, packet, { receipts, inbox }) => {
  const taken = (packet.reasonCode ?? 0) < FAILURE;
  const answered = session.answer(packet.messageId ?? 0, taken);
  if (answered && taken) {
    const { deviceId } = session.device;
    const { ref, inInbox, measured } = answered;
    if (measured) measure(measured);
    receipts.addReceived(ref, inInbox ? { deviceId, taskId: ref.taskId } : undefined);
  }
  for (const ref of session.writeQueued()) receipts.addSent(ref);
  if (session.inboxWaits && session.hasRoom) inbox.read(session);
  return undefined;
};

function measure({ ageMs, writtenMs }: Measured): void {
  const answerMs = performance.now() - writtenMs;
  gatewayMetrics.receiptSeconds.observe(answerMs / 1_000);
  gatewayMetrics.wholeWaySeconds.observe((ageMs + answerMs) / 1_000);
}
