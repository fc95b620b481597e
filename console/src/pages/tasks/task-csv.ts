import type {
  Carillon,
  PushTaskListRequest,
  PushTaskListResponse,
  PushTaskReportResponse,
} from '../../../../sdk/src/index.ts';
import { toCsv } from '../../shared/csv.ts';

type Task = PushTaskListResponse['list'][number];

/** At most 10,000 tasks per file, because each page of 500 is one request. */
export const CSV_TASKS_MAX = 10_000;
const PAGE_SIZE = 500;
/** At most 40 calls per file. With a filter that few tasks match, a call searches up to 5,000 tasks, and can return none. */
export const CSV_CALLS_MAX = 40;

/** The tasks that match the filters, in the order of the list. */
export interface ListedTasks {
  readonly tasks: readonly Task[];
  /** Whether the search has ended before the end of the list. */
  readonly isIncomplete: boolean;
}

/** Loads all tasks that match the filters, unless they are too many or the search takes too many calls. */
export async function listTasks(
  api: Carillon,
  request: PushTaskListRequest,
  report: (tasks: number) => void = () => undefined,
): Promise<ListedTasks> {
  const tasks: Task[] = [];
  let after = request.after;
  let calls = 0;
  do {
    const page = await api.push.task.list({ ...request, limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    tasks.push(...page.list);
    report(tasks.length);
    after = page.next ?? undefined;
    calls++;
  } while (after !== undefined && tasks.length < CSV_TASKS_MAX && calls < CSV_CALLS_MAX);
  const isIncomplete = after !== undefined || tasks.length > CSV_TASKS_MAX;
  return { tasks: tasks.slice(0, CSV_TASKS_MAX), isIncomplete };
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
