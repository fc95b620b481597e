import mqtt, { type Packet } from 'mqtt-packet';
import { PUSH_TOPIC } from '#src/contract/mqtt.ts';

/** MQTT 3.1.1 is version 4 on the wire. */
export type ProtocolVersion = 4 | 5;

/**
 * Decodes one whole packet. Returns undefined if the packet is malformed. All sessions share one parser per version,
 * because each call passes a complete packet. A parser per session would cost some kilobytes for each idle session.
 */
export function decode(bytes: Buffer, version: ProtocolVersion): Packet | undefined {
  const reader = readers.get(version) ?? createReader(version);
  readers.set(version, reader);
  const packet = reader.read(bytes);
  if (!packet) readers.delete(version); // discards the state that a bad packet left in the parser
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
        return undefined; // for some malformed packets the parser throws instead of emitting an error
      }
      const packet = parsedPacket as Packet | undefined;
      // A CONNECT changes the version in the parser's settings, so the parser is not used again.
      if (packet?.cmd === 'connect') readers.delete(version);
      return packet;
    },
  };
}

/** A PUBLISH at QoS 1 that a whole slice shares. It is encoded once; only the packet id is set per device. */
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

  /** Returns the size of the encoded packet in bytes. */
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

/** Returns the offset of the packet id, which follows the first byte, the length and the topic. */
function packetIdOffset(frame: Buffer): number {
  let offset = 1;
  while (((frame[offset] as number) & 0x80) !== 0) offset++;
  return offset + 1 + 2 + PUSH_TOPIC.length;
}
