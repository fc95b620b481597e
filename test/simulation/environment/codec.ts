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

/** Packets that carry no notification. The fake socket ignores them. */
export const encode = (): Buffer => Buffer.alloc(0);
