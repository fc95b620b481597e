import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Type } from 'typebox';
import { requireStrongOperatorPassword } from '#src/api/operators/operator-fields.ts';
import { loadSettings, secret } from '#src/foundation/settings.ts';
import { CommandError } from './command.ts';

const CHARACTERS_MIN = 8;
const CHARACTERS_MAX = 256;

const passwordSettings = Type.Object({
  CARILLON_OPERATOR_PASSWORD: secret({ default: '', description: 'Password for an operator, read by commands.' }),
});

/**
 * Returns the new password of an operator, from `CARILLON_OPERATOR_PASSWORD`, from the file that
 * `CARILLON_OPERATOR_PASSWORD_FILE` names, or from a prompt. It is never an argument, because other users of the machine
 * can read arguments.
 */
export async function readNewPassword(names: readonly string[]): Promise<string> {
  const fromSettings = loadSettings({ password: passwordSettings }, process.env).password.CARILLON_OPERATOR_PASSWORD;
  const password = fromSettings === '' ? await promptTwice() : fromSettings;
  if (password.length < CHARACTERS_MIN || password.length > CHARACTERS_MAX)
    throw new CommandError(
      `The password has ${password.length} characters. Use ${CHARACTERS_MIN} to ${CHARACTERS_MAX} characters.`,
    );
  try {
    requireStrongOperatorPassword(password, names);
  } catch (cause) {
    throw new CommandError('The password is easy to guess. Choose a longer one, for example four random words.', {
      cause,
    });
  }
  return password;
}

async function promptTwice(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'The password is missing. Run the command in a terminal, or set CARILLON_OPERATOR_PASSWORD_FILE to a file with the password.',
    );
  const password = await promptSecret('New password: ');
  if ((await promptSecret('Repeat the password: ')) !== password)
    throw new CommandError('The two passwords differ. Run the command again.');
  return password;
}

/** Prompts for a secret, which is not shown while it is typed. */
async function promptSecret(question: string): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const keyboard = createInterface({ input: process.stdin, output: muted, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      keyboard.once('line', resolve);
      keyboard.once('SIGINT', () => reject(new CommandError('Interrupted.')));
      keyboard.once('close', () => reject(new CommandError('No password was entered.')));
    });
  } finally {
    process.stderr.write('\n');
    keyboard.close();
  }
}
