import { parseArgs } from 'node:util';
import { createAdminToken, createApp } from '#src/api/create-app.ts';
import { isAppId } from '#src/contract/schemas/app-record.ts';
import { findApp, findApps } from '#src/storage/accounts/apps.ts';
import { CommandError, runCommand } from './command.ts';

const USAGE = `Makes the first app and its admin token:
  node src/bin/init.ts <app_id> [name]
Makes another admin token for an app, when all others are lost:
  node src/bin/init.ts --token-for <app_id>`;

/** Full access to the app of the token, and to the operations for the whole installation. */
const OPERATOR_SCOPES = ['*', 'platform'];

await runCommand(async ({ storage: { home }, keyring }) => {
  const { appId, name, tokenFor } = readArguments();
  if (tokenFor !== undefined) {
    if (!(await findApp(home, tokenFor))) throw new CommandError(`There is no open app ${tokenFor}.`);
    await createAndPrintToken(tokenFor);
    return;
  }
  if (appId === undefined || !isAppId(appId)) throw new CommandError(USAGE);
  const [existingApp] = await findApps(home, 1);
  if (existingApp)
    throw new CommandError(
      `There is an app already (${existingApp.appId}), so nothing was done. Make more with /admin/app/create; if every token is lost: node src/bin/init.ts --token-for ${existingApp.appId}`,
    );
  await createApp(home, keyring, appId, name ?? appId);
  await createAndPrintToken(appId);

  async function createAndPrintToken(tokenAppId: string): Promise<void> {
    const { token } = await createAdminToken(home, { appId: tokenAppId, name: 'operator', scopes: OPERATOR_SCOPES });
    process.stderr.write(`App ${tokenAppId}. This is its admin token; it is not shown again:\n`);
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
