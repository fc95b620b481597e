import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type Operation, operations } from '../sdk/src/index.ts';
import { addCompletion } from './completion/completion.ts';
import { addDoctor } from './doctor/command.ts';
import { addOperation } from './operation-command.ts';
import { addProbe } from './probe/command.ts';
import { addSend } from './send/command.ts';
import { addSimulate } from './simulate.ts';
import { addWatch } from './watch/command.ts';

/** Descriptions of the topics, which are the first words of commands. A test checks them against the operations. */
export const topics: Readonly<Record<string, string>> = {
  push: 'Send notifications or check what they would reach',
  draft: 'Create, approve and reject drafts of notifications',
  task: 'Query, watch, cancel and retry push tasks',
  statistics: 'Query counters by day and channel',
  user: 'Manage users',
  group: 'Manage groups and their members',
  device: 'Manage devices, tags, aliases and vendor tokens',
  token: 'Log in and out; manage admin tokens',
  certificate: 'Manage vendor credentials',
  channel: 'Show the status of vendor channels, and resume them',
  app: 'Manage the app and its settings',
  audit: 'Read and verify the audit log',
  ledger: 'Verify the counters in the ledger',
  operator: 'Manage the operators of the console',
};

/**
 * Returns the words of the command for an operation: `user create` for `/admin/user/create`, `task list` for
 * `/push/task/list`. `user password` is the command for `/admin/user/password`, and `find` for `/admin/lookup`.
 */
export const wordsOf = ({ path }: Operation): string[] =>
  path
    .replace(/^\/user\/password$/, '/user/change-password')
    .replace(/^\/admin\/lookup$/, '/find')
    .replace(/^\/(admin|push(?=\/(?:task|draft|statistics)\/))/, '')
    .replace(/^\/operator\/role\/set$/, '/operator/role')
    .slice(1)
    .split('/');

/** Operations of a browser session, which has a cookie. They are not commands. */
export const isForBrowsers = ({ path, access }: Operation): boolean =>
  access === 'session' || /^\/operator\/(login|methods)$/.test(path);

export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const program = new Command('carillon')
    .description('Command line of Carillon, the self-hosted push platform. Every API operation is a command.')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help for the program or a command')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
    .showHelpAfterError('Add --help to list commands and options.')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addOption(new Option('--url <url>', 'URL of the service').env('CARILLON_URL'))
    .addOption(new Option('--app <id>', 'App ID').env('CARILLON_APP_ID'))
    .addOption(new Option('--token <token>', 'Access token or admin token').env('CARILLON_ADMIN_TOKEN'))
    .addOption(
      new Option('--as-user <id>', 'Act on behalf of this user (requires an admin token)').conflicts('asGroup'),
    )
    .addOption(new Option('--as-group <id>', 'Act as an admin of this group (requires an admin token)'))
    .addOption(new Option('--json', 'Print JSON'))
    .addHelpText('after', HELP);
  for (const topic of Object.keys(topics)) addTopic(program, topic);
  // The most frequently used commands come first in the help.
  addSend(topicOf(program, 'push'));
  addWatch(topicOf(program, 'task'));
  for (const operation of Object.values(operations).filter((one) => !isForBrowsers(one))) {
    const [topic, name] = wordsOf(operation) as [string, string?];
    if (name === undefined) addOperation(program, topic, operation);
    else addOperation(topicOf(program, topic), name, operation);
  }
  addOperation(program, 'login', operations['/token/login']);
  addDoctor(program);
  addProbe(program);
  addSimulate(program);
  addCompletion(program);
  return program;
}

const HELP = `
Values:
  @path reads the value from a file, @- from standard input, so that no secret
  has to be on the command line; \\@ stands for a leading @. Lists: repeat the
  option, or give several values. --password without a value prompts for it.

Exit codes:
  0 success; 1 rejected (code and message are on standard error), or "doctor",
  "vendor probe", "ledger verify" or "audit verify" found errors; 2 wrong usage;
  3 unreachable; 4 watching reached its --timeout; 5 the notification reaches no
  device; 130 interrupted by Ctrl-C

Examples:
  carillon push send --user-id 42 --title Hello --body 'Nine bells.' --watch
  carillon push send --request @notification.json --as-group 7 --dry-run
  carillon task watch 115258093993985
  carillon task trace 115258093993985 --user-id 42
  carillon find '139 1234 5678'
  carillon device notifications --user-id 42
  carillon user create --name ada --password
  carillon certificate save --provider apns --name APNs --certificate @key.p12 --app-secret @passphrase
  carillon device list --as-user 42 --json
  carillon doctor
  carillon vendor probe huawei --vendor-token @vendor-token.txt
  source <(carillon completion bash)`;

function addTopic(program: Command, name: string): void {
  program
    .command(name)
    .description(topics[name] ?? '')
    .usage('<command> [options]')
    .helpCommand(false);
}

function topicOf(program: Command, name: string): Command {
  const topic = program.commands.find((command) => command.name() === name);
  if (!topic) throw new Error(`The topic ${name} has no description.`);
  return topic;
}
