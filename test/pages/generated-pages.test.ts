import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { routes } from '#src/api/routes.ts';
import { providerByVendor, vendorNames } from '#src/domain/channel.ts';
import { problems } from '#src/domain/problem.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { dashboardFiles } from '../../scripts/docs/dashboards/all-dashboards.ts';
import { licencesPage } from '../../scripts/docs/licences-page.ts';
import { metricsPage } from '../../scripts/docs/metrics-page.ts';
import { openApiPage } from '../../scripts/docs/openapi-page.ts';
import { referencePages } from '../../scripts/docs/reference-pages.ts';
import { settingsPage } from '../../scripts/docs/settings-page.ts';
import { vendorGuidePath, vendorReferencePages } from '../../scripts/docs/vendor-page.ts';
import { sdkFiles } from '../../scripts/sdk/sdk-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('generated documents', () => {
  test('docs/reference/configuration.md matches the declarations', () => {
    assert.equal(read('docs/reference/configuration.md'), settingsPage(), 'run `npm run docs`');
  });

  test('docs/reference/metrics.md matches the declarations', () => {
    assert.equal(read('docs/reference/metrics.md'), metricsPage(), 'run `npm run docs`');
  });

  test('docs/internals/licences.md matches the lockfile', () => {
    assert.equal(read('docs/internals/licences.md'), licencesPage(), 'run `npm run docs`');
  });

  test('the dashboards match their descriptions', () => {
    assert.ok(Object.keys(dashboardFiles).length >= 2);
    for (const [path, text] of Object.entries(dashboardFiles)) assert.equal(read(path), text, 'run `npm run docs`');
  });

  test('docs/openapi.json matches the contract', () => {
    assert.equal(read('docs/openapi.json'), openApiPage(), 'run `npm run docs`');
  });

  test('docs/reference/http matches the contract', () => {
    for (const [path, text] of Object.entries(referencePages())) assert.equal(read(path), text, 'run `npm run docs`');
  });

  test('the generated part of the SDK matches the contract', () => {
    for (const [path, text] of Object.entries(sdkFiles())) assert.equal(read(path), text, 'run `npm run docs`');
  });

  test('the field tables in docs/reference/vendors match the code', () => {
    assert.equal(Object.keys(vendorReferencePages).length, vendorNames.length);
    for (const [path, withFieldTable] of Object.entries(vendorReferencePages)) {
      const page = read(path);
      assert.equal(page, withFieldTable(page), 'run `npm run docs`');
    }
  });

  test('docs/vendors/README.md has a row for every vendor, with its page and the number of tokens per request', () => {
    const rows = [...read('docs/vendors/README.md').matchAll(/^\| \[.+?\]\((\w+)\.md\) \|.*\| (\d+) \|$/gm)];
    const listed = rows.map(([, file, tokens]) => [`docs/vendors/${file}.md`, Number(tokens)]);
    const expectedRows = vendorNames.map((vendor) => [
      vendorGuidePath(vendor),
      vendorRegistry[vendor].limits.tokensPerRequest,
    ]);
    assert.deepEqual(listed.sort(), expectedRows.sort());
  });

  test('docs/vendors/credentials.md states the rate limit of every vendor and its unit', () => {
    const rows = [
      ...read('docs/vendors/credentials.md').matchAll(
        /^\| (\d+) [\w ]+ \| ([\d,]+|no limit) \| (devices|requests)\b/gm,
      ),
    ];
    const listed = rows.map(([, provider, count, of]) => `${provider} ${count?.replace(',', '')} ${of}`);
    const expectedRows = Object.values(vendorRegistry).map(
      ({ name, limits: { perSecond } }) =>
        `${providerByVendor[name]} ${perSecond?.count ?? 'no limit'} ${perSecond?.unit ?? 'devices'}`,
    );
    assert.deepEqual(listed.sort(), expectedRows.sort());
  });

  test('vendor pages name code that exists', () => {
    const named = Object.keys(vendorReferencePages).flatMap((path) => [
      ...read(path).matchAll(/`([\w'"\d]+)` in `(src\/[\w./-]+)`/g),
    ]);
    assert.ok(named.length >= 10, `only ${named.length} names were found`);
    const missing = named.filter(
      ([, name, file]) => !existsSync(join(root, file as string)) || !read(file as string).includes(name as string),
    );
    assert.deepEqual(
      missing.map(([all]) => all),
      [],
    );
  });

  test('docs/reference/errors.md lists every error with its code, status and text, and explains it', () => {
    const page = read('docs/reference/errors.md');
    const section =
      /^### Error (\d+): .+\n\n- \*\*HTTP status:\*\* (\d+)\n- \*\*Message:\*\* `(.+)`\n- \*\*Cause:\*\* ((?:.+\n)+?)- \*\*Action:\*\* ((?:.+\n)+)/gm;
    const sections = [...page.matchAll(section)];
    const listed = sections.map(([, code, status, text]) => `${code} ${status} ${text}`);
    const expectedSections = Object.values(problems).map(({ code, status, text }) => `${code} ${status} ${text}`);
    assert.deepEqual(listed.sort(), expectedSections.sort());
    for (const [heading, , , , cause, action] of sections)
      assert.ok((cause as string).length > 10 && (action as string).length > 10, heading);
    const rows = [...page.matchAll(/^\| \[(\d+)\]\(#error-\1-.+?\) \| (\d+) \| .+ \| .+ \|$/gm)];
    const expectedRows = Object.values(problems).map(({ code, status }) => `${code} ${status}`);
    assert.deepEqual(rows.map(([, code, status]) => `${code} ${status}`).sort(), expectedRows.sort());
  });

  test('docs/reference/http/README.md names every operation', () => {
    const page = read('docs/reference/http/README.md');
    const missing = routes.map(({ operation }) => operation.path).filter((path) => !page.includes(`\`${path}\``));
    assert.deepEqual(missing, []);
  });

  test('"follow one notification" in ARCHITECTURE.md names files that exist', () => {
    const filesIn = (text: string) => [...text.matchAll(/`((?:src|test|scripts|simulators|migrations)\/[\w./-]+)`/g)];
    const page = read('ARCHITECTURE.md');
    const section = page.split(/^## /m).find((part) => part.startsWith('Follow one notification')) ?? '';
    assert.ok(filesIn(section).length >= 10, `${filesIn(section).length} files are named`);
    const missing = filesIn(page)
      .map(([, file]) => file as string)
      .filter((file) => !existsSync(join(root, file)));
    assert.deepEqual(missing, []);
  });

  test('CONTRIBUTING.md lists the commands of CI', () => {
    const steps = [...read('.ci/run').matchAll(/^step '[^']+' (npm .+)$/gm)].map(([, command]) => command as string);
    assert.ok(steps.length >= 3);
    const contributing = read('CONTRIBUTING.md');
    assert.deepEqual(
      steps.filter((step) => !contributing.includes(`${step}\n`)),
      [],
    );
  });
});
