import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const base = ['domain', 'foundation'];
const stores = ['storage', 'signals'];

/**
 * The folders that each folder of src/ can import besides itself. The API, worker and gateway share only database rows
 * and NATS subjects.
 */
const mayImport: Record<string, readonly string[]> = {
  foundation: [],
  domain: ['foundation'],
  contract: base,
  storage: base,
  signals: base,
  vendors: ['signals', ...base],
  receipts: ['storage', ...base],
  gateway: ['contract', 'receipts', ...stores, ...base],
  worker: ['contract', 'vendors', ...stores, ...base],
  api: ['contract', 'vendors', 'receipts', ...stores, ...base],
  bin: ['api', 'gateway', 'worker', 'contract', 'vendors', 'receipts', ...stores, ...base],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

/** Modules of test/vendors that tests inside src/vendors may import. */
const vendorTestHelpers = /^test\/vendors\/(goldens\/[\w-]+|apns-test-certificates|apns-simulator)\.ts$/;

const IMPORT = /^\s*(?:import|export)\b(?:[^'";=]*?\bfrom)?\s+['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm;

/** Returns every import in the files of a folder: `from '…'`, `import '…'`, `import('…')`. */
function importsBelow(folder: string): Import[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap((file) => {
    const text = readFileSync(posix.join(root, file), 'utf8');
    return [...text.matchAll(IMPORT)].map((match) => ({ file, specifier: (match[1] ?? match[2]) as string }));
  });
}

/** Returns the files that each source file in src/ imports. Test files are excluded, because no file imports them. */
function importsOfFiles(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const sources = imports.filter(({ file }) => !file.endsWith('.test.ts'));
  const targetOf = ({ file, specifier }: Import) =>
    specifier.startsWith('#src/') ? specifier.slice(1) : posix.join(posix.dirname(file), specifier);
  return new Map(
    [...Map.groupBy(sources, ({ file }) => file)].map(([file, ofFile]) => [
      file,
      ofFile.filter(({ specifier }) => /^(#src\/|\.)/.test(specifier)).map(targetOf),
    ]),
  );
}

/** Returns one cycle, as `a → b → a`, for each import of a file that is already on the import path. */
function findCycles(importsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const visited = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file].join(' → '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const target of importsOf.get(file) ?? []) visit(target, [...path, file]);
  };
  for (const file of importsOf.keys()) visit(file, []);
  return cycles;
}

describe('imports between folders', () => {
  const imports = importsBelow('src');

  test('the source files contain imports', () => {
    assert.ok(imports.length > 100, `${imports.length} imports`);
  });

  test('every folder of src/ is in the table', () => {
    const folders = new Set(globSync('src/*', { cwd: root }).map((path) => posix.basename(path)));
    assert.deepEqual([...folders].sort(), Object.keys(mayImport).sort());
  });

  test('a folder imports only the folders that the table allows', () => {
    const wrong = imports.flatMap(({ file, specifier }) => {
      const from = file.split('/')[1] as string;
      const to = /^#src\/([^/]+)\//.exec(specifier)?.[1];
      return to && to !== from && !mayImport[from]?.includes(to) ? [`${file} imports ${specifier}`] : [];
    });
    assert.deepEqual(wrong, []);
  });

  test('imports within a folder are relative, and imports from other folders start with #src', () => {
    const wrong = imports.flatMap(({ file, specifier }) => {
      const folder = file.split('/').slice(0, 2).join('/');
      if (specifier.startsWith(`#${folder}/`)) return [`${file} imports its own folder as ${specifier}`];
      if (!specifier.startsWith('.')) return [];
      const target = posix.join(posix.dirname(file), specifier);
      // Vendor tests share golden requests and simulators with test/vendors.
      if (folder === 'src/vendors' && file.endsWith('.test.ts') && vendorTestHelpers.test(target)) return [];
      return target.startsWith(`${folder}/`) ? [] : [`${file} imports ${specifier}`];
    });
    assert.deepEqual(wrong, []);
  });

  test('no files in src/ import each other in a cycle, including type imports', () => {
    const importsOf = importsOfFiles(imports);
    assert.ok(importsOf.get('src/bin/all.ts')?.includes('src/bin/role.ts'));
    assert.deepEqual(findCycles(importsOf), []);
  });

  test('only storage uses PostgreSQL, only signals uses NATS, and only bin reads the environment', () => {
    const owners: [RegExp, string][] = [
      [/^(pg|node-pg-migrate)$/, 'storage'],
      [/^@nats-io\//, 'signals'],
      [/^fastify$/, 'api'],
      [/^mqtt-packet$/, 'gateway'],
    ];
    const wrong = imports.filter(({ file, specifier }) =>
      owners.some(([library, folder]) => library.test(specifier) && file.split('/')[1] !== folder),
    );
    assert.deepEqual(wrong, []);
    const readers = globSync('src/**/*.ts', { cwd: root }).filter(
      (file) => !file.startsWith('src/bin/') && readFileSync(posix.join(root, file), 'utf8').includes('process.env'),
    );
    assert.deepEqual(readers, []);
  });

  test('simulators import nothing from src/', () => {
    const simulators = importsBelow('simulators');
    assert.ok(simulators.length > 20);
    const wrong = simulators.filter(({ specifier }) => specifier.startsWith('#src') || specifier.includes('/src/'));
    assert.deepEqual(wrong, []);
  });

  test('sdk/ imports only mqtt, in its device client, and cli/ imports only the SDK and commander, because both run on other machines', () => {
    // `doctor` runs on a server: it checks PostgreSQL and NATS and reads the settings of the roles. No other command
    // loads its folder.
    const onServer = /^#src\/((storage|signals|foundation|domain)\/|bin\/settings\.ts$)/;
    const clients = [...importsBelow('sdk'), ...importsBelow('cli')];
    assert.ok(clients.length > 50, `${clients.length} imports`);
    const wrong = clients.filter(({ file, specifier }) => {
      if (/^@carillon\/sdk(\/device)?$/.test(specifier)) return file !== 'sdk/package.test.ts';
      if (file.startsWith('cli/doctor/server/') && onServer.test(specifier)) return false;
      if (file === 'cli/simulate.ts' && specifier.startsWith('../simulators/')) return false;
      if (specifier.startsWith('.')) {
        const target = posix.join(posix.dirname(file), specifier);
        return !target.startsWith('sdk/') && (file.startsWith('sdk/') || !target.startsWith('cli/'));
      }
      // Clients that only call the HTTP API do not load this file.
      if (file === 'sdk/src/device/connection.ts' && specifier === 'mqtt') return false;
      // The published files also run in browsers, so they must not use Node.js modules.
      if (file.startsWith('sdk/src/') && !file.endsWith('.test.ts')) return true;
      return !specifier.startsWith('node:') && !(file.startsWith('cli/') && specifier === 'commander');
    });
    assert.deepEqual(wrong, []);
  });

  test('the server checks of doctor are loaded only on demand', () => {
    const loaded = importsBelow('cli').filter(
      ({ file, specifier }) => specifier.includes('/server/') && !file.endsWith('.test.ts'),
    );
    assert.deepEqual(loaded, [{ file: 'cli/doctor/command.ts', specifier: './server/check-server.ts' }]);
    const text = readFileSync(posix.join(root, 'cli/doctor/command.ts'), 'utf8');
    assert.match(text, /await import\('\.\/server\/check-server\.ts'\)/);
  });

  test('only storage contains SQL', () => {
    const statement = /[`']\s*(select\s|insert into\s|update \w+\s+set\s|delete from\s|with \w+ as\b)/i;
    const wrong = globSync('src/**/*.ts', { cwd: root }).filter(
      (file) =>
        !file.startsWith('src/storage/') &&
        !file.endsWith('.test.ts') &&
        statement.test(readFileSync(posix.join(root, file), 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });
});

/** Maximum number of source files in a folder. In a larger folder, files are hard to find. */
const FILES_PER_FOLDER_MAX = 25;

test(`a folder of src/ has at most ${FILES_PER_FOLDER_MAX} source files`, () => {
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const tooLarge = [...Map.groupBy(sources, (file) => posix.dirname(file))].flatMap(([folder, files]) =>
    files.length > FILES_PER_FOLDER_MAX ? [`${folder} has ${files.length} files`] : [],
  );
  assert.deepEqual(tooLarge, []);
});
