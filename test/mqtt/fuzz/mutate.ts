import {
  type Credentials,
  connectBytes,
  join,
  lengthOf,
  PINGREQ,
  packet,
  publish,
  subscribe,
  text,
  uint16,
  unsubscribe,
  type Version,
} from '../packet-bytes.ts';
import type { Random } from './random.ts';

/** Returns valid packets that devices send in a session. */
export function goodPackets(version: Version): Buffer[] {
  const receipt = Buffer.from('{"list":["115258093993985.17.3","1.1.1"]}');
  const common = [
    PINGREQ,
    packet(0x40, uint16(1)),
    packet(0x40, uint16(2)),
    subscribe(version, 'push', 1),
    unsubscribe(version, 'news/of/the/day'),
    publish(version, 'report/badge'),
    publish(version, 'report/receipt', { id: 11, payload: receipt }),
    publish(version, 'report/receipt', { first: 0x30, payload: receipt }),
    packet(0x62, uint16(5)),
    packet(0xe0),
  ];
  if (version === 4) return common;
  return [
    ...common,
    packet(0x40, uint16(1), '10', '071f0004676f6f64'),
    packet(0x82, uint16(7), '07260001610001', Buffer.from('b'), text('push'), 0x2d),
    publish(version, 'report/badge', { properties: '0101020000003c030004746578740800017209000100' }),
    packet(0xe0, '04', '0511000000001f000362796526000161000162'.slice(0, 12)),
  ];
}

/** Returns valid CONNECTs. */
export function goodConnects(version: Version, credentials: Credentials): Buffer[] {
  const plain = connectBytes(version, credentials);
  if (version === 4) return [plain, connectBytes(version, credentials, { flags: 0xc0 })];
  const rich = { properties: '11000000642100142700010000170119002600016100016222000a' };
  return [plain, connectBytes(version, credentials, rich)];
}

/** Byte values that often have a special meaning in MQTT packets. */
const interestingBytes = [0x00, 0x01, 0x02, 0x04, 0x23, 0x26, 0x2b, 0x7f, 0x80, 0x81, 0xc0, 0xc3, 0xed, 0xff];

/**
 * Changes the header or makes one to three changes to the body. Usually it then corrects the length, so that the
 * gateway reads past the header.
 */
export function mutate(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const header = random.below(12);
  const first = header === 0 ? random.below(256) : (bytes[0] as number) ^ (header === 1 ? 1 << random.below(4) : 0);
  let body: Buffer = Buffer.from(bytes.subarray(lengthEnd(bytes)));
  for (let changes = header < 2 ? 0 : 1 + random.below(3); changes > 0; changes--)
    body = changeBody(body, others, random);
  const length = random.below(16) === 0 ? wrongLength(body.length, random) : lengthOf(body.length);
  return Buffer.concat([Buffer.from([first]), length, body]);
}

function changeBody(body: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const at = random.below(body.length + 1);
  switch (random.below(10)) {
    case 0: // extra bytes
      return splice(body, at, 0, Buffer.from([random.below(256), random.below(256)]));
    case 1:
      return splice(body, at, 1 + random.below(4), EMPTY);
    case 2:
      return body.subarray(0, at);
    case 3: {
      const other = random.oneOf(others);
      const from = random.below(other.length);
      return splice(body, at, 0, other.subarray(from, from + 1 + random.below(16)));
    }
    case 4: // a duplicated part
      return splice(body, at, 0, body.subarray(random.below(at + 1), at));
    case 5: // a different string length
      return at + 2 <= body.length
        ? splice(body, at, 2, uint16(random.below(4) === 0 ? 65_535 : random.below(64)))
        : body;
    case 6:
      if (at < body.length) body[at] = (body[at] as number) ^ (1 << random.below(8));
      return body;
    default:
      if (at < body.length) body[at] = random.below(2) === 0 ? random.oneOf(interestingBytes) : random.below(256);
      return body;
  }
}

const EMPTY = Buffer.alloc(0);

const splice = (bytes: Buffer, at: number, gone: number, added: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + gone)]);

function wrongLength(length: number, random: Random): Buffer {
  const lengths = [lengthOf(length + 1 + random.below(4)), lengthOf(random.below(length + 1)), join('ffffff7f')];
  return random.oneOf([...lengths, join('ffffffff01'), join([length | 0x80, 0]), lengthOf(70_000)]);
}

function lengthEnd(bytes: Buffer): number {
  let at = 1;
  while (((bytes[at] as number) & 0x80) !== 0) at++;
  return at + 1;
}
