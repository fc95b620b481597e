import type { IPubackPacket } from 'mqtt-packet';
import type { PacketHandler } from './handler.ts';

/** From here on a reason code of MQTT 5 says that the device did not take the message. */
const FAILURE = 0x80;

/** The receipt. A device that refuses a notification has not received it, and is not asked again in this session. */
export const handlePuback: PacketHandler<IPubackPacket> = (session, packet, { receipts, inbox }) => {
  const taken = (packet.reasonCode ?? 0) < FAILURE;
  const answered = session.answer(packet.messageId ?? 0, taken);
  if (answered && taken) {
    const { deviceId } = session.device;
    const { ref, inInbox } = answered;
    receipts.addReceived(ref, inInbox ? { deviceId, taskId: ref.taskId } : undefined);
  }
  for (const ref of session.writeQueued()) receipts.addSent(ref);
  if (session.inboxWaits && session.windowRoom > 0) inbox.read(session);
};
