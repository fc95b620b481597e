import { randomBytes } from 'node:crypto';
import { readKeyrings, type Settings } from '#src/bin/settings.ts';
import { type Keyrings, keyPurposes } from '#src/storage/accounts/master-keys.ts';

export const newMasterKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** Returns the settings with a different master key for each purpose. */
export function newMasterKeys(id: string): Settings['seal'] {
  return {
    CARILLON_MASTER_KEYS_APPS: newMasterKey(id),
    CARILLON_MASTER_KEYS_CALLBACKS: newMasterKey(id),
    CARILLON_MASTER_KEYS_CREDENTIALS: newMasterKey(id),
  };
}

export const keyringsOf = (settings: Settings['seal']): Keyrings => readKeyrings(settings, keyPurposes);
