import { readFileSync } from 'node:fs';

interface RootManifest {
  readonly version: string;
  readonly license: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const { version, license, repository, engines, dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as RootManifest;

/** Returns the whole package.json of a package. All packages have the version of the service. */
export const manifestOf = (name: string, directory: string, fields: object) => ({
  name: `@carillon/${name}`,
  version,
  // npm refuses to publish a private package. Remove this line for the first release, when the repository is public.
  private: true,
  license,
  repository: { ...repository, directory },
  type: 'module',
  ...fields,
});

const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });

export const sdkManifest = {
  description: 'A client of Carillon, the self-hosted push platform, for Node.js, browsers and React Native.',
  engines: { node: '>=22.12' },
  exports: { '.': entry('index'), './device': entry('device/index'), './package.json': './package.json' },
  types: './index.d.ts',
  sideEffects: false,
  peerDependencies: { mqtt: `^${devDependencies.mqtt}` },
  peerDependenciesMeta: { mqtt: { optional: true } },
};

export const simulatorsManifest = {
  description: 'Simulators of the push services that Carillon, the self-hosted push platform, sends to.',
  engines,
  bin: { 'carillon-simulators': './main.js' },
  exports: { '.': entry('index'), './package.json': './package.json' },
  types: './index.d.ts',
  dependencies: exactVersions(['node-forge']),
};

export const reactNativeManifest = {
  description: 'The Android SDK of Carillon, the self-hosted push platform, for React Native and Expo.',
  // The config plugin and the configuration for React Native are CommonJS. `lib` has its own type.
  type: 'commonjs',
  main: './lib/index.js',
  types: './lib/types/sdks/react-native/src/index.d.ts',
  exports: {
    '.': { types: './lib/types/sdks/react-native/src/index.d.ts', default: './lib/index.js' },
    './app.plugin': './app.plugin.js',
    './app.plugin.js': './app.plugin.js',
    './react-native.config.js': './react-native.config.js',
    './package.json': './package.json',
  },
  sideEffects: false,
  // Kotlin 2.1, which React Native 0.80 introduced, reads the metadata of Kotlin 2.2 in the Android SDK. Kotlin 2.0 does not.
  peerDependencies: { expo: '*', 'react-native': '>=0.80' },
  peerDependenciesMeta: { expo: { optional: true } },
};

/** `imports` are the module names that the bundle imports, such as `pg`, `typebox/value` and `node:fs`. */
export const cliManifest = (imports: readonly string[]) => ({
  description: 'The command line of Carillon, the self-hosted push platform.',
  engines,
  bin: { carillon: './cli/carillon.js' },
  exports: { './package.json': './package.json' },
  dependencies: exactVersions(imports),
});

/** Returns the packages among the imported modules with the versions that the service is tested with. */
function exactVersions(imports: readonly string[]): Record<string, string> {
  const packages = Object.keys(dependencies).filter((name) =>
    imports.some((module) => module === name || module.startsWith(`${name}/`)),
  );
  return Object.fromEntries(packages.map((name) => [name, dependencies[name] as string]));
}
