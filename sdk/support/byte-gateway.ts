import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A stub gateway that sends the given bytes and records the bytes it receives. */
export interface ByteGateway extends AsyncDisposable {
  readonly url: string;
  /** The connections so far, the oldest first. */
  readonly connections: ByteConnection[];
}

export interface ByteConnection {
  readonly socket: Socket;
  /** All bytes after the CONNECT, as hexadecimal, except the SUBSCRIBE to recalls. */
  receivedHex: string;
  /** Whether the device has subscribed to recalls. */
  acceptsRecalls: boolean;
}

/** A SUBSCRIBE of MQTT 5 with packet id 1 to `recall` with QoS 0. */
const SUBSCRIBE_RECALL = '820c0001000006726563616c6c00';

/** Starts a gateway that responds to each CONNECT with these bytes, given as hexadecimal. */
export async function startByteGateway(connack: string): Promise<ByteGateway> {
  const connections: ByteConnection[] = [];
  const server = createServer((socket) => {
    const connection: ByteConnection = { socket, receivedHex: '', acceptsRecalls: false };
    socket.on('error', () => undefined);
    socket.once('data', () => {
      connections.push(connection);
      socket.write(Buffer.from(connack, 'hex'));
      socket.on('data', (bytes) => {
        connection.receivedHex += bytes.toString('hex');
        if (!connection.receivedHex.includes(SUBSCRIBE_RECALL)) return;
        connection.acceptsRecalls = true;
        connection.receivedHex = connection.receivedHex.replace(SUBSCRIBE_RECALL, '');
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async [Symbol.asyncDispose]() {
      for (const { socket } of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** CONNACKs of MQTT 5: accepted, and rejected with a reason code. */
export const CONNACK_ACCEPTED = '2003000000';
export const connackRefused = (reasonCode: number): string => `200300${hex(reasonCode)}00`;

export const disconnectPacket = (reasonCode: number): Buffer => Buffer.from(`e002${hex(reasonCode)}00`, 'hex');

/** Encodes a PUBLISH at QoS 1 to `push`, without properties. */
export function publishPacket(packetId: number, payload: string): Buffer {
  const head = Buffer.from(`000470757368${packetId.toString(16).padStart(4, '0')}00`, 'hex');
  const body = Buffer.concat([head, Buffer.from(payload)]);
  return Buffer.concat([Buffer.from([0x32, body.length]), body]);
}

/** Encodes a PUBLISH at QoS 0 to `recall`, without properties. */
export function recallPacket(payload: string): Buffer {
  const body = Buffer.concat([Buffer.from('0006726563616c6c00', 'hex'), Buffer.from(payload)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
