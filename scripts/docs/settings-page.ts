import { everySetting } from '#src/bin/settings.ts';
import { describeSettings } from '#src/foundation/settings.ts';

/** Returns `docs/reference/configuration.md`, generated from the declarations. */
export function settingsPage(): string {
  const titles = {
    process: 'All processes',
    storage: 'PostgreSQL',
    signals: 'NATS',
    seal: 'Secrets',
    api: 'Role api',
    gateway: 'Role gateway',
    worker: 'Role worker',
    vendors: 'Vendors (roles worker and api)',
    ceilings: 'Ceilings per app (all roles)',
  } as const satisfies Record<keyof typeof everySetting, string>;
  const groups = Object.fromEntries(
    Object.entries(everySetting).map(([name, schema]) => [titles[name as keyof typeof titles], schema]),
  );
  return `# Configuration

This page lists all settings of Carillon. Every process reads its settings from environment variables.

- **Secrets in files:** to read a value from a file, append \`_FILE\` to the name of the setting. Set this variable to the
  path of the file. Example: \`CARILLON_DATABASE_URL_FILE=/run/secrets/database-url\`
- **Unknown names:** a process logs \`unknown-setting\` for each variable that starts with \`CARILLON_\` and is not listed
  here. The variables of the command line, such as \`CARILLON_URL\`, are ignored.
- **Required settings:** a process does not start without a setting whose default is given as "required".

This page is generated from the code with \`npm run docs\`, and a test compares it with the code.

${describeSettings(groups)}`;
}
