import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { describe, mock, test } from 'node:test';
import { PublishFrame } from '#src/gateway/codec.ts';
import { BUFFERED_BYTES_MAX, type ConnectedDevice, Session, STALL_SECONDS_MAX } from '#src/gateway/session.ts';
import { connectInMemory } from './fuzz/memory-socket.ts';

const device: ConnectedDevice = {
  ...{ appId: 'bells', shard: 1, deviceId: 1n, generation: 1, userId: 1n, since: '' },
  ...{ tokenHash: Buffer.alloc(32), tokenMadeAt: new Date(), connectedAt: new Date() },
};

function open(): { session: Session; client: Duplex; server: Duplex } {
  const { client, server } = connectInMemory();
  server.on('error', () => undefined);
  const session = new Session({
    ...{ device, socket: server, version: 5, keepAliveMs: 600_000, receiveMaximum: 20 },
    ...{ packetBytesMax: 65_536, problemInformation: true, expiryWished: false },
  });
  session.welcomed = true;
  return { session, client, server };
}

const large = new PublishFrame('x'.repeat(30_000));

/** Writes notifications until the session takes no more, and answers how many it took. */
function fill(session: Session, from = 0): number {
  let taken = 0;
  const next = () => ({ taskId: BigInt(from + taken + 1), shard: 1, slice: 1, place: 0, n: 1 });
  while (session.notify(large, next(), false) === 'written') taken++;
  return taken;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a device that does not read', () => {
  test('is sent no more than it may leave unread', () => {
    const { session, server } = open();
    assert.ok(fill(session) > 3);
    assert.ok(server.writableLength <= BUFFERED_BYTES_MAX, `${server.writableLength} bytes wait`);
  });

  test('is cut off when answers to what it says pile up', () => {
    const { session, server } = open();
    for (let i = 0; i < 1_000_000 && !server.destroyed; i++) session.write(Buffer.alloc(1_000));
    assert.ok(server.destroyed);
    assert.ok(server.writableLength < BUFFERED_BYTES_MAX + 2_000);
  });

  test(`is cut off after ${STALL_SECONDS_MAX} seconds`, () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { session, server } = open();
      fill(session);
      mock.timers.tick(STALL_SECONDS_MAX * 1_000 - 1);
      assert.ok(!server.destroyed);
      mock.timers.tick(1);
      assert.ok(server.destroyed);
    } finally {
      mock.timers.reset();
    }
  });

  test('is left alone when it reads slowly', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { session, client, server } = open();
      fill(session);
      for (let i = 0; i < 3; i++) {
        client.read();
        await turn();
        mock.timers.tick(STALL_SECONDS_MAX * 1_000);
        assert.ok(!server.destroyed, `after ${i + 1} times`);
      }
    } finally {
      mock.timers.reset();
    }
  });

  test('is not watched when little waits for it: its keep-alive will tell', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { session, server } = open();
      session.write(Buffer.alloc(100));
      mock.timers.tick(10 * STALL_SECONDS_MAX * 1_000);
      assert.ok(!server.destroyed);
    } finally {
      mock.timers.reset();
    }
  });
});
