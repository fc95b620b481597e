import { Type } from 'typebox';
import { apiSettings } from '#src/api/settings.ts';
import { processSettings } from '#src/foundation/process-settings.ts';
import { type Keyring, parseKeyring } from '#src/foundation/sealed-box.ts';
import { type LoadedSettings, SettingsError, secret, unknownSettings } from '#src/foundation/settings.ts';
import { gatewaySettings } from '#src/gateway/settings.ts';
import { signalsSettings } from '#src/signals/settings.ts';
import { type KeyPurpose, type Keyrings, keyPurposes } from '#src/storage/accounts/master-keys.ts';
import { ceilingSettings, storageSettings } from '#src/storage/settings.ts';
import { vendorSettings } from '#src/vendors/settings.ts';
import { workerSettings } from '#src/worker/settings.ts';

/** The kinds of processes, and the purposes of the master keys that each of them needs. */
export const rolePurposes = {
  api: keyPurposes,
  gateway: [],
  worker: ['callbacks', 'credentials'],
} as const satisfies Record<string, readonly KeyPurpose[]>;
export type RoleName = keyof typeof rolePurposes;

const masterKeys = (use: string, roles: string) =>
  secret({
    description: `Master keys that encrypt ${use}, separated by spaces. Each key has the form \`id:base64\`, in which the second part encodes 32 bytes. The first key encrypts, and all keys can decrypt. Needed only by ${roles}.`,
  });

export const sealSettings = Type.Object({
  CARILLON_MASTER_KEYS_APPS: masterKeys('the private keys of apps', 'the role `api`'),
  CARILLON_MASTER_KEYS_CALLBACKS: masterKeys('the secrets of callbacks', 'the roles `api` and `worker`'),
  CARILLON_MASTER_KEYS_CREDENTIALS: masterKeys('vendor credentials', 'the roles `api` and `worker`'),
});

/** The setting that contains the master keys of each purpose. */
const settingOfPurpose = {
  apps: 'CARILLON_MASTER_KEYS_APPS',
  callbacks: 'CARILLON_MASTER_KEYS_CALLBACKS',
  credentials: 'CARILLON_MASTER_KEYS_CREDENTIALS',
} as const satisfies Record<KeyPurpose, keyof typeof sealSettings.properties>;

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

export type Settings = LoadedSettings<typeof everySetting>;

/**
 * Returns the settings of a process with these roles. It reads no master keys that it does not need: a gateway needs
 * none, and is most exposed to untrusted clients.
 */
export function settingsOf(roles: readonly RoleName[]): typeof everySetting {
  const unused = keyPurposes.filter((purpose) => !purposesOf(roles).includes(purpose));
  const ignored = unused.map((purpose) => [settingOfPurpose[purpose], secret({ default: '', description: '' })]);
  const properties = { ...sealSettings.properties, ...Object.fromEntries(ignored) };
  return { ...everySetting, seal: Type.Object(properties) as typeof sealSettings };
}

export const purposesOf = (roles: readonly RoleName[]): readonly KeyPurpose[] =>
  keyPurposes.filter((purpose) =>
    roles.some((role) => (rolePurposes[role] as readonly KeyPurpose[]).includes(purpose)),
  );

/** Parses the master keys of these purposes. */
export function readKeyrings<Purpose extends KeyPurpose>(
  seal: Settings['seal'],
  purposes: readonly Purpose[],
): Pick<Keyrings, Purpose> {
  const keyrings = purposes.map((purpose) => [purpose, readKeyring(seal, settingOfPurpose[purpose])]);
  return Object.fromEntries(keyrings) as Pick<Keyrings, Purpose>;
}

function readKeyring(seal: Settings['seal'], name: keyof Settings['seal']): Keyring {
  try {
    return parseKeyring(name, seal[name]);
  } catch (cause) {
    throw new SettingsError([`${name}: ${(cause as Error).message}`]);
  }
}

/** Variables of the command line and of the examples. A shell can contain them without a typing error. */
const clientVariables: ReadonlySet<string> = new Set([
  'CARILLON_URL',
  'CARILLON_APP_ID',
  'CARILLON_ADMIN_TOKEN',
  'CARILLON_USER_TOKEN',
  'CARILLON_DEV_URL',
]);

/** Returns the variables that look like settings of a role, but are none. */
export const unknownVariables = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  unknownSettings(everySetting, environment, 'CARILLON_').filter((name) => !clientVariables.has(name));
