import type { AdminDeviceNotificationsResponse, PushTaskTraceResponse } from '../../../../sdk/src/index.ts';
import { RECEIPTS_MS } from '../tasks/refresh.ts';

const LIVE_MS = 2_000;
const SLOW_MS = 10_000;
/** For a list without changes to its notifications, in which a new notification can appear. */
const NEW_MS = 60_000;
/** Later attempts have pauses of minutes. */
const LIVE_AFTER_MS = 60_000;

type Traced = Pick<PushTaskTraceResponse['list'][number], 'state'> & {
  readonly attempts: readonly { readonly at: bigint }[];
};

/** Returns how often a trace is loaded again, or false if it no longer changes. `nowMs` is the time of the server. */
export function traceRefreshMs(devices: readonly Traced[], nowMs: number): number | false {
  const open = devices.filter(({ state }) => state === 'open');
  // Before the first attempt, something happens soon.
  if (open.some((device) => nowMs - lastMs(device, nowMs) < LIVE_AFTER_MS)) return LIVE_MS;
  if (open.length > 0) return SLOW_MS;
  return devices.some((device) => device.state === 'sent' && nowMs - lastMs(device, 0) < RECEIPTS_MS) && SLOW_MS;
}

/** Returns the time of the last attempt, or `otherwise` if there is none. */
const lastMs = ({ attempts }: Traced, otherwise: number): number => Number(attempts.at(-1)?.at ?? otherwise);

type Notification = Pick<AdminDeviceNotificationsResponse['list'][number], 'state' | 'accepted_at'>;

/** Returns how often a page of notifications is loaded again. Only the first page can get new notifications. */
export function notificationsRefreshMs(
  notifications: readonly Notification[],
  isFirstPage: boolean,
  nowMs: number,
): number | false {
  const isChanging = notifications.some(
    ({ state, accepted_at }) => state === 'open' || (state === 'sent' && nowMs - Number(accepted_at) < RECEIPTS_MS),
  );
  if (isChanging) return SLOW_MS;
  return isFirstPage && NEW_MS;
}
