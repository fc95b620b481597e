import { type Command, Option } from 'commander';
import type { Operation } from '../sdk/src/index.ts';
import { cancelTask } from './cancel-task.ts';
import { exportUser } from './export-user.ts';
import { flagOf, toOption } from './field-options.ts';
import { listTasks } from './list-tasks.ts';
import { type Globals, runOperation } from './run-operation.ts';
import { verifyAudit } from './verify-audit.ts';
import { verifyLedger } from './verify-ledger.ts';

/** Fields that can be given without a flag: `task cancel 115258093993985`. */
const positionals: Readonly<Record<string, string>> = {
  '/push/task/detail': 'list',
  '/push/task/cancel': 'task_id',
  '/admin/task/retry': 'task_id',
  '/push/task/report': 'task_id',
  '/push/task/trace': 'task_id',
  '/admin/lookup': 'text',
  '/push/draft/get': 'draft_id',
  '/push/draft/approve': 'draft_id',
  '/push/draft/reject': 'draft_id',
};

/** Commands that make more than one call, or print sentences. */
const runners: Readonly<Record<string, typeof runOperation>> = {
  '/admin/audit/verify': verifyAudit,
  '/admin/ledger/verify': verifyLedger,
  '/admin/user/export': exportUser,
  '/push/task/cancel': cancelTask,
  '/push/task/list': listTasks,
};

/** Adds a command for an API operation, with an option for each field and `--request` for the whole request. */
export function addOperation(parent: Command, name: string, operation: Operation): void {
  const options = operation.fields.map((field) => ({ field, option: toOption(operation, field) }));
  const positional = options.find(({ field }) => field.name === positionals[operation.path]);
  const label = positional?.field.list ? 'task_id...' : positional?.field.name;
  const command = parent
    .command(name)
    .summary(operation.summary)
    .description(operation.description)
    .usage(label === undefined ? '[options]' : `<${label}> [options]`)
    .configureHelp({ ...parent.configureHelp(), showGlobalOptions: true })
    .addHelpText('after', ({ command: shown }) => describeNestedFields(shown, operation))
    .action(async (...actionArguments: unknown[]) => {
      const self = actionArguments.at(-1) as Command;
      const optionValues = { ...self.opts<Record<string, unknown>>() };
      if (positional && self.args.length > 0)
        optionValues[positional.option.attributeName()] = positional.field.list ? self.args : self.args[0];
      const globals = self.optsWithGlobals<Globals>();
      await (runners[operation.path] ?? runOperation)({ operation, options, optionValues, globals });
    });
  if (positional)
    command.argument(`[${label}]`, positional.field.list ? 'Push task ID.' : positional.field.description);
  for (const { option } of options) command.addOption(option);
  if (options.length > 0)
    command.addOption(new Option('--request <json>', 'Complete request as JSON; other options take precedence.'));
}

/** Describes the fields inside objects, because they have no options. */
function describeNestedFields(command: Command, operation: Operation): string {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  return operation.fields
    .filter((field) => field.fields)
    .map((field) => {
      const nestedFields = field.fields ?? [];
      const width = Math.max(...nestedFields.map(({ name }) => name.length));
      const lines = nestedFields.map(({ name, description }) => help.formatItem(name, width, description, help));
      return `\nFields of ${flagOf(operation, field)}:\n${lines.join('\n')}`;
    })
    .join('\n');
}
