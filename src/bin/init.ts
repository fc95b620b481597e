import { parseArgs } from 'node:util';
import { makeAdminToken, makeApp } from '#src/api/create-app.ts';
import { isAppId } from '#src/contract/schemas/app-record.ts';
import { findApp, findApps } from '#src/storage/accounts/apps.ts';
import { CommandError, runCommand } from './command.ts';

const USAGE = `Makes the first app and its admin token:
  node src/bin/init.ts <app_id> [name]
Makes another admin token for an app, when all others are lost:
  node src/bin/init.ts --token-for <app_id>`;

/** Everything in its own app, and all that concerns the whole installation. */
const OPERATOR = ['*', 'platform'];

await runCommand(async ({ truth: { home }, keyring }) => {
  const { appId, name, tokenFor } = readArguments();
  if (tokenFor !== undefined) {
    if (!(await findApp(home, tokenFor))) throw new CommandError(`There is no open app ${tokenFor}.`);
    await tellToken(tokenFor);
    return;
  }
  if (appId === undefined || !isAppId(appId)) throw new CommandError(USAGE);
  const [first] = await findApps(home, 1);
  if (first)
    throw new CommandError(
      `There is an app already (${first.appId}), so nothing was done. Make more with /admin/app/create; if every token is lost: node src/bin/init.ts --token-for ${first.appId}`,
    );
  await makeApp(home, keyring, appId, name ?? appId);
  await tellToken(appId);

  async function tellToken(of: string): Promise<void> {
    const { token } = await makeAdminToken(home, { appId: of, name: 'operator', scopes: OPERATOR });
    process.stderr.write(`App ${of}. This is its admin token; it is not shown again:\n`);
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
