import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { HomeDb } from '../database/database.ts';
import { appKeyContext } from './apps.ts';
import { callbackContext } from './callbacks.ts';
import { certificateContext } from './certificates.ts';
import type { KeyPurpose } from './master-keys.ts';

/** A sealed value, the context that it is sealed for, and a function that replaces it. */
export interface SealedValue {
  /** The purpose of the master keys that can open the value. */
  readonly purpose: KeyPurpose;
  readonly context: string;
  readonly box: Buffer;
  /** Replaces the stored box, unless a new value has been saved in the meantime. */
  replace(db: HomeDb, box: Buffer): Promise<void>;
}

/**
 * Yields every sealed value of the installation, page by page, so that it can be sealed again when master keys are
 * rotated. Provider tokens are excluded, because a token that cannot be opened is replaced by a new one.
 */
export async function* findSealedValues(db: HomeDb, pageSize: number): AsyncGenerator<SealedValue[]> {
  for (let after = ''; ; ) {
    const rows: { appId: string; box: Buffer }[] = await db.query(
      'select app_id as "appId", private_key as box from apps where app_id > $1 order by app_id limit $2',
      [after, pageSize],
    );
    if (rows.length === 0) break;
    after = rows.at(-1)?.appId as string;
    yield rows.map(({ appId, box }) => ({
      purpose: 'apps',
      context: appKeyContext(appId),
      box,
      replace: async (home, newBox) => {
        await home.query('update apps set private_key = $3 where app_id = $1 and private_key = $2', [
          appId,
          box,
          newBox,
        ]);
      },
    }));
  }
  for (let after: readonly [string, string, number] = ['', '', 0]; ; ) {
    const rows: CertificateBoxes[] = await db.query<CertificateBoxes>(
      `select app_id as "appId", channel, environment, app_secret, certificate
         from certificates
        where (app_id, channel, environment) > ($1, $2, $3::smallint)
        order by app_id, channel, environment
        limit $4`,
      [...after, pageSize],
    );
    const last = rows.at(-1);
    if (!last) break;
    after = [last.appId, last.channel, last.environment];
    yield rows.flatMap((row) => (['app_secret', 'certificate'] as const).map((field) => sealedField(row, field)));
  }
  yield* findSealedCallbacks(db, pageSize);
}

async function* findSealedCallbacks(db: HomeDb, pageSize: number): AsyncGenerator<SealedValue[]> {
  for (let after: readonly [string, string] = ['', '']; ; ) {
    const rows: { appId: string; channel: VendorName; box: Buffer }[] = await db.query(
      `select app_id as "appId", channel, secrets as box from callbacks
        where (app_id, channel) > ($1, $2) order by app_id, channel limit $3`,
      [...after, pageSize],
    );
    const last = rows.at(-1);
    if (!last) return;
    after = [last.appId, last.channel];
    yield rows.map(({ appId, channel, box }) => ({
      purpose: 'callbacks',
      context: callbackContext({ appId, channel }),
      box,
      replace: async (home, newBox) => {
        await home.query('update callbacks set secrets = $4 where app_id = $1 and channel = $2 and secrets = $3', [
          appId,
          channel,
          box,
          newBox,
        ]);
      },
    }));
  }
}

interface CertificateBoxes {
  readonly appId: string;
  readonly channel: VendorName;
  readonly environment: Environment;
  readonly app_secret: Buffer;
  readonly certificate: Buffer;
}

function sealedField(row: CertificateBoxes, field: 'app_secret' | 'certificate'): SealedValue {
  const { appId, channel, environment, [field]: box } = row;
  return {
    purpose: 'credentials',
    context: certificateContext(row, field),
    box,
    // The secret itself is unchanged, so the version stays the same and no connection is closed.
    replace: async (home, newBox) => {
      await home.query(
        `update certificates set ${field} = $5
          where app_id = $1 and channel = $2 and environment = $3 and ${field} = $4`,
        [appId, channel, environment, box, newBox],
      );
    },
  };
}
