import { parseArgs } from 'node:util';
import { createAdminToken, createApp } from '#src/api/create-app.ts';
import { isAppId } from '#src/contract/schemas/app-record.ts';
import { emailOf } from '#src/domain/login-name.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { findApp, findApps } from '#src/storage/accounts/apps.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findOperatorByEmail, insertOperator, type NewOperator } from '#src/storage/operators/operators.ts';
import { auditCommand } from './audit-command.ts';
import { CommandError, runCommand } from './command.ts';
import { readNewPassword } from './operator-password-input.ts';

const USAGE = `Create the first app and its admin token:
  node src/bin/init.ts <app_id> [name]
Create another admin token for an app if all others are lost:
  node src/bin/init.ts --token-for <app_id>
Create a platform operator for the console, with the first app or without it:
  node src/bin/init.ts [<app_id> [name]] --operator-email <email> [--operator-name <name>]
The password of the operator is read from a prompt, or from the file in CARILLON_OPERATOR_PASSWORD_FILE.`;

/** `*` grants full access to the token's app. `platform` grants access to operations on the whole installation. */
const OPERATOR_SCOPES = ['*', 'platform'];

await runCommand(async ({ storage: { home }, keyrings }) => {
  const { appId, name, tokenFor, operatorEmail, operatorName } = readArguments();
  if (tokenFor !== undefined) {
    if (!(await findApp(home, tokenFor))) throw new CommandError(`App ${tokenFor} does not exist or is disabled.`);
    await auditCommand(home, 'init', { appId: tokenFor, token_for: tokenFor });
    await createAndPrintToken(tokenFor);
    return;
  }
  const operator =
    operatorEmail === undefined ? undefined : await prepareOperator(home, operatorEmail, operatorName ?? operatorEmail);
  if (appId === undefined && operator) {
    await createOperator(home, operator);
    return;
  }
  if (appId === undefined || !isAppId(appId)) throw new CommandError(USAGE);
  const [existingApp] = await findApps(home, 1);
  if (existingApp)
    throw new CommandError(
      `The installation already has an app (${existingApp.appId}). Nothing was changed. Create more apps with /admin/app/create. If all admin tokens are lost, run: node src/bin/init.ts --token-for ${existingApp.appId}`,
    );
  await createApp(home, keyrings.apps, appId, name ?? appId);
  // After the app is created, because the entry refers to the app.
  await auditCommand(home, 'init', { appId, name: name ?? appId });
  if (operator) await createOperator(home, operator);
  await createAndPrintToken(appId);

  async function createAndPrintToken(tokenAppId: string): Promise<void> {
    const { token } = await createAdminToken(home, { appId: tokenAppId, name: 'operator', scopes: OPERATOR_SCOPES });
    process.stderr.write(`Admin token of app ${tokenAppId}. It is not shown again:\n`);
    process.stdout.write(`${token}\n`);
  }
});

/** Checks the email address and reads the password before anything is created. */
async function prepareOperator(home: HomeDb, text: string, name: string): Promise<NewOperator> {
  const email = emailOf(text);
  if (email === undefined) throw new CommandError(`--operator-email must be an email address, not ${text}.`);
  if (await findOperatorByEmail(home, email))
    throw new CommandError(
      `Operator ${email} already exists. Nothing was changed. To set a new password, run: node src/bin/operator-password.ts ${email}`,
    );
  const passwordHash = await hashPassword(await readNewPassword([email, name]));
  return { email, name, passwordHash, isPlatform: true };
}

async function createOperator(home: HomeDb, operator: NewOperator): Promise<void> {
  await auditCommand(home, 'init', { appId: null, email: operator.email, is_platform: true });
  if ((await insertOperator(home, operator)) === undefined)
    throw new CommandError(`Operator ${operator.email} already exists.`);
  process.stderr.write(
    `Platform operator ${operator.email} was created. Open /console/ at the URL of the API, and sign in.\n`,
  );
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        'token-for': { type: 'string' },
        'operator-email': { type: 'string' },
        'operator-name': { type: 'string' },
      },
      allowPositionals: true,
    });
    const [appId, name] = positionals;
    const { 'token-for': tokenFor, 'operator-email': operatorEmail, 'operator-name': operatorName } = values;
    return { appId, name, tokenFor, operatorEmail, operatorName };
  } catch {
    throw new CommandError(USAGE);
  }
}
