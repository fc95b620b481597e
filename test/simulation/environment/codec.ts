/** A frame that is not encoded. The fake socket reads its fields. */
export interface Frame {
  readonly packetId: number;
  readonly payload: string;
}

export class PublishFrame {
  readonly #payload: string;

  constructor(payload: string) {
    this.#payload = payload;
  }

  withPacketId(packetId: number): Frame {
    return { packetId, payload: this.#payload };
  }

  sizeIn(): number {
    return this.#payload.length;
  }
}

/** Encodes a packet that carries no notification as an empty buffer, which the fake socket ignores. */
export const encode = (): Buffer => Buffer.alloc(0);
