import type { PushTaskCancelResponse } from '../sdk/src/index.ts';
import { printJson } from './print.ts';
import { type OperationCommand, prepareCall } from './run-operation.ts';
import { alignTable } from './table.ts';
import { printChannel } from './vendor-names.ts';
import { describeCancelled } from './watch/progress.ts';

/** Cancels a task and prints what was sent before. */
export async function cancelTask(command: OperationCommand): Promise<void> {
  const { call, request } = await prepareCall(command);
  const data = (await call(request)).data as PushTaskCancelResponse;
  process.stdout.write(`${command.globals.json ? printJson(data) : printCancelled(data).join('\n')}\n`);
}

function printCancelled({ task_id: taskId, finished, sent, recall = [] }: PushTaskCancelResponse): string[] {
  return [
    `task ${taskId}: ${finished ? `already finished, so nothing was cancelled; ${sent} sent` : describeCancelled(sent)}`,
    ...(recall.length === 0 ? [] : printRecall(recall)),
    ...(recall.some(({ supported }) => supported)
      ? [`The recall runs for up to 24 hours. To see its results: carillon task report ${taskId}`]
      : []),
  ];
}

const printRecall = (recall: NonNullable<PushTaskCancelResponse['recall']>): string[] =>
  alignTable(
    ['channel', 'sent', 'recall'],
    recall.map(({ channel, sent, supported }) => [
      { text: printChannel(channel) },
      { text: sent.toString(), right: true },
      { text: supported ? 'requested' : 'not supported' },
    ]),
  );
