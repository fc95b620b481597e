import { keyNames, type PluginOptions, type VendorName, vendorRepositories } from './options.ts';

/** Changes of the files of an Android project. All functions can be repeated, and replace their earlier change. */

const BEGIN = '// @generated begin @carillon/react-native';
const END = '// @generated end @carillon/react-native';
const GENERATED = new RegExp(`[ \\t]*${BEGIN}\\n[\\s\\S]*?${END}\\n`, 'g');
const INDENT = '  ';

const generated = (lines: readonly string[]): string => [BEGIN, ...lines, END].map((line) => `${line}\n`).join('');

const vendorsOf = ({ vendors = {} }: PluginOptions): VendorName[] =>
  (Object.keys(vendorRepositories) as VendorName[]).filter((vendor) => vendors[vendor] !== undefined);

/** Adds the Maven repositories to the `build.gradle` of the project. */
export function addRepositories(gradle: string, options: PluginOptions): string {
  const cleaned = gradle.replace(GENERATED, '');
  const urls = vendorsOf(options).flatMap((vendor) => vendorRepositories[vendor] ?? []);
  const lines = [options.repository, ...urls].map((url) => `${INDENT.repeat(2)}maven { url '${url}' }`);
  const block = ['allprojects {', `${INDENT}repositories {`, ...lines, `${INDENT}}`, '}'];
  return cleaned.replace(/\n*$/, '\n') + generated(block);
}

/** Adds the vendor modules to the `build.gradle` of the app, with the version of the package, which is that of core. */
export function addVendorModules(gradle: string, options: PluginOptions, version: string): string {
  const cleaned = gradle.replace(GENERATED, '');
  const modules = vendorsOf(options).map(
    (vendor) => `${INDENT}implementation("dev.carillon:carillon-android-${vendor}:${version}")`,
  );
  if (modules.length === 0) return cleaned;
  return `${cleaned.replace(/\n*$/, '\n')}${generated(['dependencies {', ...modules, '}'])}`;
}

/** Starts the SDK in `MainApplication`, so that notifications arrive while JavaScript does not run. */
export function addStartup(application: string): string {
  const cleaned = application.replace(GENERATED, '');
  const call = `${INDENT.repeat(2)}dev.carillon.reactnative.CarillonStartup.resume(this)`;
  const found = /^[ \t]*super\.onCreate\(\);?[ \t]*\n/m.exec(cleaned);
  if (!found)
    throw new Error('MainApplication has no super.onCreate(). Add the call of docs/app/react-native.md yourself.');
  const end = found.index + found[0].length;
  return cleaned.slice(0, end) + generated([call]) + cleaned.slice(end);
}

const NEW_INTENT_GUIDE = 'See "Without Expo" in docs/app/react-native.md.';

/**
 * Makes `MainActivity` keep each new intent, in which the SDK finds the tap of a vendor. Without this, a tap is lost if
 * Android has ended the process, but kept the activity. A function of the app is not changed.
 */
