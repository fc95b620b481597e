import type { Receipts } from '#src/receipts/receipts.ts';
import type { InboxReader } from '../inbox.ts';
import type { Session } from '../session.ts';

/** What a packet of a connected device may act on. */
export interface PacketContext {
  readonly receipts: Receipts;
  readonly inbox: InboxReader;
}

export type PacketHandler<P> = (session: Session, packet: P, context: PacketContext) => void;
