import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type Operation, operations } from '../sdk/src/index.ts';
import { flagOf, toOption } from './field-options.ts';
import { runOperation } from './run-operation.ts';
import { verifyLedger } from './verify-ledger.ts';

/** What the words before the last are about. A test holds it to the operations that there are. */
export const topics: Readonly<Record<string, string>> = {
  push: 'Notify, and ask what became of it',
  user: 'People',
  group: 'Groups and their members',
  device: 'Devices, their tags, alias and vendor tokens',
  token: 'Log in and out; admin tokens',
  certificate: 'Credentials at providers',
  channel: 'How it stands with providers',
  app: 'The app and its settings',
  audit: 'Who did what',
  ledger: 'Whether everything was counted as it should be',
  'push task': 'What became of notifications',
};

/** The words of the command for an operation: `/admin/user/create` is `user create`. */
export const wordsOf = ({ path }: Operation): string[] =>
  path
    .slice(1)
    .split('/')
    .filter((word) => word !== 'admin');

export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const program = new Command('carillon')
    .description('Operates Carillon, the self-hosted push platform: every operation of its interface is a command.')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help; also after a command')
    .helpCommand('help [command]', 'Show help of a command')
    .exitOverride()
    .showHelpAfterError('Add --help to see what there is.')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addOption(new Option('--url <url>', 'Where the service is').env('CARILLON_URL'))
    .addOption(new Option('--app <id>', 'The app').env('CARILLON_APP_ID'))
    .addOption(new Option('--token <token>', 'Access token, or an admin token').env('CARILLON_ADMIN_TOKEN'))
    .addOption(new Option('--as-user <id>', 'With an admin token: on behalf of this user').conflicts('asGroup'))
    .addOption(new Option('--as-group <id>', 'With an admin token: as an admin of this group'))
    .addOption(new Option('--output <format>', 'How answers are printed').choices(['text', 'json']).default('text'))
    .addHelpText('after', HELP);
  // In this order; topics within a topic stand where their first operation does.
  for (const topic of Object.keys(topics)) if (!topic.includes(' ')) topicAt(program, [topic]);
  for (const operation of Object.values(operations)) {
    const words = wordsOf(operation);
    addOperation(topicAt(program, words.slice(0, -1)), words.at(-1) as string, operation);
  }
  addOperation(program, 'login', operations['/token/login']);
  return program;
}

const HELP = `
Values:
  @path stands for what is in a file, @- for standard input, so that no secret
  has to be on the command line; \\@ begins a text with @. Lists: repeat the
  option, or give several values. --password without a value asks for it.

Exit codes:
  0 done, 1 refused (its code and message are on standard error) or, of
  "ledger verify", broken, 2 wrong usage, 3 unreachable

Examples:
  carillon user create --name ada --password
  carillon push notify --audience '{"user_id":[42]}' --message '{"title":"Hello"}'
  carillon push notify --json @notification.json --as-group 7
  carillon push task detail --list 115258093993985
  carillon certificate save --provider 1 --name APNs --certificate @key.p12 --app-secret @passphrase
  carillon device list --as-user 42 --output json`;

/** The command of a topic, made when it is first asked for. */
function topicAt(program: Command, words: readonly string[]): Command {
  const name = words.at(-1);
  if (name === undefined) return program;
  const parent = topicAt(program, words.slice(0, -1));
  const known = parent.commands.find((command) => command.name() === name);
  return (
    known ??
    parent
      .command(name)
      .description(topics[words.join(' ')] ?? '')
      .usage('<command> [options]')
      .helpCommand(false)
  );
}

function addOperation(parent: Command, name: string, operation: Operation): void {
  const options = operation.fields.map((field) => ({ field, option: toOption(operation, field) }));
  const command = parent
    .command(name)
    .summary(operation.summary)
    .description(operation.description)
    .usage('[options]')
    .configureHelp({ ...parent.configureHelp(), showGlobalOptions: true })
    .addHelpText('after', ({ command: shown }) => describeInside(shown, operation))
    .action(async (given: Record<string, unknown>, self: Command) => {
      await (runners[operation.path] ?? runOperation)(operation, options, given, self.optsWithGlobals());
    });
  for (const { option } of options) command.addOption(option);
  if (options.length > 0)
    command.addOption(new Option('--json <json>', 'The whole request; options beside it take precedence.'));
}

/** Commands that are more than one call. */
const runners: Readonly<Record<string, typeof runOperation>> = { '/admin/ledger/verify': verifyLedger };

/** What objects have inside, which no option says. */
function describeInside(command: Command, operation: Operation): string {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  return operation.fields
    .filter((field) => field.fields)
    .map((field) => {
      const inside = field.fields ?? [];
      const width = Math.max(...inside.map(({ name }) => name.length));
      const lines = inside.map(({ name, description }) => help.formatItem(name, width, description, help));
      return `\nInside ${flagOf(operation, field)}:\n${lines.join('\n')}`;
    })
    .join('\n');
}
