import { hashPassword } from '#src/foundation/threads/password.ts';
import { findOperatorByEmail, setOperatorDisabled, updateOperator } from '#src/storage/operators/operators.ts';
import { auditCommand } from './audit-command.ts';
import { CommandError, runStorageCommand } from './command.ts';
import { readNewPassword } from './operator-password-input.ts';

const USAGE = `Set a new password for an operator who cannot sign in, and enable the operator:
  node src/bin/operator-password.ts <email>`;

await runStorageCommand(
  () => undefined,
  async ({ home }) => {
    const [email, ...rest] = process.argv.slice(2);
    if (email === undefined || email.startsWith('-') || rest.length > 0) throw new CommandError(USAGE);
    const operator = await findOperatorByEmail(home, email);
    if (!operator)
      throw new CommandError(
        `No operator has the email address ${email}. Create one with: node src/bin/init.ts --operator-email ${email}`,
      );
    if (operator.oidcIssuer !== null)
      throw new CommandError(`${email} signs in with OpenID Connect. Reset the password at the identity provider.`);
    const password = await readNewPassword([operator.email, operator.name]);
    await auditCommand(home, 'operator-password', {
      appId: null,
      operator_id: operator.operatorId,
      password_changed: true,
    });
    await updateOperator(home, operator.operatorId, { passwordHash: await hashPassword(password) });
    await setOperatorDisabled(home, operator.operatorId, false);
    process.stderr.write(`${operator.email} has a new password, and all sessions of the operator have ended.\n`);
  },
);
