/** All keys of a vendor that `keyNames` lists. */
interface VendorKeys {
  readonly appId?: string | undefined;
  readonly appKey?: string | undefined;
  readonly appSecret?: string | undefined;
  readonly projectId?: string | undefined;
}

/** Options of the config plugin. */
export interface PluginOptions {
  /** The vendors whose modules the app includes: `true`, or the keys of the vendor. */
  readonly vendors?: Readonly<Partial<Record<VendorName, true | VendorKeys>>> | undefined;
  /** URL of the Maven repository with the artifacts of the Android SDK. No public repository contains them. */
  readonly repository: string;
  /** Path of a white PNG image with a transparent background, for the status bar. */
  readonly icon?: string | undefined;
}

export type VendorName = keyof typeof vendorRepositories;

/** The Maven repositories of the vendors. Those without one publish an AAR that you add to the app. */
export const vendorRepositories = {
  fcm: undefined,
  unifiedpush: undefined,
  huawei: 'https://developer.huawei.com/repo/',
  honor: 'https://developer.hihonor.com/repo',
  xiaomi: undefined,
  oppo: undefined,
  vivo: undefined,
  meizu: undefined,
} as const;

/**
 * The keys of each vendor, with the names of their metadata in the manifest. A key that only a server needs, such as
 * the AppSecret of Huawei, is not listed, because everyone with the app could read it.
 */
export const keyNames: Readonly<Record<VendorName, Readonly<Partial<Record<keyof VendorKeys, string>>>>> = {
  fcm: {
    appId: 'dev.carillon.fcm.app_id',
    appKey: 'dev.carillon.fcm.app_key',
    projectId: 'dev.carillon.fcm.project_id',
  },
  unifiedpush: { appKey: 'dev.carillon.unifiedpush.app_key' },
  huawei: { appId: 'dev.carillon.huawei.app_id' },
  // The SDKs of Honor and vivo read their metadata themselves.
  honor: { appId: 'com.hihonor.push.app_id' },
  xiaomi: { appId: 'dev.carillon.xiaomi.app_id', appKey: 'dev.carillon.xiaomi.app_key' },
  oppo: { appKey: 'dev.carillon.oppo.app_key', appSecret: 'dev.carillon.oppo.app_secret' },
  vivo: { appId: 'com.vivo.push.app_id', appKey: 'com.vivo.push.api_key' },
  meizu: { appId: 'dev.carillon.meizu.app_id', appKey: 'dev.carillon.meizu.app_key' },
};

/** Gradle 7 and newer reject repositories with the protocol http. */
const REPOSITORY = /^(https|file):\/\/[^\s'"\\]+$/;

/** Returns the options, or throws an error that names the wrong one. */
export function checkOptions(options: unknown): PluginOptions {
  const given = options ?? {};
  if (typeof given !== 'object') throw new Error('The options of @carillon/react-native must be an object.');
  rejectUnknown('option', Object.keys(given), ['vendors', 'repository', 'icon']);
  const { vendors = {}, repository, icon } = given as Record<string, unknown>;
  if (repository === undefined)
    throw new Error(
      'repository is missing. Set it to the URL of the Maven repository with the Android SDK, such as file:///path/to/carillon/sdks/android/target/publish.',
    );
  if (!(typeof repository === 'string' && REPOSITORY.test(repository)))
    throw new Error('repository must be a URL with the protocol https or file.');
  if (icon !== undefined && !(typeof icon === 'string' && icon.endsWith('.png')))
    throw new Error('icon must be the path of a PNG file.');
  if (typeof vendors !== 'object' || vendors === null) throw new Error('vendors must be an object.');
  rejectUnknown('vendor', Object.keys(vendors), Object.keys(vendorRepositories));
  for (const [vendor, keys] of Object.entries(vendors)) checkKeys(vendor as VendorName, keys);
  return options as PluginOptions;
}

function checkKeys(vendor: VendorName, keys: unknown): void {
  if (keys === true) return;
  if (typeof keys !== 'object' || keys === null)
    throw new Error(`vendors.${vendor} must be true, or an object with keys.`);
  const names = Object.keys(keyNames[vendor]);
  rejectUnknown(`key of vendors.${vendor}`, Object.keys(keys), names);
  for (const [name, value] of Object.entries(keys))
    if (typeof value !== 'string' || value === '')
      throw new Error(`vendors.${vendor}.${name} must be a string that is not empty. Quote numbers.`);
  const missing = names.find((name) => !Object.keys(keys).includes(name));
  if (missing !== undefined) throw new Error(`vendors.${vendor} must be true, or must also contain ${missing}.`);
}

function rejectUnknown(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not a known ${what}. Known: ${known.join(', ')}.`);
}
