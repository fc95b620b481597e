import { PublishFrame } from '#src/gateway/codec.ts';
import { serveConnection } from '#src/gateway/connection.ts';
import { PACKET_BYTES_MAX, PacketReader } from '#src/gateway/packet-reader.ts';
import type { Version } from '../packet-bytes.ts';
import type { FuzzDevice, World } from './fuzz-gateway.ts';
import { connectInMemory } from './memory-socket.ts';
import { goodPackets, mutate } from './mutate.ts';
import type { Tally } from './mutation-counts.ts';
import { Random } from './random.ts';

/** A session that takes everything is left after so many mutations. */
const MUTATIONS_MAX = 16;
/** In so many turns of the loop a connection is opened, or never. */
const TURNS_MAX = 50;

const versions: readonly Version[] = [4, 5];
const good = { 4: goodPackets(4), 5: goodPackets(5) } as const;
/** All but the one that says goodbye. */
const staying = { 4: good[4].filter(isNoGoodbye), 5: good[5].filter(isNoGoodbye) } as const;
const frame = new PublishFrame('{"task_id":"1","message_id":"1"}');

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * One connection, from its seed alone: a CONNECT, which is mutated now and then, and good and mutated packets in turn until
 * it is closed. Throws what is wrong.
 */
export async function fuzzConnection(world: World, device: FuzzDevice, seed: number, tally: Tally): Promise<void> {
  const random = new Random(seed);
  const version = random.oneOf(versions);
  const { client, server } = connectInMemory();
  const heard = new Heard();
  client.on('data', (chunk: Buffer) => heard.add(chunk));
  client.on('error', () => undefined);
  world.unopened.add(server);
  serveConnection(server, world.context);

  /** Writes, now and then in two pieces, and sees that it is read. */
  const say = async (bytes: Buffer): Promise<void> => {
    const cut = random.below(8) === 0 ? random.below(bytes.length) : 0;
    if (cut > 0) client.write(bytes.subarray(0, cut));
    client.write(bytes.subarray(cut));
    await turn();
  };

  const connects = device.connects[version];
  const connect = random.oneOf(connects);
  if (random.below(6) === 0) {
    const mutated = mutate(connect, connects, random);
    tally.count('connect', mutated, version);
    await say(mutated);
  } else await say(connect);
  for (let i = 0; i < TURNS_MAX && heard.count === 0 && !server.destroyed; i++) {
    if (!world.unopened.has(server)) break;
    await turn();
    if (i > 3 && random.below(4) === 0) break; // half a packet waits for the rest, which never comes
  }

  const session = world.context.sessions.get(device.deviceId);
  for (let place = 0; session && place < 2; place++)
    session.notify(frame, { taskId: BigInt(place + 1), shard: 1, slice: 1, place, n: 2 }, place === 1);

  for (let i = 0; i < MUTATIONS_MAX && heard.count > 0 && !server.destroyed; i++) {
    if (random.below(4) === 0) await say(random.oneOf(staying[version]));
    if (server.destroyed || heard.ended) break;
    const mutated = mutate(random.oneOf(good[version]), good[version], random);
    tally.count('session', mutated, version);
    await say(mutated);
  }
  heard.check();
  client.destroy();
  server.destroy();
  if (!server.closed) await turn();
}

/** What the gateway says, held to what a server may say. */
class Heard {
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
    if (first !== undefined && first !== CONNACK) throw new Error(`The first packet is of type ${first}.`);
    const wrong = others.find((type) => !serverTypes.has(type));
    if (wrong === -1) throw new Error('Something follows a DISCONNECT.');
    if (wrong !== undefined) throw new Error(`A server sends no packet of type ${wrong}.`);
  }
}

function isNoGoodbye(bytes: Buffer): boolean {
  return bytes[0] !== 0xe0;
}

const CONNACK = 2;
const DISCONNECT = 14;
/** PUBLISH, PUBACK, PUBCOMP, SUBACK, UNSUBACK, PINGRESP, DISCONNECT. */
const serverTypes: ReadonlySet<number> = new Set([3, 4, 7, 9, 11, 13, DISCONNECT]);
