import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type Carillon, CarillonError, CarillonUnreachable, operations } from '../../sdk/src/index.ts';
import { CommandFailed, EXIT_NO_DEVICE, UsageError } from '../failure.ts';
import { Inputs } from '../inputs.ts';
import { printJson } from '../print.ts';
import { callOperation, type Globals, notices, toClient } from '../run-operation.ts';
import { wrapText } from '../table.ts';
import { columnsOf } from '../terminal.ts';
import { toSeconds, watch } from '../watch/command.ts';
import { explainNoDevice, printReach, type Reach } from './dry-run.ts';
import { addSendOptions, type SendOptions } from './options.ts';
import { type NotifyRequest, toNotifyRequest } from './request.ts';

/** Adds `carillon push send`, which sends a notification described by flags. */
export function addSend(push: Command): void {
  const command = push
    .command('send')
    .summary('Send a notification described by flags')
    .description(
      'Sends a notification or, with --dry-run, reports what it would reach. Use --request @file.json for fields without a flag, such as vendor-specific fields.',
    )
    .usage('[options]')
    .configureHelp({ ...push.configureHelp(), showGlobalOptions: true })
    .action(async (options: SendOptions, self: Command) => {
      await send(options, self.optsWithGlobals<Globals>());
    });
  addSendOptions(command);
}

async function send(options: SendOptions, globalOptions: Globals): Promise<void> {
  const inputs = new Inputs();
  // The token is read once, because it may come from standard input and is needed again for watching.
  const globals =
    globalOptions.token === undefined
      ? globalOptions
      : { ...globalOptions, token: await inputs.read(globalOptions.token, '--token') };
  const timeoutSeconds = toSeconds('--timeout', options.timeout);
  if (timeoutSeconds !== undefined && !options.watch) throw new UsageError('--timeout requires --watch.');
  const request = await toNotifyRequest(options, inputs, new Date());
  const client = await toClient(operations['/push/notify'], globals, inputs);
  if (options.dryRun) {
    await printDryRun(client, request, globals);
    return;
  }
  if (request.audience === 'all' && !options.yes) await confirmBroadcast(client, request, globals, inputs);
  request.setting.request_id ||= `cli-${randomUUID()}`;
  const { taskId, isRepeated } = await notify(client, request, globals, options.watch === true);
  const explanation = isRepeated ? undefined : await findNoDevice(client, request);
  if (explanation !== undefined) {
    process.stderr.write(`${wrapText(explanation, columnsOf(process.stderr)).join('\n')}\n`);
    process.exitCode = EXIT_NO_DEVICE;
  } else if (options.watch) process.exitCode = await watch(globals, taskId, timeoutSeconds, inputs);
}

/**
 * Explains why the notification reaches no device. Undefined if it reaches some, if it is sent later, or if the service
 * does not say. The notification is sent before this check, so that counting a large audience does not delay it.
 */
async function findNoDevice(client: Carillon, request: NotifyRequest): Promise<string | undefined> {
  if (request.message.show_begin_time !== undefined) return undefined;
  try {
    return explainNoDevice((await callOperation(client, operations['/push/validate'], request)).data as Reach);
  } catch (error) {
    if (error instanceof CarillonError || error instanceof CarillonUnreachable) return undefined;
    throw error;
  }
}

async function printDryRun(client: Carillon, request: NotifyRequest, { json }: Globals): Promise<void> {
  const { data } = await callOperation(client, operations['/push/validate'], request);
  const text = json ? printJson(data) : printReach(data as Reach, columnsOf(process.stdout)).join('\n');
  process.stdout.write(`${text}\n`);
}

async function notify(
  client: Carillon,
  request: NotifyRequest,
  { json }: Globals,
  isWatched: boolean,
): Promise<{ readonly taskId: bigint; readonly isRepeated: boolean }> {
  const { data, headers } = await callOperation(client, operations['/push/notify'], request).catch((error: unknown) => {
    if (!(error instanceof CarillonUnreachable)) throw error;
    const hint = `The notification may have been sent. Repeat the command with --request-id ${String(request.setting.request_id)} to avoid sending it twice.`;
    throw new CarillonUnreachable(error.operation, `${error.message} ${hint}`, { cause: error });
  });
  const { task_id: taskId } = data as { task_id: bigint };
  if (!json) {
    process.stdout.write(`task_id: ${taskId}\n`);
    if (!isWatched && process.stdout.isTTY) process.stdout.write(`To watch the task: carillon task watch ${taskId}\n`);
  } else if (!isWatched) process.stdout.write(`${printJson(data)}\n`);
  for (const line of notices(data, headers)) process.stderr.write(`${line}\n`);
  return { taskId, isRepeated: headers.get('carillon-request')?.startsWith('repeated') === true };
}

/** Asks for confirmation, because a notification to all devices cannot be recalled. */
async function confirmBroadcast(
  client: Carillon,
  request: NotifyRequest,
  { app, asGroup, asUser }: Globals,
  inputs: Inputs,
): Promise<void> {
  if (!inputs.canPrompt)
    throw new UsageError('Sending to all devices requires --yes when the command is not run interactively.');
  const { data } = await callOperation(client, operations['/push/validate'], request);
  const audience = asUser ? `user ${asUser}` : asGroup ? `the members of group ${asGroup}` : `app ${app}`;
  const isConfirmed = await inputs.confirm(
    `Send to all devices of ${audience} (currently ${(data as Reach).devices})? [y/N] `,
  );
  if (!isConfirmed) throw new CommandFailed('Nothing was sent.');
}