export function addNewIntent(activity: string, warn: (text: string) => void = console.warn): string {
  const cleaned = activity.replace(GENERATED, '');
  if (/\bfun\s+onNewIntent\s*\(/.test(cleaned)) {
    if (!/\bsetIntent\s*\(|\bthis\.intent\s*=/.test(cleaned))
      warn(`Call setIntent(intent) in onNewIntent of MainActivity, so that no tap is lost. ${NEW_INTENT_GUIDE}`);
    return cleaned;
  }
  // A class in Java extends its base class without a colon.
  const found = /^class MainActivity\b[^{:]*:[^{]*\{[ \t]*\n/m.exec(cleaned);
  if (!found) throw new Error(`MainActivity is not a class in Kotlin. Add onNewIntent yourself. ${NEW_INTENT_GUIDE}`);
  const end = found.index + found[0].length;
  const lines = [
    'override fun onNewIntent(intent: android.content.Intent) {',
    `${INDENT}setIntent(intent)`,
    `${INDENT}super.onNewIntent(intent)`,
    '}',
  ].map((line) => INDENT + line);
  return cleaned.slice(0, end) + generated(lines) + cleaned.slice(end);
}

/** Applies a change to a text with the line ends of Windows, which it keeps. */
export function keepLineEnds(text: string, edit: (text: string) => string): string {
  const edited = edit(text.replaceAll('\r\n', '\n'));
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
}

/** Returns the keys of the vendors by their names in the manifest. */
function vendorKeys(options: PluginOptions): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const vendor of vendorsOf(options)) {
    const values = options.vendors?.[vendor];
    if (values === undefined || values === true) continue;
    for (const [key, metadata] of Object.entries(keyNames[vendor])) {
      const value = values[key as keyof typeof values];
      if (value !== undefined) keys.set(metadata, value);
    }
  }
  return keys;
}

/** The Android SDK reads this metadata. The SDK of a vendor reads all other metadata, as the vendor documents it. */
const OWN_METADATA = 'dev.carillon.';

export const ICON_METADATA = 'dev.carillon.small_icon';
export const ICON_DRAWABLE = 'carillon_notification';

/** Firebase displays notifications itself while the app is in the background, with this icon. */
const FCM_ICON_METADATA = 'com.google.firebase.messaging.default_notification_icon';

/** Returns the name of a string resource: `dev.carillon.oppo.app_key` becomes `carillon_oppo_app_key`. */
const resourceName = (metadata: string): string => metadata.replace(/^dev\./, '').replaceAll('.', '_');

/**
 * Returns a file for `res/values` with the keys that the Android SDK reads. They are string resources, because Android
 * would turn a key of digits in the manifest into a number.
 */
export function keyResources(options: PluginOptions): string {
  const strings = [...vendorKeys(options)]
    .filter(([name]) => name.startsWith(OWN_METADATA))
    .map(
      ([name, value]) =>
        `  <string name="${resourceName(name)}" translatable="false">${escapeResource(value)}</string>\n`,
    );
  return `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${strings.join('')}</resources>\n`;
}

/** Quotes protect spaces and apostrophes in a string resource. */
const escapeResource = (value: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}"`;

interface MetaData {
  readonly $: {
    readonly 'android:name': string;
    readonly 'android:value'?: string;
    readonly 'android:resource'?: string;
  };
}

/** An `AndroidManifest.xml` as Expo parses it. */
export interface ParsedManifest {
  readonly manifest: { readonly application?: { 'meta-data'?: MetaData[] }[] };
}

/** Sets the metadata of the SDKs in the manifest, and removes that of the Android SDK from earlier options. */
export function setMetadata(parsed: ParsedManifest, options: PluginOptions): void {
  const application = parsed.manifest.application?.[0];
  if (!application) throw new Error('AndroidManifest.xml has no application.');
  const keys = vendorKeys(options);
  const drawable = `@drawable/${ICON_DRAWABLE}`;
  const others = (application['meta-data'] ?? []).filter(
    ({ $: { 'android:name': name, 'android:resource': resource } }) =>
      !name.startsWith(OWN_METADATA) && !keys.has(name) && !(name === FCM_ICON_METADATA && resource === drawable),
  );
  const keyMetadata = [...keys].map(([name, value]) => ({
    $: {
      'android:name': name,
      'android:value': name.startsWith(OWN_METADATA) ? `@string/${resourceName(name)}` : value,
    },
  }));
  const iconNames = options.icon === undefined ? [] : [ICON_METADATA];
  // Another plugin, such as that of expo-notifications, can have set it.
  const isFcmIconSet = others.some(({ $ }) => $['android:name'] === FCM_ICON_METADATA);
  if (options.icon !== undefined && options.vendors?.fcm && !isFcmIconSet) iconNames.push(FCM_ICON_METADATA);
  const icons = iconNames.map((name) => ({ $: { 'android:name': name, 'android:resource': drawable } }));
  application['meta-data'] = [...others, ...keyMetadata, ...icons];
}
