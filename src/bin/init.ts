import { parseArgs } from 'node:util';
import { createAdminToken, createApp } from '#src/api/create-app.ts';
import { isAppId } from '#src/contract/schemas/app-record.ts';
import { findApp, findApps } from '#src/storage/accounts/apps.ts';
import { CommandError, runCommand } from './command.ts';

const USAGE = `Create the first app and its admin token:
  node src/bin/init.ts <app_id> [name]
Create another admin token for an app if all others are lost:
  node src/bin/init.ts --token-for <app_id>`;

/** `*` grants full access to the token's app. `platform` grants access to operations on the whole installation. */
const OPERATOR_SCOPES = ['*', 'platform'];

await runCommand(async ({ storage: { home }, keyrings }) => {
  const { appId, name, tokenFor } = readArguments();
  if (tokenFor !== undefined) {
    if (!(await findApp(home, tokenFor))) throw new CommandError(`App ${tokenFor} does not exist or is disabled.`);
    await createAndPrintToken(tokenFor);
    return;
  }
  if (appId === undefined || !isAppId(appId)) throw new CommandError(USAGE);
  const [existingApp] = await findApps(home, 1);
  if (existingApp)
    throw new CommandError(
      `The installation already has an app (${existingApp.appId}). Nothing was changed. Create more apps with /admin/app/create. If all admin tokens are lost, run: node src/bin/init.ts --token-for ${existingApp.appId}`,
    );
  await createApp(home, keyrings.apps, appId, name ?? appId);
  await createAndPrintToken(appId);

  async function createAndPrintToken(tokenAppId: string): Promise<void> {
    const { token } = await createAdminToken(home, { appId: tokenAppId, name: 'operator', scopes: OPERATOR_SCOPES });
    process.stderr.write(`Admin token of app ${tokenAppId}. It is not shown again:\n`);
    process.stdout.write(`${token}\n`);
  }
});

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { 'token-for': { type: 'string' } }, allowPositionals: true });
    const [appId, name] = positionals;
    return { appId, name, tokenFor: values['token-for'] };
  } catch {
    throw new CommandError(USAGE);
  }
}
