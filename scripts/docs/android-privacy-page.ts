import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The hand-written part of a list: `src/main/privacy.json` of an artifact. */
interface Privacy {
  readonly data: readonly { data: string; read: string; purpose: string; receiver: string }[];
  readonly endpoints: readonly { address: string; purpose: string }[];
  /** By the name of a permission or component, of the artifact or of a library that it brings along. */
  readonly reasons: Readonly<Record<string, string>>;
}

interface Declaration {
  readonly kind: 'permission' | 'component';
  readonly name: string;
  /** The element and its access, such as `service, exported`. */
  readonly type: string;
}

export interface AndroidArtifact {
  readonly module: string;
  readonly minSdk: number;
  readonly declarations: readonly Declaration[];
  readonly privacy: Privacy | undefined;
  /** Measured by the build. */
  readonly sizes: Readonly<Record<string, number>> | undefined;
}

const element =
  /<(uses-permission(?:-sdk-23)?|permission|activity|activity-alias|service|receiver|provider)\s([^>]*?)\/?>/g;

const attributeOf = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];

/** Returns the permissions and components of a manifest. */
export function declarationsOf(manifest: string): readonly Declaration[] {
  const text = manifest.replace(/<!--[\s\S]*?-->/g, '');
  const permissions = new Set<string>();
  return [...text.matchAll(element)].flatMap(([, tag = '', attributes = '']): Declaration[] => {
    const name = attributeOf(attributes, 'android:name') ?? '';
    if (tag.includes('permission')) {
      if (permissions.has(name)) return [];
      permissions.add(name);
      return [{ kind: 'permission', name, type: tag === 'permission' ? 'defined and used' : 'used' }];
    }
    if (attributeOf(attributes, 'tools:node') === 'remove')
      return [{ kind: 'component', name, type: `${tag}, removed` }];
    const isExported = attributeOf(attributes, 'android:exported') === 'true';
    const permission = attributeOf(attributes, 'android:permission');
    const access = isExported ? (permission ? `exported, needs \`${permission}\`` : 'exported') : 'not exported';
    return [{ kind: 'component', name, type: `${tag}, ${access}` }];
  });
}

/** Returns the artifacts of the Android SDK: the folders with a manifest, `core` first. */
export function androidArtifacts(): readonly AndroidArtifact[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const json = <T>(path: string) => (existsSync(join(root, path)) ? (JSON.parse(read(path)) as T) : undefined);
  return globSync('sdks/android/*/src/main/AndroidManifest.xml', { cwd: root })
    .map((path) => {
      const folder = dirname(dirname(dirname(path)));
      const manifest = read(path);
      return {
        module: basename(folder),
        minSdk: Number(attributeOf(manifest, 'android:minSdkVersion')),
        declarations: declarationsOf(manifest),
        privacy: json<Privacy>(join(folder, 'src/main/privacy.json')),
        sizes: json<Record<string, number>>(join(folder, 'sizes.json')),
      };
    })
    .sort((a, b) => Number(b.module === 'core') - Number(a.module === 'core') || a.module.localeCompare(b.module));
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
};

const kilobytes = (bytes: number | undefined): string =>
  bytes === undefined ? 'not measured' : `${(bytes / 1000).toFixed(1)} kB`;

function section({ module, minSdk, declarations, privacy }: AndroidArtifact): string {
  const reasons = privacy?.reasons ?? {};
  const named = new Set(declarations.map(({ name }) => name));
  const rowsOf = (kind: Declaration['kind']) =>
    declarations.filter((row) => row.kind === kind).map(({ name, type }) => [`\`${name}\``, type, reasons[name] ?? '']);
  const brought = Object.entries(reasons).filter(([name]) => !named.has(name));
  const parts = [
    `## ${module}\n\nArtifact \`dev.carillon:carillon-android-${module}\`, for Android with API level ${minSdk} or newer.`,
    table(
      ['Data', 'Read', 'Purpose', 'Sent to'],
      (privacy?.data ?? []).map(({ data, read, purpose, receiver }) => [data, read, purpose, receiver]),
    ),
    table(
      ['Network endpoint', 'Purpose'],
      (privacy?.endpoints ?? []).map(({ address, purpose }) => [address, purpose]),
    ),
  ];
  if (rowsOf('permission').length > 0) parts.push(table(['Permission', 'Type', 'Reason'], rowsOf('permission')));
  if (rowsOf('component').length > 0) parts.push(table(['Component', 'Type', 'Reason'], rowsOf('component')));
  if (brought.length > 0) {
    parts.push(
      'Libraries of this artifact add these. Their dependencies can add more, which the merged manifest of your app shows.',
      table(
        ['Permission or component', 'Reason'],
        brought.map(([name, reason]) => [`\`${name}\``, reason]),
      ),
    );
  }
  return parts.join('\n\n');
}

/** Returns `docs/app/android-privacy.md`, generated from the manifests, `privacy.json` and `sizes.json` of each artifact. */
export function androidPrivacyPage(): string {
  const artifacts = androidArtifacts();
  const sizes = table(
    ['Artifact', 'AAR', 'classes.jar', 'dex', 'Method references', 'dex after R8, with dependencies'],
    artifacts.map(({ module, sizes }) => [
      module,
      kilobytes(sizes?.aarBytes),
      kilobytes(sizes?.classesBytes),
      kilobytes(sizes?.dexBytes),
      String(sizes?.methods ?? 'not measured'),
      kilobytes(sizes?.shrunkBytes),
    ]),
  );
  return `# Android SDK: data, permissions and size

This page lists the data, network endpoints, permissions and components of each artifact of the Android SDK. Use it for
your privacy policy, and with the [checklist for store reviews](android-store-review.md). \`npm run docs\` generates this
page from the manifests and from one list per artifact. Tests fail if an artifact has a permission or component that the
list lacks.

No artifact reads the IMEI, the Android ID, the OAID, the advertising ID, the MAC address, the location, contacts or the
list of installed apps. The SDK reads and sends nothing before your app calls \`Carillon.start\`. The vendors' own SDKs
read further data, which only their privacy statements list. Your server also sees the IP address of each connection.

${artifacts.map(section).join('\n\n')}

## Size

D8 measured the dex of each artifact alone, for API level 23. The build fails if a figure changes by more than 5 %. The
last column is what an artifact adds to an app that uses R8: the artifact, the core, and for fcm and unifiedpush also
the libraries that they need. The SDKs of the other vendors add to it.

${sizes}
`;
}
