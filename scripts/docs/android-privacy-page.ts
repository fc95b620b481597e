import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chinesePatterns, chineseTexts } from './android-privacy-zh.ts';

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

/** Returns a text of the page in its language. */
type Translate = (english: string) => string;

const inEnglish: Translate = (english) => english;

/** Throws an error if a text has no Chinese counterpart yet. */
export const inChinese: Translate = (english) => {
  const found = chineseTexts[english];
  if (found !== undefined) return found;
  const pattern = chinesePatterns.find(([expression]) => expression.test(english));
  if (!pattern) throw new Error(`Add "${english}" to scripts/docs/android-privacy-zh.ts.`);
  return english.replace(...pattern);
};

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
};

const kilobytes = (bytes: number | undefined, translate: Translate): string =>
  bytes === undefined ? translate('not measured') : `${(bytes / 1000).toFixed(1)} kB`;

/** Translates `service, exported, needs …` part by part. */
const typeOf = (type: string, translate: Translate): string =>
  translate === inEnglish
    ? type
    : type
        .split(', ')
        .map((part) => (part.startsWith('needs ') ? part.replace('needs ', '需要 ') : translate(part)))
        .join('，');

function section({ module, minSdk, declarations, privacy }: AndroidArtifact, translate: Translate): string {
  const reasons = privacy?.reasons ?? {};
  const named = new Set(declarations.map(({ name }) => name));
  const translated = (text: string | undefined) => (text === undefined ? '' : translate(text));
  const heads = (...texts: string[]) => texts.map(translate);
  const rowsOf = (kind: Declaration['kind']) =>
    declarations
      .filter((row) => row.kind === kind)
      .map(({ name, type }) => [`\`${name}\``, typeOf(type, translate), translated(reasons[name])]);
  const brought = Object.entries(reasons).filter(([name]) => !named.has(name));
  const artifact = `\`dev.carillon:carillon-android-${module}\``;
  const parts = [
    `## ${module}`,
    translate === inEnglish
      ? `Artifact ${artifact}, for Android with API level ${minSdk} or newer.`
      : `制品 ${artifact}，需要 Android API 级别 ${minSdk} 或更高。`,
    table(
      heads('Data', 'Read', 'Purpose', 'Sent to'),
      (privacy?.data ?? []).map(({ data, read, purpose, receiver }) => heads(data, read, purpose, receiver)),
    ),
    table(
      heads('Network endpoint', 'Purpose'),
      (privacy?.endpoints ?? []).map(({ address, purpose }) => heads(address, purpose)),
    ),
  ];
  if (rowsOf('permission').length > 0) parts.push(table(heads('Permission', 'Type', 'Reason'), rowsOf('permission')));
  if (rowsOf('component').length > 0) parts.push(table(heads('Component', 'Type', 'Reason'), rowsOf('component')));
  if (brought.length > 0) {
    parts.push(
      translate(
        'Libraries of this artifact add these. Their dependencies can add more, which the merged manifest of your app shows.',
      ),
      table(
        heads('Permission or component', 'Reason'),
        brought.map(([name, reason]) => [`\`${name}\``, translate(reason)]),
      ),
    );
  }
  return parts.join('\n\n');
}

const sizeTable = (artifacts: readonly AndroidArtifact[], translate: Translate): string =>
  table(
    [
      translate('Artifact'),
      'AAR',
      'classes.jar',
      'dex',
      translate('Method references'),
      translate('dex after R8, with dependencies'),
    ],
    artifacts.map(({ module, sizes }) => [
      module,
      kilobytes(sizes?.aarBytes, translate),
      kilobytes(sizes?.classesBytes, translate),
      kilobytes(sizes?.dexBytes, translate),
      String(sizes?.methods ?? translate('not measured')),
      kilobytes(sizes?.shrunkBytes, translate),
    ]),
  );

const sections = (artifacts: readonly AndroidArtifact[], translate: Translate): string =>
  artifacts.map((artifact) => section(artifact, translate)).join('\n\n');

/** Returns `docs/app/android-privacy.md`, generated from the manifests, `privacy.json` and `sizes.json` of each artifact. */
export function androidPrivacyPage(): string {
  const artifacts = androidArtifacts();
  return `# Android SDK: data, permissions and size

This page lists the data, network endpoints, permissions and components of each artifact of the Android SDK. Use it for
your privacy policy, and with the [checklist for store reviews](android-store-review.md). \`npm run docs\` generates this
page from the manifests and from one list per artifact. Tests fail if an artifact has a permission or component that the
list lacks.

[中文](../zh/app/android-privacy.md)

No artifact reads the IMEI, the Android ID, the OAID, the advertising ID, the MAC address, the location, contacts or the
list of installed apps. The SDK reads and sends nothing before your app calls \`Carillon.start\`. The vendors' own SDKs
read further data, which only their privacy statements list. Your server also sees the IP address of each connection.

${sections(artifacts, inEnglish)}

## Size

D8 measured the dex of each artifact alone, for API level 23. The build fails if a figure changes by more than 5 %. The
last column is what an artifact adds to an app that uses R8: the artifact, the core, and for fcm and unifiedpush also
the libraries that they need. The SDKs of the other vendors add to it.

${sizeTable(artifacts, inEnglish)}
`;
}

/** Returns `docs/zh/app/android-privacy.md`, generated from the same files. */
export function chineseAndroidPrivacyPage(): string {
  const artifacts = androidArtifacts();
  return `# Android SDK 的数据、权限、组件与体积

[English](../../app/android-privacy.md)

本文列出 Android SDK 各制品涉及的数据、网络地址、权限和组件，可用于编写隐私政策，并与
[应用上架审核清单](android-store-review.md)配合使用。本文由 \`npm run docs\` 根据各制品的清单文件和说明列表生成。
如果某个权限或组件缺少说明，测试会失败。

任何制品都不读取 IMEI、Android ID、OAID、广告 ID、MAC 地址、位置、通讯录和已安装应用列表。应用调用 \`Carillon.start\`
之前，SDK 不读取也不发送任何数据。厂商的 SDK 还会读取其他数据，具体内容以其隐私声明为准。
每次连接时，你的服务器还能看到手机的 IP 地址。

${sections(artifacts, inChinese)}

## 体积

dex 由 D8 按 API 级别 23 单独测量。任何一项变化超过 5% 时，构建会失败。最后一列是制品使应用增加的体积（应用启用 R8）：
包含该制品和 core，fcm 和 unifiedpush 还包含它们依赖的库。其他厂商的 SDK 需另行计算。

${sizeTable(artifacts, inChinese)}
`;
}
