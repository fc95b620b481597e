import { everySetting } from '#src/bin/settings.ts';
import { describeSettings } from '#src/foundation/settings.ts';

/** Returns `docs/settings.md`, generated from the declarations. */
export function settingsPage(): string {
  const titles = {
    process: 'Every process',
    storage: 'PostgreSQL',
    signals: 'NATS',
    seal: 'Secrets',
    api: 'Role api',
    gateway: 'Role gateway',
    worker: 'Role worker',
    vendors: 'Vendors (roles worker and api)',
  } as const satisfies Record<keyof typeof everySetting, string>;
  const groups = Object.fromEntries(
    Object.entries(everySetting).map(([name, schema]) => [titles[name as keyof typeof titles], schema]),
  );
  return `# Settings

Every process reads its settings from the environment. Behind each name \`_FILE\` may be written: then the value is read
from that file, which is how secrets should come in. A name that begins with \`CARILLON_\` and is not listed here is logged
as \`unknown-setting\`. This page is made by \`npm run docs\`; a test holds it equal to the code.

${describeSettings(groups)}`;
}
