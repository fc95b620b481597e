import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { describe, mock, test } from 'node:test';
import mqtt, { type Packet } from 'mqtt-packet';
import { PublishFrame } from '#src/gateway/codec.ts';
import { readConnect, refuse } from '#src/gateway/packets/connect.ts';
import { reason } from '#src/gateway/reason-codes.ts';
import { BUFFERED_BYTES_MAX, type ConnectedDevice, Session, STALL_SECONDS_MAX } from '#src/gateway/sessions/session.ts';
import { connectInMemory } from './fuzz/memory-socket.ts';
import { connectBytes, join, text, uint16 } from './packet-bytes.ts';

const device: ConnectedDevice = {
  ...{ appId: 'bells', bucket: 1, deviceId: 1n, generation: 1, userId: 1n, since: '' },
  ...{
    tokenHash: '',
    tokenParent: null,
    tokenCreatedAt: 0,
    tokenExpiresAtMs: Number.POSITIVE_INFINITY,
    connectedAt: 0,
    isTakeover: false,
  },
};

function open(change: { packetBytesMax?: number; problemInformation?: boolean; version?: 4 | 5 } = {}): {
  session: Session;
  client: Duplex;
  server: Duplex;
} {
  const { client, server } = connectInMemory();
  server.on('error', () => undefined);
  const session = new Session({
    ...{ device, socket: server, version: 5, keepAliveMs: 600_000, receiveMaximum: 20 },
    ...{ packetBytesMax: 65_536, problemInformation: true, expiryRequested: false, ...change },
  });
  session.connackSent = true;
  return { session, client, server };
}

const large = new PublishFrame('x'.repeat(30_000));

/** Writes notifications until the session accepts no more. Returns the number of accepted notifications. */
function fill(session: Session, from = 0): number {
  let acceptedCount = 0;
  const next = () => ({ taskId: BigInt(from + acceptedCount + 1), bucket: 1, sliceNumber: 1, index: 0, placeCount: 1 });
  while (session.notify(large, next(), false) === 'written') acceptedCount++;
  return acceptedCount;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a device that does not read', () => {
  test('does not cause more data to be buffered than the limit allows', () => {
    const { session, server } = open();
    assert.ok(fill(session) > 3);
    assert.ok(server.writableLength <= BUFFERED_BYTES_MAX, `${server.writableLength} bytes are buffered`);
  });

  test('is disconnected when responses to its packets exceed the buffer limit', () => {
    const { session, server } = open();
    for (let i = 0; i < 1_000_000 && !server.destroyed; i++) session.write(Buffer.alloc(1_000));
    assert.ok(server.destroyed);
    assert.ok(server.writableLength < BUFFERED_BYTES_MAX + 2_000);
  });

  test(`is disconnected after ${STALL_SECONDS_MAX} seconds`, () => {
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

  test('stays connected if it reads slowly', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { session, client, server } = open();
      fill(session);
      for (let i = 0; i < 3; i++) {
        client.read();
        await turn();
        mock.timers.tick(STALL_SECONDS_MAX * 1_000);
        assert.ok(!server.destroyed, `after ${i + 1} reads`);
      }
    } finally {
      mock.timers.reset();
    }
  });

  test('has no stall timeout while little data is buffered, because the keep-alive detects a broken connection', () => {
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

/** Returns all packets that a client receives until its connection ends. */
async function lastPackets(client: Duplex): Promise<Packet[]> {
  const packets: Packet[] = [];
  const parser = mqtt.parser({ protocolVersion: 5 });
  parser.on('packet', (packet) => packets.push(packet));
  for await (const chunk of client) parser.parse(chunk as Buffer);
  return packets;
}

describe('a session closed by the gateway', () => {
  test('receives the reason and nothing after it [MQTT-3.14.4-1]', async () => {
    const { session, client } = open();
    session.close(reason.takenOver);
    session.write(Buffer.from([0xd0, 0]));
    session.close(reason.useAnotherServer);
    const words = await lastPackets(client);
    assert.deepEqual(
      words.map(({ cmd }) => cmd),
      ['disconnect'],
    );
    assert.ok(words[0]?.cmd === 'disconnect' && words[0].reasonCode === reason.takenOver);
    assert.match(words[0].properties?.reasonString ?? '', /taken over/);
  });

  test('receives no reason string if it is too long or not requested', async () => {
    for (const change of [{ packetBytesMax: 20 }, { problemInformation: false }]) {
      const { session, client } = open(change);
      session.close(reason.takenOver);
      const [word] = await lastPackets(client);
      assert.ok(word?.cmd === 'disconnect' && word.reasonCode === reason.takenOver);
      assert.equal(word.properties?.reasonString, undefined);
    }
  });

  test('receives nothing in 3.1.1, which has no server DISCONNECT', async () => {
    const { session, client } = open({ version: 4 });
    session.close(reason.takenOver);
    assert.deepEqual(await lastPackets(client), []);
  });
});

test('a refusal contains the reason string unless it exceeds the client packet size limit', async () => {
  for (const [packetBytesMax, explains] of [
    [65_536, true],
    [10, false],
  ] as const) {
    const credentials = { clientId: 'phone', userName: 'x', password: 'y' };
    const will = join('00', text('gone'), text('x'));
    const properties = join(0x27, 0, 0, uint16(packetBytesMax - 1));
    const first = readConnect(connectBytes(5, credentials, { flags: 0xc6, will, properties }));
    assert.ok(first.kind === 'refused' && first.packetBytesMax === packetBytesMax - 1);
    const { client, server } = connectInMemory();
    refuse(server, 5, first.refusal, first.packetBytesMax);
    const [connack] = await lastPackets(client);
    assert.ok(connack?.cmd === 'connack' && connack.reasonCode === reason.notAuthorised);
    assert.equal(connack.properties?.reasonString !== undefined, explains);
  }
});
