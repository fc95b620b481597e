import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import mqtt, { type Packet } from 'mqtt-packet';
import { PUSH_TOPIC } from '#src/contract/mqtt.ts';
import { decode, encode, type ProtocolVersion, PublishFrame } from './codec.ts';
import { PACKET_BYTES_MAX, PacketReader } from './packet-reader.ts';

const versions: readonly ProtocolVersion[] = [4, 5];

/** Parses with a new parser, independently of Carillon's codec. */
function parseAlone(bytes: Buffer, version: ProtocolVersion): Packet[] {
  const packets: Packet[] = [];
  const parser = mqtt.parser({ protocolVersion: version });
  parser.on('packet', (packet) => packets.push(packet));
  parser.on('error', assert.fail);
  assert.equal(parser.parse(bytes), 0, 'no bytes are left over');
  return packets;
}

const connect = (protocolVersion: ProtocolVersion): Packet => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion,
  clean: true,
  clientId: 'phone-1',
  keepalive: 60,
  username: 'p00token',
  password: Buffer.from('cu_token'),
  ...(protocolVersion === 5 && { properties: { receiveMaximum: 20 } }),
});

const report: Packet = {
  cmd: 'publish',
  topic: 'report/receipt',
  payload: '{"n":1}',
  qos: 1,
  messageId: 9,
  dup: false,
  retain: false,
};

/** Packets that devices send. */
const samples: readonly Packet[] = [
  { cmd: 'pingreq' },
  { cmd: 'disconnect' },
  { cmd: 'puback', messageId: 513 },
  { cmd: 'subscribe', messageId: 7, subscriptions: [{ topic: 'push', qos: 1 }] },
  { cmd: 'unsubscribe', messageId: 8, unsubscriptions: ['push'] },
  report,
];

describe('decoding of whole packets', () => {
  for (const version of versions) {
    for (const packet of samples) {
      test(`${packet.cmd}, version ${version}`, () => {
        const [expected] = parseAlone(encode(packet, version), version);
        assert.equal(expected?.cmd, packet.cmd);
        assert.deepEqual(decode(encode(packet, version), version), expected);
      });
    }

    test(`connect, version ${version}, decoded before the version is known`, () => {
      const packet = decode(encode(connect(version), version), 4);
      assert.ok(packet?.cmd === 'connect');
      assert.equal(packet.protocolVersion, version);
      assert.equal(packet.clientId, 'phone-1');
    });
  }

  test('an MQTT 5 CONNECT does not change how the packets of an MQTT 3.1.1 session are decoded', () => {
    const bytes = encode(report, 4);
    const [expected] = parseAlone(bytes, 4);
    decode(encode(connect(5), 5), 4);
    assert.deepEqual(decode(bytes, 4), expected);
  });
});

describe('a PUBLISH frame shared by a slice', () => {
  /**
   * Payload sizes around the limits at which MQTT's length field needs another byte. The length includes 8 or 9 bytes
   * that are not part of the payload.
   */
  const lengths = [0, 1, ...[127, 128, 16_383, 16_384].flatMap((edge) => [edge - 9, edge - 8, edge - 7, edge])];
  const packetIds = [1, 2, 255, 256, 0x8000, 65_535];

  for (const version of versions) {
    test(`contains the packet id of each device at any length, version ${version}`, () => {
      for (const length of lengths) {
        const payload = 'x'.repeat(length);
        const frame = new PublishFrame(payload);
        for (const packetId of packetIds) {
          const [packet, ...others] = parseAlone(frame.withPacketId(packetId, version), version);
          assert.ok(packet?.cmd === 'publish' && others.length === 0);
          assert.deepEqual(
            [packet.topic, packet.qos, packet.dup, packet.retain, packet.messageId, packet.payload.toString()],
            [PUSH_TOPIC, 1, false, false, packetId, payload],
            `${length} bytes, packet id ${packetId}`,
          );
        }
      }
    });
  }

  test('carries any string, and does not mix up versions or devices', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.integer({ min: 1, max: 65_535 })), (text, packetIds) => {
        const frame = new PublishFrame(text);
        const written = packetIds.map((packetId, i) => {
          const version = versions[i % 2] as ProtocolVersion;
          return { packetId, version, bytes: frame.withPacketId(packetId, version) };
        });
        for (const { packetId, version, bytes } of written) {
          const [packet] = parseAlone(bytes, version);
          assert.ok(packet?.cmd === 'publish');
          assert.deepEqual([packet.messageId, packet.payload.toString()], [packetId, text]);
        }
      }),
    );
  });
});

