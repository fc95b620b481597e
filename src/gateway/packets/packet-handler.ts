import type { Log } from '#src/foundation/log.ts';
import type { Receipts } from '#src/receipts/receipts.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { InboxReader } from '../sessions/inbox.ts';
import type { Session } from '../sessions/session.ts';

/** What an answer of a device acts on. */
export interface AcknowledgementContext {
  readonly receipts: Receipts;
  readonly inbox: InboxReader;
}

/** What a packet of a connected device may act on. */
export interface PacketContext extends AcknowledgementContext {
  readonly storage: Storage;
  readonly log: Log;
}

/** Answers the reason code that the session must end with; undefined: it goes on. */
export type PacketHandler<P, C = PacketContext> = (session: Session, packet: P, context: C) => number | undefined;
