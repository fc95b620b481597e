import mqtt, { type Packet } from 'mqtt-packet';
import { PUSH_TOPIC } from '#src/contract/mqtt.ts';

/** MQTT 3.1.1 is version 4 on the wire. */
export type ProtocolVersion = 4 | 5;

/**
 * Reads one whole packet. Sessions share one parser per version, since each is handed a complete packet at a time: a
 * parser of its own would cost every idle session some kilobytes. Undefined: the packet is not well formed.
 */
export function decode(bytes: Buffer, version: ProtocolVersion): Packet | undefined {
  const reader = readers.get(version) ?? createReader(version);
  readers.set(version, reader);
  const packet = reader.read(bytes);
  if (!packet) readers.delete(version); // whatever a bad packet left in the parser goes with it
  return packet;
}

export function encode(packet: Packet, version: ProtocolVersion): Buffer {
  return mqtt.generate(packet, { protocolVersion: version });
}

const readers = new Map<ProtocolVersion, ReturnType<typeof createReader>>();

function createReader(version: ProtocolVersion) {
  const parser = mqtt.parser({ protocolVersion: version });
  let parsedPacket: Packet | undefined;
  parser.on('packet', (packet) => {
    parsedPacket = packet;
  });
  parser.on('error', () => {
    parsedPacket = undefined;
  });
  return {
    read(bytes: Buffer): Packet | undefined {
      parsedPacket = undefined;
      try {
        parser.parse(bytes);
      } catch {
        return undefined; // the parser throws on some malformed packets instead of telling
      }
      const packet = parsedPacket as Packet | undefined;
      // A CONNECT carries its own version and leaves it in the parser's settings.
      if (packet?.cmd === 'connect') readers.delete(version);
      return packet;
    },
  };
}

/** A PUBLISH at QoS 1 that a whole slice shares: encoded once, and per device only its packet id is filled in. */
export class PublishFrame {
  readonly #payload: string;
  readonly #frames = new Map<ProtocolVersion, Buffer>();

  constructor(payload: string) {
    this.#payload = payload;
  }

  withPacketId(packetId: number, version: ProtocolVersion): Buffer {
    const copy = Buffer.from(this.#frameFor(version));
    copy.writeUInt16BE(packetId, packetIdOffset(copy));
    return copy;
  }

  /** How many bytes it has on the wire. */
  sizeIn(version: ProtocolVersion): number {
    return this.#frameFor(version).length;
  }

  #frameFor(version: ProtocolVersion): Buffer {
    let frame = this.#frames.get(version);
    if (!frame) {
      const publish = { cmd: 'publish', topic: PUSH_TOPIC, qos: 1, dup: false, retain: false, messageId: 1 } as const;
      frame = encode({ ...publish, payload: this.#payload }, version);
      this.#frames.set(version, frame);
    }
    return frame;
  }
}

/** Behind the first byte, the length and the topic. */
function packetIdOffset(frame: Buffer): number {
  let offset = 1;
  while (((frame[offset] as number) & 0x80) !== 0) offset++;
  return offset + 1 + 2 + PUSH_TOPIC.length;
}
