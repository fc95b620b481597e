import type * as real from '#src/storage/accounts/last-responses.ts';
import { write } from './database.ts';

/** No step of a worker reads the last response of a vendor, so it is not kept. */
export const saveLastResponse: typeof real.saveLastResponse = (db) => write(db, 'saveLastResponse', () => undefined);
