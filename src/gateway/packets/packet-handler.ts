import type { Log } from '#src/foundation/log.ts';
import type { Receipts } from '#src/receipts/receipts.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { InboxReader } from '../sessions/inbox.ts';
import type { Session } from '../sessions/session.ts';

/** Dependencies of the handler for acknowledgements. */
export interface AcknowledgementContext {
  readonly receipts: Receipts;
  readonly inbox: InboxReader;
}

/** Dependencies of the handlers for packets of connected devices. */
export interface PacketContext extends AcknowledgementContext {
  readonly storage: Storage;
  readonly log: Log;
}

/** Returns the reason code that the session must end with, or undefined if it continues. */
export type PacketHandler<P, C = PacketContext> = (session: Session, packet: P, context: C) => number | undefined;
