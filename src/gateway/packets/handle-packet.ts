import type { Packet } from 'mqtt-packet';
import { reason } from '../reason-codes.ts';
import type { Session } from '../sessions/session.ts';
import { handleDisconnect } from './disconnect.ts';
import type { PacketContext } from './packet-handler.ts';
import { handlePingreq } from './pingreq.ts';
import { handlePuback } from './puback.ts';
import { handlePublish } from './publish.ts';
import { handlePubrel } from './pubrel.ts';
import { handleSubscribe } from './subscribe.ts';
import { handleUnsubscribe } from './unsubscribe.ts';

/** Handles a packet. Returns the reason code that the session must end with, or undefined if it continues. */
export function handlePacket(session: Session, packet: Packet, context: PacketContext): number | undefined {
  if (packet.cmd === 'puback') return handlePuback(session, packet, context);
  if (packet.cmd === 'pingreq') return handlePingreq(session, packet, context);
  if (packet.cmd === 'publish') return handlePublish(session, packet, context);
  if (packet.cmd === 'subscribe') return handleSubscribe(session, packet, context);
  if (packet.cmd === 'unsubscribe') return handleUnsubscribe(session, packet, context);
  if (packet.cmd === 'pubrel') return handlePubrel(session, packet, context);
  if (packet.cmd === 'disconnect') return handleDisconnect(session, packet, context);
  return reason.protocolError;
}
