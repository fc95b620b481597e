/** Frames as they are meant, without their bytes: the fake socket reads them. */
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

/** Packets that carry no notification: the fake socket looks at none of them. */
export const encode = (): Buffer => Buffer.alloc(0);
