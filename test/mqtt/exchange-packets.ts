import { once } from 'node:events';
import { connect } from 'node:net';
import mqtt, { type Packet } from 'mqtt-packet';
import { publish, type Version } from './packet-bytes.ts';

/** Longer than this nobody thinks, on whatever machine; a peer that says nothing until then is `silent`. */
const SILENCE_MS_MAX = 15_000;

const hex = (code: number): string => `0x${code.toString(16).padStart(2, '0')}`;

/** What a packet says, without the properties in which two servers may differ. */
function describePacket(packet: Packet): string {
  if (packet.cmd === 'connack') return `connack ${hex(packet.reasonCode ?? packet.returnCode ?? 0)}`;
  if (packet.cmd === 'suback' || packet.cmd === 'unsuback') {
    const codes = ((packet.granted as number[] | undefined) ?? []).map(hex);
    return [packet.cmd, packet.messageId, ...codes].join(' ');
  }
  if (packet.cmd === 'puback' || packet.cmd === 'pubcomp' || packet.cmd === 'pubrel' || packet.cmd === 'pubrec')
    return `${packet.cmd} ${packet.messageId} ${hex(packet.reasonCode ?? 0)}`;
  if (packet.cmd === 'disconnect') return `disconnect ${hex(packet.reasonCode ?? 0)}`;
  return packet.cmd;
}

/** Answers go out in the order of what they answer, so the last one tells that the others are there too. */
const LAST_ID = 65_534;

/**
 * Sends a CONNECT, and when that was accepted the bytes; answers what the server said, and whether the connection is open
 * at the end: that is asked with a PUBLISH behind everything, in the same write.
 */
export async function exchangePackets(port: number, version: Version, first: Buffer, bytes: Buffer): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const responses: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const parser = mqtt.parser({ protocolVersion: version });
  parser.on('packet', (packet) => {
    const description = describePacket(packet);
    if (packet.cmd === 'puback' && packet.messageId === LAST_ID) resolve('open');
    else responses.push(description);
    if (description === 'connack 0x00')
      socket.write(Buffer.concat([bytes, publish(version, 'report/badge', { id: LAST_ID })]));
  });
  parser.on('error', (error) => responses.push(`nonsense: ${error}`));
  socket.on('data', (chunk: Buffer) => parser.parse(chunk));
  socket.on('error', () => undefined);
  socket.on('close', () => resolve('closed'));
  const timeout = setTimeout(() => resolve('silent'), SILENCE_MS_MAX);
  await once(socket, 'connect');
  socket.write(first);
  const end = await promise;
  clearTimeout(timeout);
  socket.destroy();
  return [...responses, end];
}
