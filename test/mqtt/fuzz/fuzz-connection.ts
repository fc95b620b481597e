import { PublishFrame } from '#src/gateway/codec.ts';
import { serveConnection } from '#src/gateway/connection.ts';
import { PACKET_BYTES_MAX, PacketReader } from '#src/gateway/packet-reader.ts';
import type { Version } from '../packet-bytes.ts';
import type { FuzzDevice, FuzzGateway } from './fuzz-gateway.ts';
import { connectInMemory } from './memory-socket.ts';
import { goodPackets, mutate } from './mutate.ts';
import type { MutationCounts } from './mutation-counts.ts';
import { Random } from './random.ts';

/** Maximum number of mutations per session. Without a limit, a session that accepts everything would never end. */
const MUTATIONS_MAX = 16;
/** Maximum number of event loop turns to wait until the gateway accepts or rejects a connection. */
const TURNS_MAX = 50;

const versions: readonly Version[] = [4, 5];
const good = { 4: goodPackets(4), 5: goodPackets(5) } as const;
/** All valid packets except DISCONNECT. */
const goodExceptDisconnect = { 4: good[4].filter(isNotDisconnect), 5: good[5].filter(isNotDisconnect) } as const;
const frame = new PublishFrame('{"task_id":"1","message_id":"1"}');

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs one connection that depends only on its seed. It sends a CONNECT, sometimes mutated, then valid and mutated
 * packets until the connection is closed. Throws if the gateway violates the protocol.
 */
export async function fuzzConnection(
  gateway: FuzzGateway,
  device: FuzzDevice,
  seed: number,
  counts: MutationCounts,
): Promise<void> {
  const random = new Random(seed);
  const version = random.oneOf(versions);
  const { client, server } = connectInMemory();
  const serverPackets = new ServerPackets();
  client.on('data', (chunk: Buffer) => serverPackets.add(chunk));
  client.on('error', () => undefined);
  gateway.pendingConnections.add(server);
  serveConnection(server, gateway.context);

  /** Writes the bytes, sometimes in two pieces, and lets the server read them. */
  const send = async (bytes: Buffer): Promise<void> => {
    const cut = random.below(8) === 0 ? random.below(bytes.length) : 0;
    if (cut > 0) client.write(bytes.subarray(0, cut));
    client.write(bytes.subarray(cut));
    await nextTurn();
  };

  const connects = device.connects[version];
  const connect = random.oneOf(connects);
  if (random.below(6) === 0) {
    const mutated = mutate(connect, connects, random);
    counts.count('connect', mutated, version);
    await send(mutated);
  } else await send(connect);
  for (let i = 0; i < TURNS_MAX && serverPackets.count === 0 && !server.destroyed; i++) {
    if (!gateway.pendingConnections.has(server)) break;
    await nextTurn();
    if (i > 3 && random.below(4) === 0) break; // the gateway may be waiting for the rest of an incomplete packet, which is never sent
  }

  const session = gateway.context.sessions.get(device.deviceId);
  for (let index = 0; session && index < 2; index++)
    session.notify(frame, { taskId: BigInt(index + 1), bucket: 1, sliceNumber: 1, index, placeCount: 2 }, index === 1);

  for (let i = 0; i < MUTATIONS_MAX && serverPackets.count > 0 && !server.destroyed; i++) {
    if (random.below(4) === 0) await send(random.oneOf(goodExceptDisconnect[version]));
    if (server.destroyed || serverPackets.ended) break;
    const mutated = mutate(random.oneOf(good[version]), good[version], random);
    counts.count('session', mutated, version);
    await send(mutated);
  }
  serverPackets.check();
  client.destroy();
  server.destroy();
  if (!server.closed) await nextTurn();
}

/** Checks that the gateway sends only packets that a server is allowed to send. */
class ServerPackets {
  count = 0;
  ended = false;
  readonly #reader = new PacketReader();
  readonly #types: number[] = [];

  constructor() {
    this.#reader.sizeMax = PACKET_BYTES_MAX;
  }

  add(chunk: Buffer): void {
    this.#reader.add(chunk);
    for (let read = this.#reader.next(); read.kind === 'packet'; read = this.#reader.next()) {
      const type = (read.bytes[0] as number) >> 4;
      this.#types.push(this.ended ? -1 : type);
      if (type === DISCONNECT) this.ended = true;
      this.count++;
    }
  }

  check(): void {
    const [first, ...others] = this.#types;
    if (first !== undefined && first !== CONNACK)
      throw new Error(`The first packet has type ${first} instead of CONNACK.`);
    const wrong = others.find((type) => !serverTypes.has(type));
    if (wrong === -1) throw new Error('A packet follows a DISCONNECT.');
    if (wrong !== undefined)
      throw new Error(`The gateway sent a packet of type ${wrong}, which servers must not send.`);
  }
}

function isNotDisconnect(bytes: Buffer): boolean {
  return bytes[0] !== 0xe0;
}

const CONNACK = 2;
const DISCONNECT = 14;
/** PUBLISH, PUBACK, PUBCOMP, SUBACK, UNSUBACK, PINGRESP, DISCONNECT. */
const serverTypes: ReadonlySet<number> = new Set([3, 4, 7, 9, 11, 13, DISCONNECT]);
