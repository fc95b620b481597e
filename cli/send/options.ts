import { type Command, Option } from 'commander';
import { operations } from '../../sdk/src/index.ts';

/** The options of `push send`. */
export interface SendOptions {
  readonly userId?: readonly string[];
  readonly alias?: readonly string[];
  readonly tag?: readonly string[];
  readonly pushToken?: readonly string[];
  readonly all?: boolean;
  readonly title?: string;
  readonly body?: string;
  readonly bigText?: string;
  readonly image?: string;
  readonly badge?: string;
  readonly data?: string;
  readonly sound?: string;
  readonly type?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly requestId?: string;
  readonly strategy?: string;
  readonly vendors?: readonly string[];
  readonly request?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly watch?: boolean;
}

/** Returns the words that a field of `setting` takes. */
function settingChoices(name: string): readonly string[] {
  const setting = operations['/push/notify'].fields.find((field) => field.name === 'setting');
  return setting?.fields?.find((field) => field.name === name)?.choices ?? [];
}

export function addSendOptions(command: Command): Command {
  const options = [
    new Option('--user-id <id...>', 'To the devices of these users').helpGroup('To whom (one of these):'),
    new Option('--alias <alias...>', 'To devices with these aliases'),
    new Option('--tag <tag...>', 'To devices with any of these tags'),
    new Option('--push-token <token...>', 'To the devices of these push tokens'),
    new Option('--all', 'To every device of the app'),
    new Option('--title <text>', 'Title').helpGroup('What:'),
    new Option('--body <text>', 'Content'),
    new Option('--big-text <text>', 'A longer content, where the vendor shows one'),
    new Option('--image <url>', 'A picture: .jpg, .jpeg or .png, below 1 MB'),
    new Option('--badge <number>', 'Number on the icon; +1 adds one'),
    new Option('--data <json>', 'An object for the app (ext)'),
    new Option('--sound <name>', 'Sound on iOS and Android'),
    new Option('--type <type>', 'cmd is handed to the app and not shown').choices(['text', 'image', 'cmd']),
    new Option('--begin <time>', '2026-12-24T18:00+01:00, Unix seconds, or +90m from now').helpGroup('When and how:'),
    new Option('--end <time>', 'Nothing is sent after this'),
    new Option('--request-id <id>', 'Used before, nothing is sent; one is made if none is given'),
    new Option('--strategy <strategy>', 'Own channel, vendors, or both').choices(
      settingChoices('distribution_strategy'),
    ),
    new Option('--vendors <vendor...>', 'Which vendors, in order; ups are those of China').choices(
      settingChoices('ospush_sequence'),
    ),
    new Option(
      '--request <json>',
      'The whole request of /push/notify, for fields of single vendors; options beside it take precedence',
    ),
    new Option('--dry-run', 'Send nothing; say what it would reach').helpGroup('And then:'),
    new Option('--yes', 'Do not ask before it goes to everyone'),
    new Option('--watch', 'Follow it, as `task watch` does'),
  ];
  let group = '';
  for (const option of options) {
    group = option.helpGroupHeading ?? group;
    command.addOption(option.helpGroup(group));
  }
  return command;
}
