import { type Keyring, open, seal } from '#src/foundation/sealed-box.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import type { HomeDb } from '../database/database.ts';

/**
 * The purposes of master keys: `apps` keys seal the private keys of apps, `callbacks` keys the secrets of callbacks, and
 * `credentials` keys the credentials and access tokens of vendors. Each purpose has separate keys, so that a process has
 * only those that it needs.
 */
export const keyPurposes = ['apps', 'callbacks', 'credentials'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];
export type Keyrings = Readonly<Record<KeyPurpose, Keyring>>;

interface KeyCheck {
  readonly purpose: KeyPurpose;
  readonly keyId: string;
  readonly box: Buffer;
}

const CHECK_TEXT = 'carillon';
const checkContext = ({ purpose, keyId }: Omit<KeyCheck, 'box'>): string =>
  JSON.stringify(['master_key_checks', purpose, keyId]);

/**
 * Compares master keys with those that other processes use, and throws a `SettingsError` if they differ. The database
 * has a sealed text for each key. A new key is accepted only together with a key that is known.
 */
export async function checkMasterKeys(db: HomeDb, keyrings: Partial<Keyrings>): Promise<void> {
  const purposes = keyPurposes.filter((purpose) => keyrings[purpose]);
  if (purposes.length === 0) return;
  const newChecks = await findNewChecks(db, keyrings);
  if (newChecks.length === 0) return;
  await insertChecks(db, newChecks);
  // Another process may have stored a different key with the same ID at the same time.
  await findNewChecks(db, keyrings);
}

/** Forgets all keys of a purpose except the one that seals all values. A process that has only the others is rejected. */
export async function deleteOtherKeyChecks(db: HomeDb, purpose: KeyPurpose, keyId: string): Promise<void> {
  await db.query('delete from master_key_checks where purpose = $1 and key_id <> $2', [purpose, keyId]);
}

async function findNewChecks(db: HomeDb, keyrings: Partial<Keyrings>): Promise<KeyCheck[]> {
  const stored = await db.query<KeyCheck>('select purpose, key_id as "keyId", box from master_key_checks');
  const faults: string[] = [];
  const newChecks = keyPurposes.flatMap((purpose) => {
    const keyring = keyrings[purpose];
    if (!keyring) return [];
    const known = stored.filter((check) => check.purpose === purpose);
    const given = known.filter(({ keyId }) => keyring.keys.has(keyId));
    if (known.length > 0 && given.length === 0)
      faults.push(
        `${keyring.name}: the values in the database are sealed with another key. Add the key ${known.map(({ keyId }) => `\`${keyId}\``).join(' or ')}`,
      );
    for (const check of given)
      if (!opens(keyring, check))
        faults.push(
          `${keyring.name}: the key \`${check.keyId}\` differs from the key with this ID that sealed the values in the database. Set the same key for all processes`,
        );
    const knownIds = new Set(known.map(({ keyId }) => keyId));
    return [...keyring.keys.keys()]
      .filter((keyId) => !knownIds.has(keyId))
      .map((keyId) => ({ purpose, keyId, box: sealCheck(keyring, purpose, keyId) }));
  });
  if (faults.length > 0) throw new SettingsError(faults);
  return newChecks;
}

async function insertChecks(db: HomeDb, checks: readonly KeyCheck[]): Promise<void> {
  await db.query(
    `insert into master_key_checks (purpose, key_id, box)
     select * from unnest($1::text[], $2::text[], $3::bytea[])
     on conflict do nothing`,
    [checks.map(({ purpose }) => purpose), checks.map(({ keyId }) => keyId), checks.map(({ box }) => box)],
  );
}

const sealCheck = (keyring: Keyring, purpose: KeyPurpose, keyId: string): Buffer =>
  seal({ ...keyring, sealingKeyId: keyId }, checkContext({ purpose, keyId }), CHECK_TEXT);

function opens(keyring: Keyring, check: KeyCheck): boolean {
  try {
    return open(keyring, checkContext(check), check.box) === CHECK_TEXT;
  } catch {
    return false;
  }
}
