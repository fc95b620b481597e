import { decode } from '#src/gateway/codec.ts';
import { PACKET_BYTES_MAX, PacketReader } from '#src/gateway/packet-reader.ts';
import { findConnectFault } from '#src/gateway/packets/connect-fault.ts';
import { findFault } from '#src/gateway/packets/find-fault.ts';
import type { Version } from '../packet-bytes.ts';

/** First bytes of the packets that a device can send in a session. The first byte of a CONNECT is 0x10. */
const sessionHeaders = new Set([
  ...[0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x3a, 0x3b, 0x3c, 0x3d], // PUBLISH, except with QoS 3 or with DUP at QoS 0
  ...[0x40, 0x62, 0x82, 0xa2, 0xc0, 0xe0],
]);
const names = {
  1: 'CONNECT',
  3: 'PUBLISH',
  4: 'PUBACK',
  6: 'PUBREL',
  8: 'SUBSCRIBE',
  10: 'UNSUBSCRIBE',
  12: 'PINGREQ',
  14: 'DISCONNECT',
};

interface Counts {
  sent: number;
  /** Number of complete mutations with an allowed packet type and allowed flags, whose body the gateway reads. */
  pastHeader: number;
  wellFormed: number;
}

/** Counts the mutations that pass each check, by the packet type in their header. */
export class MutationCounts {
  readonly byType = new Map<string, Counts>();

  get sent(): number {
    return this.#sum('sent');
  }

  get pastHeader(): number {
    return this.#sum('pastHeader');
  }

  count(phase: 'connect' | 'session', bytes: Buffer, version: Version): void {
    const first = bytes[0] as number;
    const name = names[(first >> 4) as keyof typeof names] ?? 'others';
    const counts = this.byType.get(name) ?? { sent: 0, pastHeader: 0, wellFormed: 0 };
    this.byType.set(name, counts);
    counts.sent++;
    const whole = wholePacket(bytes);
    if (!whole || !(phase === 'connect' ? first === 0x10 : sessionHeaders.has(first))) return;
    counts.pastHeader++;
    if (isWellFormed(phase, whole, version)) counts.wellFormed++;
  }

  table(): string {
    const rows = [...this.byType].sort(([, a], [, b]) => b.sent - a.sent);
    const line = (name: string, { sent, pastHeader, wellFormed }: Counts) =>
      `${name.padEnd(12)}${[sent, pastHeader, wellFormed].map((n) => n.toLocaleString('en').padStart(14)).join('')}`;
    const head = `${'type'.padEnd(12)}${['mutations', 'past header', 'well formed'].map((n) => n.padStart(14)).join('')}`;
    const all = { sent: this.sent, pastHeader: this.pastHeader, wellFormed: this.#sum('wellFormed') };
    return [head, ...rows.map(([name, counts]) => line(name, counts)), line('total', all)].join('\n');
  }

  #sum(what: keyof Counts): number {
    return [...this.byType.values()].reduce((sum, counts) => sum + counts[what], 0);
  }
}

function wholePacket(bytes: Buffer): Buffer | undefined {
  const reader = new PacketReader();
  reader.sizeMax = PACKET_BYTES_MAX;
  reader.add(bytes);
  const read = reader.next();
  return read.kind === 'packet' ? read.bytes : undefined;
}

/**
 * Returns whether a packet is well formed. The parser must be able to read every packet that passes the gateway's
 * check.
 */
function isWellFormed(phase: 'connect' | 'session', bytes: Buffer, version: Version): boolean {
  const passes = phase === 'connect' ? hasNoFault(findConnectFault(bytes)) : findFault(bytes, version) === undefined;
  if (passes && !decode(bytes, version))
    throw new Error(`Packet passed the check but could not be decoded: ${bytes.toString('hex')}`);
  return passes;
}

const hasNoFault = ({ version, fault }: ReturnType<typeof findConnectFault>): boolean =>
  version !== undefined && fault === undefined;
