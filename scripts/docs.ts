import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { mqttSchemaPage } from './docs/mqtt-schema-page.ts';
import { openApiPage } from './docs/openapi-page.ts';
import { settingsPage } from './docs/settings-page.ts';
import { sdkFiles } from './sdk/sdk-files.ts';

// `npm run docs` writes what is made from the code: pages, and a part of the SDK. `npm run docs -- --check` only says
// whether it is right.

const pages = {
  'docs/settings.md': settingsPage(),
  'docs/openapi.json': openApiPage(),
  'docs/mqtt.schema.json': mqttSchemaPage(),
  ...sdkFiles(),
};

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [path, text] of Object.entries(pages)) {
  const file = new URL(`../${path}`, import.meta.url);
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present === text) continue;
  if (values.check) {
    console.error(`${path} differs from the code: run \`npm run docs\`.`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`${path} written`);
  }
}
