import type { Carillon, PushTaskListRequest, PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import { toCsv } from '../../shared/csv.ts';
import type { Task } from './task-state.tsx';

/** At most 10,000 tasks per file, because each page of 500 is one request. */
export const CSV_TASKS_MAX = 10_000;
const PAGE_SIZE = 500;

/** Loads all tasks that match the filters, in the order of the list. */
export async function listCsv(api: Carillon, request: PushTaskListRequest): Promise<string> {
  const tasks: Task[] = [];
  let after = request.after;
  do {
    const page = await api.push.task.list({ ...request, limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    tasks.push(...page.list);
    after = page.next ?? undefined;
  } while (after !== undefined && tasks.length < CSV_TASKS_MAX);
  return tasksToCsv(tasks.slice(0, CSV_TASKS_MAX));
}

export const tasksToCsv = (tasks: readonly Task[]): string =>
  toCsv(
    [
      'task_id',
      'title',
      'state',
      'audience',
      'author',
      'sent_by',
      'accepted_at',
      'due_at',
      'target',
      'sent',
      'received',
    ],
    tasks.map((task) => [
      task.task_id,
      task.title,
      task.state,
      task.audience,
      task.author,
      task.token_name,
      isoTime(task.accepted_at),
      isoTime(task.due_at),
      task.target,
      task.sent,
      task.received,
    ]),
  );

export const channelsToCsv = ({ channels }: PushTaskReportResponse): string =>
  toCsv(
    ['channel', 'target', 'sent', 'received', 'clicked', 'recalled', 'recall_failed'],
    channels.map(({ channel, target, sent, received, clicked, recalled, recall_failed }) => [
      channel,
      target,
      sent,
      received,
      clicked,
      recalled,
      recall_failed,
    ]),
  );

export const failuresToCsv = ({ channels }: PushTaskReportResponse): string =>
  toCsv(
    ['channel', 'code', 'detail', 'devices'],
    channels.flatMap(({ channel, failures }) =>
      failures.map(({ code, detail, count }) => [channel, code, detail, count]),
    ),
  );

const isoTime = (ms: bigint): string => new Date(Number(ms)).toISOString();
