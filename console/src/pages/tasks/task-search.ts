import type { PushTaskListRequest } from '../../../../sdk/src/index.ts';
import { type ChannelName, channelNames } from '../../shared/channels.ts';
import { isDay, startOfDay } from '../../shared/days.ts';
import { isId } from '../../shared/ids.ts';
import { isSender, toSender } from '../../shared/senders.ts';

export const taskStates = ['held', 'sending', 'finished', 'cancelled'] as const;
export const audienceKinds = ['all', 'tag', 'alias', 'user_id', 'push_token'] as const;

/** The filters and the order of the task list and the position in it, as the address contains them. */
export interface TaskSearch {
  text?: string;
  state?: (typeof taskStates)[number];
  audience?: (typeof audienceKinds)[number];
  /** The creator, such as `admin` or `user:42`. */
  author?: string;
  /** The operator or the admin token that sent the task, such as `operator:3`. */
  by?: string;
  /** A channel with failures. */
  failed?: ChannelName;
  /** Days, such as `2026-11-18`, in the time zone of the browser. The last day is included. */
  from?: string;
  to?: string;
  /** Latest first if it is missing. */
  order?: 'oldest';
  after?: string;
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: unknown): value is T =>
    values.some((one) => one === value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const checks: { readonly [Name in keyof Required<TaskSearch>]: (value: unknown) => boolean } = {
  text: isText,
  state: oneOf(taskStates),
  audience: oneOf(audienceKinds),
  author: isText,
  by: isSender,
  failed: oneOf(channelNames),
  from: isDay,
  to: isDay,
  order: oneOf(['oldest']),
  after: isId,
};

/** Returns the valid parts of an address. */
export const toTaskSearch = (search: Readonly<Record<string, unknown>>): TaskSearch =>
  Object.fromEntries(
    Object.entries(checks).flatMap(([name, check]) => (check(search[name]) ? [[name, search[name]]] : [])),
  );

/** Returns the number of conditions that leave out tasks. */
export const countFilters = ({ order: _order, after: _after, ...filters }: TaskSearch): number =>
  Object.keys(filters).length;

export const isFiltered = (search: TaskSearch): boolean => countFilters(search) > 0;

/** Returns the fields of `/push/task/list`. */
export function toListRequest({
  text,
  state,
  audience,
  author,
  by,
  failed,
  from,
  to,
  order,
  after,
}: TaskSearch): PushTaskListRequest {
  const sender = toSender(by);
  return {
    counts: true,
    ...(text !== undefined && { text }),
    ...(state && { state }),
    ...(audience && { audience }),
    ...(author !== undefined && { author }),
    ...(sender && { token_kind: sender.kind, token_id: sender.id }),
    ...(failed && { channel_failed: failed }),
    ...(from !== undefined && { from: startOfDay(from) }),
    ...(to !== undefined && { to: startOfDay(to, 1) }),
    ...(order && { order }),
    ...(after !== undefined && { after: BigInt(after) }),
  };
}
