import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { cliManifest, manifestOf, reactNativeManifest, sdkManifest, simulatorsManifest } from './manifests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export type PackageName = 'sdk' | 'cli' | 'simulators' | 'react-native';

/** The folder of each package in the repository. */
const folderOf = (name: PackageName): string => (name === 'react-native' ? 'sdks/react-native' : name);

/**
 * Builds each package in a subfolder of the given folder, and packs it with npm. Returns the paths of the packed files.
 * The previous content of the folder is deleted.
 */
export async function buildPackages(folder: string): Promise<Readonly<Record<PackageName, string>>> {
  await rm(folder, { recursive: true, force: true });
  const [sdk, simulators, cli, reactNative] = await Promise.all([
    compile('sdk', folder).then(() => pack('sdk', folder, sdkManifest)),
    compile('simulators', folder).then(() => pack('simulators', folder, simulatorsManifest)),
    bundleCli(join(folder, 'cli')).then((imports) => pack('cli', folder, cliManifest(imports))),
    buildReactNative(join(folder, 'react-native')).then(() => pack('react-native', folder, reactNativeManifest)),
  ]);
  return { sdk, simulators, cli, 'react-native': reactNative };
}

/** Compiles a folder that imports nothing outside it. The compiler also writes the declarations. */
const compile = (name: 'sdk' | 'simulators', folder: string): Promise<void> => runCompiler(name, join(folder, name));

async function runCompiler(folder: string, outDir: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, folder, 'tsconfig.json');
  await run(process.execPath, [tsc, '--project', project, '--outDir', outDir]).catch(reject);
}

/**
 * Bundles the package with the code that it shares with the SDK. The config plugin is CommonJS, because Expo loads it
 * with `require`.
 */
async function buildReactNative(folder: string): Promise<void> {
  const source = join(root, 'sdks/react-native');
  const bundle = async (input: string, file: string, format: 'esm' | 'cjs') => {
    const build = await rolldown({ cwd: source, input, platform: 'neutral', external: ['react-native', /^node:/] });
    await build.write({ file: join(folder, file), sourcemap: true, format });
  };
  await Promise.all([
    bundle('src/index.ts', 'lib/index.js', 'esm'),
    bundle('plugin/with-carillon.ts', 'plugin.js', 'cjs'),
    runCompiler('sdks/react-native', join(folder, 'lib/types')),
    ...[
      'app.plugin.js',
      'react-native.config.js',
      'android/build.gradle',
      'android/proguard.txt',
      'android/src/main',
    ].map((path) => cp(join(source, path), join(folder, path), { recursive: true })),
  ]);
  // Everything outside `lib` is CommonJS.
  await writeFile(join(folder, 'lib/package.json'), '{ "type": "module" }\n');
}

/**
 * Bundles the command with the modules that it uses of the service. Each module stays in a separate file at its path in
 * the repository, so that paths relative to a module are the same. Returns the packages that the bundle imports.
 */
async function bundleCli(folder: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: ['cli/carillon.ts', 'simulators/main.ts'],
    platform: 'node',
    external: (id) => /^[@a-z]/.test(id),
  });
  const { output } = await bundle.write({
    dir: folder,
    sourcemap: true,
    preserveModules: true,
    preserveModulesRoot: root,
    entryFileNames: '[name].js',
  });
  await cp(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : []));
}

async function pack(name: PackageName, folder: string, manifest: object): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory, { recursive: true });
  await Promise.all([
    writeFile(
      join(directory, 'package.json'),
      `${JSON.stringify(manifestOf(name, folderOf(name), manifest), null, 2)}\n`,
    ),
    copyFile(join(root, 'LICENSE'), join(directory, 'LICENSE')),
    copyFile(join(root, folderOf(name), 'README.md'), join(directory, 'README.md')),
  ]);
  const { stdout } = await run('npm', ['pack', directory, '--pack-destination', folder, '--json']).catch(reject);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Reports what a failed command has printed. The compiler prints its errors to standard output. */
function reject(error: Error & { stdout?: string; stderr?: string }): never {
  throw new Error(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error });
}