describe('malformed packets', () => {
  const broken: readonly (readonly [string, ProtocolVersion, string])[] = [
    ['nothing', 4, ''],
    ['half a header', 4, '10'],
    ['an incomplete packet', 4, '10ff7f0004'],
    ['a reserved packet type', 4, '0000'],
    ['a PUBLISH at QoS 3', 4, '360700016100017878'],
    ['a SUBSCRIBE without its required flags', 4, '800800010003612f6201'],
    ['a CONNECT for another protocol', 4, '100c00044d515054040200000000'],
    ['an unknown property', 5, '400500010001ff'],
  ];
  for (const [what, version, hex] of broken)
    test(`${what} decodes to undefined`, () => assert.equal(decode(Buffer.from(hex, 'hex'), version), undefined));

  test('20,000 mutated packets throw no error and do not affect the next device', () => {
    const random = seeded(20_261_115);
    const originals = versions.flatMap((version) =>
      [...samples, connect(version)].map((packet) => ({ version, bytes: encode(packet, version) })),
    );
    const good = versions.map((version) => {
      const bytes = encode(report, version);
      return { version, bytes, packet: parseAlone(bytes, version)[0] };
    });
    let wellFormed = 0;
    let malformed = 0;
    for (let i = 0; i < 20_000; i++) {
      const { version, bytes } = originals[i % originals.length] as (typeof originals)[number];
      for (const packet of wholePackets(mutate(bytes, random))) {
        if (decode(packet, version)) wellFormed++;
        else malformed++;
        for (const each of good)
          assert.deepEqual(decode(each.bytes, each.version), each.packet, `after ${packet.toString('hex')}`);
      }
    }
    assert.ok(wellFormed > 1_000 && malformed > 1_000, `${wellFormed} well formed, ${malformed} malformed`);
  });
});

/** Returns the whole packets, because the codec only receives packets that `PacketReader` has completed. */
function wholePackets(bytes: Buffer): Buffer[] {
  const reader = new PacketReader();
  reader.sizeMax = PACKET_BYTES_MAX;
  reader.add(bytes);
  const packets: Buffer[] = [];
  for (let result = reader.next(); result.kind === 'packet'; result = reader.next()) packets.push(result.bytes);
  return packets;
}

/**
 * Applies one to four changes: a changed byte, inserted bytes or removed bytes. Then it usually corrects the length, so
 * that the parser reads past the header.
 */
function mutate(bytes: Buffer, random: () => number): Buffer {
  const below = (n: number) => Math.floor(random() * n);
  const body = [...bytes.subarray(2)]; // the samples are short, so their length field is one byte
  let first = bytes[0] as number;
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const kind = below(8);
    if (kind === 0) first = below(256);
    else if (kind === 1)
      body.splice(below(body.length + 1), 0, ...Array.from({ length: 1 + below(4) }, () => below(256)));
    else if (kind === 2) body.splice(below(body.length + 1), 1 + below(4));
    else if (body.length > 0) body[below(body.length)] = below(4) === 0 ? 0xff : below(256);
  }
  const length = below(10) === 0 ? below(128) : body.length;
  return Buffer.from([first, length, ...body]);
}

/** Returns a Mulberry32 generator, which produces the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
