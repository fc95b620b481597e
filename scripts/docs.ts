import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { androidPrivacyPage, chineseAndroidPrivacyPage } from './docs/android-privacy-page.ts';
import { dashboardFiles } from './docs/dashboards/all-dashboards.ts';
import { licencesPage } from './docs/licences-page.ts';
import { metricsPage } from './docs/metrics-page.ts';
import { mqttSchemaPage } from './docs/mqtt-schema-page.ts';
import { openApiPage } from './docs/openapi-page.ts';
import { referencePages } from './docs/reference-pages.ts';
import { settingsPage } from './docs/settings-page.ts';
import { vendorReferencePages } from './docs/vendor-page.ts';
import { sdkFiles } from './sdk/sdk-files.ts';

// `npm run docs` writes all generated files: pages, dashboards and parts of the SDK. `npm run docs -- --check` only
// reports whether they are up to date.

/** Generators by file. A generator receives the current content, because some pages are mostly written by hand. */
const pages: Record<string, (current: string) => string> = {
  'docs/reference/configuration.md': settingsPage,
  'docs/reference/metrics.md': metricsPage,
  'docs/internals/licences.md': licencesPage,
  'docs/app/android-privacy.md': androidPrivacyPage,
  'docs/zh/app/android-privacy.md': chineseAndroidPrivacyPage,
  'docs/openapi.json': openApiPage,
  'docs/mqtt.schema.json': mqttSchemaPage,
  ...Object.fromEntries(Object.entries(referencePages()).map(([path, text]) => [path, () => text])),
  ...Object.fromEntries(Object.entries(dashboardFiles).map(([path, text]) => [path, () => text])),
  ...Object.fromEntries(Object.entries(sdkFiles()).map(([path, text]) => [path, () => text])),
  ...vendorReferencePages,
};

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [path, write] of Object.entries(pages)) {
  const file = new URL(`../${path}`, import.meta.url);
  const current = await readFile(file, 'utf8').catch(() => '');
  const text = write(current);
  if (current === text) continue;
  if (values.check) {
    console.error(`${path} differs from the code: run \`npm run docs\`.`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`${path} written`);
  }
}
