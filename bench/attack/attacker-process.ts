import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'mqtt-packet';
import { USER_TOKEN_PREFIX } from '#src/api/http/authenticate.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';

// Attacks a service from several addresses, without pauses, until it receives a message to stop. Runs in a separate process, so that
// it does not slow down the process that measures.

/** A request that is sent again and again. */
export interface HttpAttack {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AttackOrder {
  readonly apiPort: number;
  readonly gatewayPort: number;
  readonly addresses: readonly string[];
  readonly http: readonly HttpAttack[];
}

/** The number of attempts since the start, by their response. */
export type AttackCounts = Readonly<Record<string, number>>;

const RECONNECT_MS = 20;
const counts: Record<string, number> = {};
let attacking = false;
let running: Promise<unknown> = Promise.resolve();

process.on('disconnect', () => process.exit());
process.on('message', (order: AttackOrder | 'stop') => {
  if (order === 'stop') {
    attacking = false;
    void running.then(() => process.send?.(counts));
    return;
  }
  attacking = true;
  running = Promise.all(
    order.addresses.flatMap((address) => [
      ...order.http.map((attack) => repeat(() => request(order.apiPort, address, attack))),
      repeat(() => connectInvented(order.gatewayPort, address)),
    ]),
  );
});

async function repeat(attempt: () => Promise<string>): Promise<void> {
  while (attacking) {
    const response = await attempt().catch(() => 'no response');
    counts[response] = (counts[response] ?? 0) + 1;
    if (response === 'no response') await sleep(RECONNECT_MS);
  }
}

/** Sends one request on a new connection, and returns its path and status. */
async function request(port: number, localAddress: string, { path, headers, body }: HttpAttack): Promise<string> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = createConnection({ port, host: '127.0.0.1', localAddress, noDelay: true });
  // The server can close the connection before it has read the whole body.
  socket.on('error', () => undefined);
  try {
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
    return typeof data === 'object' ? `${path} ${data.toString('latin1', 9, 12)}` : 'no response';
  } finally {
    socket.destroy();
  }
}

/** Connects with an invented token, and returns the result. */
async function connectInvented(port: number, localAddress: string): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1', localAddress, noDelay: true });
  socket.on('error', () => undefined);
  try {
    socket.write(
      generate({
        ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 },
        clientId: `invented-${randomText(40)}`,
        username: pushTokenOf(7, randomText(160)),
        password: Buffer.from(withChecksum(USER_TOKEN_PREFIX + randomText(256))),
      }),
    );
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
    return typeof data === 'object' ? `CONNECT ${data[3]}` : 'CONNECT closed';
  } finally {
    socket.destroy();
  }
}
