/** Keys of a vendor. Without them, the app reads the keys from Carillon after the login. */
interface VendorKeys {
  readonly appId?: string | undefined;
  readonly appKey?: string | undefined;
  readonly appSecret?: string | undefined;
}

/** Options of the config plugin. */
export interface PluginOptions {
  /** The vendors whose modules the app includes: `true`, or the keys of the vendor. */
  readonly vendors?: Readonly<Partial<Record<VendorName, true | VendorKeys>>> | undefined;
  /** Maven repository with the artifacts of the Android SDK, as URL. By default, the local repository of Maven. */
  readonly repository?: string | undefined;
  /** Version of the artifacts; that of this package by default. */
  readonly version?: string | undefined;
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

/** The names of the keys in the manifest of the Android SDK. */
export const keyNames = { appId: 'app_id', appKey: 'app_key', appSecret: 'app_secret' } as const;

const REPOSITORY = /^(https?|file):\/\/[^\s'"\\]+$/;
const VERSION = /^[\w.-]+$/;

/** Returns the options, or throws an error that names the wrong one. */
export function checkOptions(options: unknown): PluginOptions {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object') throw new Error('The options of @carillon/react-native must be an object.');
  rejectUnknown('option', Object.keys(options), ['vendors', 'repository', 'version', 'icon']);
  const { vendors = {}, repository, version, icon } = options as Record<string, unknown>;
  if (repository !== undefined && !(typeof repository === 'string' && REPOSITORY.test(repository)))
    throw new Error('repository must be a URL with the protocol https, http or file.');
  if (version !== undefined && !(typeof version === 'string' && VERSION.test(version)))
    throw new Error('version must be a version such as "0.1.0".');
  if (icon !== undefined && !(typeof icon === 'string' && icon.endsWith('.png')))
    throw new Error('icon must be the path of a PNG file.');
  if (typeof vendors !== 'object' || vendors === null) throw new Error('vendors must be an object.');
  rejectUnknown('vendor', Object.keys(vendors), Object.keys(vendorRepositories));
  for (const [vendor, keys] of Object.entries(vendors)) checkKeys(vendor, keys);
  return options as PluginOptions;
}

function checkKeys(vendor: string, keys: unknown): void {
  if (keys === true) return;
  if (typeof keys !== 'object' || keys === null)
    throw new Error(`vendors.${vendor} must be true, or an object with keys.`);
  rejectUnknown(`key of vendors.${vendor}`, Object.keys(keys), Object.keys(keyNames));
  for (const [name, value] of Object.entries(keys))
    if (typeof value !== 'string' || value === '')
      throw new Error(`vendors.${vendor}.${name} must be a string that is not empty. Quote numbers.`);
}

function rejectUnknown(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not a known ${what}. Known: ${known.join(', ')}.`);
}
