import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { productionPackages } from '../../scripts/docs/licences-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that git tracks or would track. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '');
const sources = files.filter((file) => /\.tsx?$/.test(file));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const LINES_MAX = 400;
/** Files that are allowed to be longer, each with the reason. */
const longFiles: Readonly<Record<string, string>> = {
  'sdk/src/generated/calls.ts': 'generated: one method for each operation',
  'sdk/src/generated/types.ts': 'generated from the contract',
  'sdk/src/generated/operations.ts': 'generated from the contract',
  'sdk/src/generated/wire.ts': 'generated from the contract',
};

const offenders = (test: (text: string, file: string) => boolean) => sources.filter((file) => test(read(file), file));

describe('rules for source files', () => {
  test('there are source files to check', () => {
    assert.ok(sources.length > 100, `${sources.length} files`);
  });

  test('no `any`', () => {
    assert.deepEqual(
      offenders((text) => /(?::|as|<|\|)\s*any\b(?!['`])/.test(withoutComments(text))),
      [],
    );
  });

  test('source files contain no default export and no enum', () => {
    assert.deepEqual(
      offenders((text) => /^export default\b|^\s*(?:export )?(?:const )?enum\b/m.test(text)),
      [],
    );
  });

  test(`no file has more than ${LINES_MAX} lines without a reason`, () => {
    assert.deepEqual(
      offenders((text, file) => text.split('\n').length > LINES_MAX && !(file in longFiles)),
      [],
    );
  });

  test('source files contain no TODO without an issue number, and no test.only', () => {
    // In quotes it is the name of a vendor's message class.
    const mark = new RegExp(`(?<!')\\b${'TO'}DO\\b(?!\\(#\\d+\\))|\\b(?:test|describe|it)\\.${'only'}\\b`);
    assert.deepEqual(
      offenders((text, file) => mark.test(text) && file !== 'test/tidy/source.test.ts'),
      [],
    );
  });

  test('files are named in kebab-case', () => {
    assert.deepEqual(
      sources.filter((file) => !file.split('/').every((part) => /^[a-z0-9.-]+$/.test(part))),
      [],
    );
  });

  test('the lockfile contains no download URL, and production packages have no install script', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string; hasInstallScript?: boolean; dev?: boolean; optional?: boolean }>;
    };
    const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
    assert.ok(entries.length > 50);
    assert.deepEqual(
      entries.filter(([, entry]) => entry.resolved !== undefined).map(([name]) => name),
      [],
    );
    assert.deepEqual(
      entries.filter(([, entry]) => entry.hasInstallScript && !entry.dev).map(([name]) => name),
      [],
    );
  });

  test('the licences of production packages allow use in closed-source products', () => {
    const free = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', '0BSD', 'Unlicense'];
    const packages = productionPackages();
    assert.ok(packages.length > 50);
    // One accepted licence of an OR expression is enough.
    const isFree = (licence: string) =>
      licence
        .replace(/[()]/g, '')
        .split(' OR ')
        .some((one) => free.includes(one));
    assert.deepEqual(
      packages.filter(({ licence }) => !isFree(licence)),
      [],
    );
  });

  test('the bill of materials lists exactly the production packages', () => {
    const printed = execFileSync(process.execPath, ['scripts/sbom.ts'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    const { components } = JSON.parse(printed.toString()) as { components: { name: string; version: string }[] };
    const named = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
    const shipped = new Set(productionPackages().map(named));
    assert.deepEqual([...new Set(components.map(named))].sort(), [...shipped].sort());
  });

  test('dependencies have exact versions', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}),
    );
    assert.ok(versions.length > 10);
    assert.deepEqual(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
      [],
    );
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'[^'\n]*'|`[^`]*`/g, "''");
}
