import type { IPingreqPacket } from 'mqtt-packet';
import type { PacketCursor } from '../packet-cursor.ts';
import type { PacketHandler } from './packet-handler.ts';

const PINGRESP = Buffer.from([0xd0, 0]);

export const checkPingreq = (cursor: PacketCursor): void => cursor.mustEnd();

/** Sends the PINGRESP [MQTT-3.12.4-1]. The connection already records the time of every packet for the keep-alive. */
export const handlePingreq: PacketHandler<IPingreqPacket> = (session) => {
  session.write(PINGRESP);
  return undefined;
};
