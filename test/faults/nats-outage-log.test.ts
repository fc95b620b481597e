import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

/** More attempts than log lines. A process makes them within a few seconds. */
const ATTEMPTS = 5;

/** Waits until clients have tried to connect to a stopped NATS. */
async function awaitAttempts({ natsUrls: [url = ''] }: Stack): Promise<void> {
  const attempts = Promise.withResolvers<void>();
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined).destroy();
    if (++count === ATTEMPTS) attempts.resolve();
  });
  await once(server.listen(Number(new URL(url).port), '127.0.0.1'), 'listening');
  await attempts.promise;
  await once(server.close(), 'close');
}

interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly failures?: number;
}

const linesAboutNats = (carillon: Carillon, role: RoleProcess): LogLine[] =>
  carillon
    .linesOf(role)
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ event }) => event.startsWith('nats-'));

/** Returns the warnings of a process about NATS, each with its number of failures. */
const natsWarnings = (carillon: Carillon, role: RoleProcess): [string, number | undefined][] =>
  linesAboutNats(carillon, role)
    .filter(({ level }) => level === 'warn')
    .map(({ event, failures }) => [event, failures]);

const connectionsOf = (carillon: Carillon, role: RoleProcess): number =>
  linesAboutNats(carillon, role).filter(({ event }) => event === 'nats-connected').length;

test('an outage of NATS is logged once, however often a process tries to connect, and the next outage again', async () => {
  await using resources = new AsyncDisposableStack();
  const stack = await startStack();
  resources.defer(() => stack.stop());
  const carillon = resources.use(await startCarillon({ stack, gateways: 0, workers: 0 }));
  const [running] = carillon.apis as [RoleProcess];
  await eventually(() => assert.equal(connectionsOf(carillon, running), 1));

  await stack.kill('nats');
  await awaitAttempts(stack);
  assert.deepEqual(natsWarnings(carillon, running), [['nats-disconnected', 1]]);
  await stack.start('nats');
  await eventually(() => assert.equal(connectionsOf(carillon, running), 2));

  await stack.kill('nats');
  await eventually(() => assert.equal(natsWarnings(carillon, running).length, 2));
  await running.stop();
  const started = await carillon.start('api');
  await awaitAttempts(stack);
  assert.deepEqual(natsWarnings(carillon, started), [['nats-connect-failed', 1]]);
  await stack.start('nats');
  await eventually(() => assert.equal(connectionsOf(carillon, started), 1));
});
