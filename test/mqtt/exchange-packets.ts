import { once } from 'node:events';
import { connect } from 'node:net';
import mqtt, { type Packet } from 'mqtt-packet';
import { publish, type Version } from './packet-bytes.ts';

/** Longer than any server needs, even on a slow machine. A server that sends nothing within this time is `silent`. */
const SILENCE_MS_MAX = 15_000;

const hex = (code: number): string => `0x${code.toString(16).padStart(2, '0')}`;

/** Describes a packet without its properties, because they may differ between the two servers. */
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

/**
 * The packet id of the last packet. Responses are sent in the order of the requests, so the response to this packet
 * arrives after all others.
 */
const LAST_ID = 65_534;

/**
 * Sends a CONNECT and, if it is accepted, the bytes. Returns the server's responses and whether the connection is open
 * at the end. A PUBLISH follows the bytes in the same write; its PUBACK shows that the connection is still open.
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
