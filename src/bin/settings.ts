import { Type } from 'typebox';
import { apiSettings } from '#src/api/settings.ts';
import { processSettings } from '#src/foundation/process-settings.ts';
import { type Keyring, parseKeyring } from '#src/foundation/sealed-box.ts';
import { type LoadedSettings, SettingsError, secret } from '#src/foundation/settings.ts';
import { gatewaySettings } from '#src/gateway/settings.ts';
import { signalsSettings } from '#src/signals/settings.ts';
import { ceilingSettings, storageSettings } from '#src/storage/settings.ts';
import { vendorSettings } from '#src/vendors/settings.ts';
import { workerSettings } from '#src/worker/settings.ts';

export const sealSettings = Type.Object({
  CARILLON_MASTER_KEYS: secret({
    description:
      'Master keys that encrypt stored secrets, separated by spaces. Each key has the form `id:base64`, in which the second part encodes 32 bytes. The first key encrypts new secrets, and all keys can decrypt. Do not set this for a process with only the role `gateway`, which needs no keys.',
  }),
});

/** All settings, in the order of the documentation. */
export const everySetting = {
  process: processSettings,
  storage: storageSettings,
  signals: signalsSettings,
  seal: sealSettings,
  api: apiSettings,
  gateway: gatewaySettings,
  worker: workerSettings,
  vendors: vendorSettings,
  ceilings: ceilingSettings,
} as const;

/**
 * The settings of a gateway. They contain no master keys, because a gateway opens no sealed values and is the role that
 * is most exposed to untrusted clients.
 */
export const everySettingExceptKeys = {
  ...everySetting,
  seal: Type.Object({ CARILLON_MASTER_KEYS: secret({ default: '', description: 'Not used by this role.' }) }),
} as const;

export type Settings = LoadedSettings<typeof everySetting>;

export function readKeyring({ CARILLON_MASTER_KEYS: keys }: Settings['seal']): Keyring {
  try {
    return parseKeyring(keys);
  } catch (cause) {
    throw new SettingsError([`CARILLON_MASTER_KEYS: ${(cause as Error).message}`]);
  }
}
