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
  readonly hold?: string;
  readonly requestId?: string;
  readonly strategy?: string;
  readonly vendors?: readonly string[];
  readonly request?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly watch?: boolean;
  readonly timeout?: string;
}

/** Returns the allowed values of a field of `setting`. */
function settingChoices(name: string): readonly string[] {
  const setting = operations['/push/notify'].fields.find((field) => field.name === 'setting');
  return setting?.fields?.find((field) => field.name === name)?.choices ?? [];
}

export function addSendOptions(command: Command): Command {
  const options = [
    new Option('--user-id <id...>', 'Send to the devices of these users').helpGroup('Audience (exactly one):'),
    new Option('--alias <alias...>', 'Send to devices with one of these aliases'),
    new Option('--tag <tag...>', 'Send to devices with any of these tags'),
    new Option('--push-token <token...>', 'Send to the devices with these push tokens'),
    new Option('--all', 'Send to every device of the app'),
    new Option('--title <text>', 'Title').helpGroup('Content:'),
    new Option('--body <text>', 'Body'),
    new Option('--big-text <text>', 'Longer body, for vendors that support one'),
    new Option('--image <url>', 'Image URL ending in .jpg, .jpeg or .png, smaller than 1 MB'),
    new Option('--badge <number>', 'Number on the app icon; +1 increments it'),
    new Option('--data <json>', 'JSON object for the app (message.ext)'),
    new Option('--sound <name>', 'Sound on iOS and Android'),
    new Option('--type <type>', 'Message type; cmd is a data-only message').choices(['text', 'image', 'cmd']),
    new Option('--begin <time>', 'Start time: 2026-12-24T18:00+01:00, Unix seconds, or +90m from now').helpGroup(
      'Delivery:',
    ),
    new Option('--end <time>', 'End time; nothing is sent after it'),
    new Option('--hold <seconds>', 'Time to cancel the task before it is sent, at most 300'),
    new Option('--request-id <id>', 'Idempotency key; generated if omitted'),
    new Option('--strategy <strategy>', 'Use the Carillon channel, vendors, or both').choices(
      settingChoices('distribution_strategy'),
    ),
    new Option('--vendors <vendor...>', 'Vendors in order of preference; ups means all Chinese vendors').choices(
      settingChoices('ospush_sequence'),
    ),
    new Option(
      '--request <json>',
      'Complete request of /push/notify, for vendor-specific fields; other options take precedence',
    ),
    new Option('--dry-run', 'Report what the notification would reach, without sending it').helpGroup('Execution:'),
    new Option('--yes', 'Skip the confirmation for sending to all devices'),
    new Option('--watch', 'Watch the task, like `task watch`'),
    new Option('--timeout <seconds>', 'Maximum time to watch; the exit code is 4 if the task has not ended by then'),
  ];
  let group = '';
  for (const option of options) {
    group = option.helpGroupHeading ?? group;
    command.addOption(option.helpGroup(group));
  }
  return command;
}
