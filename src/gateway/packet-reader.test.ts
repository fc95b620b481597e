import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CONNECT_BYTES_MAX, PACKET_BYTES_MAX, PacketReader, type ReadResult } from './packet-reader.ts';

/** Encodes a length for MQTT: seven bits per byte, lowest first. The eighth bit means that more bytes follow. */
function lengthBytes(length: number): number[] {
  const rest = Math.floor(length / 128);
  return rest === 0 ? [length] : [(length % 128) | 0x80, ...lengthBytes(rest)];
}

const packetOf = (length: number, fill = 0x61): Buffer =>
  Buffer.concat([Buffer.from([0x30, ...lengthBytes(length)]), Buffer.alloc(length, fill)]);

/** Feeds chunks as a socket would and reads all complete packets after each chunk. */
function readAll(chunks: readonly Buffer[], reader = new PacketReader()): { packets: Buffer[]; last: ReadResult } {
  const packets: Buffer[] = [];
  let last: ReadResult = reader.next();
  for (const chunk of chunks) {
    reader.add(chunk);
    for (last = reader.next(); last.kind === 'packet'; last = reader.next()) packets.push(last.bytes);
    if (last.kind !== 'incomplete') break;
  }
  return { packets, last };
}

const bytesOf = (...bytes: number[]) => bytes.map((byte) => Buffer.from([byte]));

describe('splitting bytes into packets', () => {
  const packet = fc
    .record({ first: fc.integer({ min: 0, max: 255 }), body: fc.uint8Array({ maxLength: 300 }) })
    .map(({ first, body }) => Buffer.concat([Buffer.from([first, ...lengthBytes(body.length)]), body]));

  test('returns the same packets for any division into chunks', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 8 }), fc.array(fc.nat(2_500)), (packets, cuts) => {
        const stream = Buffer.concat(packets);
        const places = [...new Set(cuts.filter((cut) => cut < stream.length))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, i) => stream.subarray(from, places[i] ?? stream.length));
        const read = readAll(chunks);
        assert.deepEqual(read.packets, packets);
        assert.equal(read.last.kind, 'incomplete');
      }),
    );
  });

  test('returns a packet only after its last byte, if bytes are received one by one', () => {
    for (const length of [0, 1, 127, 128, 300]) {
      const bytes = [...packetOf(length)];
      const { packets, last } = readAll(bytesOf(...bytes.slice(0, -1)));
      assert.deepEqual([packets.length, last.kind], [0, 'incomplete'], `${length}`);
      assert.deepEqual(readAll(bytesOf(...bytes)).packets, [Buffer.from(bytes)]);
    }
  });

  test('reads lengths of one, two, three and four bytes', () => {
    const reader = new PacketReader();
    reader.sizeMax = 2 ** 28;
    for (const length of [0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152]) {
      const { packets } = readAll([packetOf(length), packetOf(3)], reader);
      assert.deepEqual(
        packets.map(({ length: bytes }) => bytes),
        [1 + lengthBytes(length).length + length, 5],
      );
    }
  });

  test('does not change a returned packet when more bytes are received', () => {
    const reader = new PacketReader();
    reader.add(packetOf(5, 0x62));
    const first = reader.next();
    reader.add(packetOf(5, 0x63));
    reader.next();
    assert.deepEqual(first, { kind: 'packet', bytes: packetOf(5, 0x62) });
  });
});

describe('limits on the declared length', () => {
  test('rejects 10 FF FF FF 7F, which declares 256 MB, at its fifth byte at the latest', () => {
    for (const sizeMax of [CONNECT_BYTES_MAX, PACKET_BYTES_MAX, 2 ** 28 - 2]) {
      const reader = new PacketReader();
      reader.sizeMax = sizeMax;
      const { packets, last } = readAll(bytesOf(0x10, 0xff, 0xff, 0xff, 0x7f), reader);
      assert.deepEqual([packets, last.kind], [[], 'too-large'], `limit ${sizeMax}`);
    }
  });

  test('applies the smaller limit until the CONNECT is accepted', () => {
    assert.equal(new PacketReader().sizeMax, CONNECT_BYTES_MAX);
    assert.ok(CONNECT_BYTES_MAX < PACKET_BYTES_MAX);
  });

  for (const sizeMax of [CONNECT_BYTES_MAX, PACKET_BYTES_MAX]) {
    test(`accepts ${sizeMax} bytes and rejects one more`, () => {
      const reader = new PacketReader();
      reader.sizeMax = sizeMax;
      assert.equal(readAll([packetOf(sizeMax)], reader).packets.length, 1);
      const header = Buffer.from([0x30, ...lengthBytes(sizeMax + 1)]);
      assert.equal(readAll([header], reader).last.kind, 'too-large');
    });
  }

  test('returns a valid packet that precedes an oversized one', () => {
    const { packets, last } = readAll([Buffer.concat([packetOf(2), Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])])]);
    assert.deepEqual([packets, last.kind], [[packetOf(2)], 'too-large']);
  });
});

test('rejects a length of more than four bytes at its fourth byte', () => {
  const { packets, last } = readAll(bytesOf(0x10, 0x80, 0x80, 0x80));
  assert.deepEqual([packets, last.kind], [[], 'incomplete']);
  assert.equal(readAll(bytesOf(0x10, 0x80, 0x80, 0x80, 0x80)).last.kind, 'malformed');
  assert.equal(readAll(bytesOf(0x10, 0x80, 0x80, 0x80, 0x80, 0x01)).last.kind, 'malformed');
});

test('returns only received bytes, in their order, for any input', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (arrays) => {
      const chunks = arrays.map((array) => Buffer.from(array));
      const { packets } = readAll(chunks);
      const handed = Buffer.concat(packets);
      assert.deepEqual(handed, Buffer.concat(chunks).subarray(0, handed.length));
    }),
  );
});
