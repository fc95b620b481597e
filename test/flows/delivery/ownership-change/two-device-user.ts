import assert from 'node:assert/strict';
import { isOpen, placeStatus } from '#src/domain/slice.ts';
import type { RoleProcess } from '../../../../scripts/dev/role-process.ts';
import { seedUser } from '../../../../scripts/dev/seed.ts';
import type { Carillon, Login, TestUser } from '../../../support/carillon.ts';
import { connectSilentDevice, type SilentDevice } from '../../../support/device.ts';
import { eventually } from '../../../support/eventually.ts';
import { countInboxRows, slicesOf } from '../../../support/ledger.ts';

/** A user with two phones, one connected and one switched off, and with a tag, an alias and APNs tokens. */
export interface TwoDeviceUser {
  readonly user: TestUser & { readonly mobile: string; readonly email: string };
  /** Connected. Its app reads notifications and never acknowledges them. */
  readonly online: Login;
  readonly offline: Login;
  readonly session: SilentDevice;
  readonly tag: string;
  readonly alias: string;
  /** APNs tokens stay the same when the phone gets another owner. */
  readonly apnsTokens: { readonly online: string; readonly offline: string };
}

/**
 * Tasks that were pending when the phones got another owner, and tasks that were sent afterwards to the old audience.
 */
export interface PendingTasks {
  /** In the inbox of one phone, and not acknowledged by the other phone. Ends when it expires. */
  readonly inbox: bigint;
  /** Waits for a retry, because Apple was unavailable. */
  readonly retry: bigint;
  /**
   * Written to the connected phone, which has not acknowledged it. For the other phone, the call to APNs is retried.
   */
  readonly unanswered: bigint;
  /** Accepted, but not claimed by a worker yet. */
  readonly queued: ByAudience;
  /** Scheduled for later. */
  readonly scheduled: ByAudience;
  readonly late: ByAudience;
}

export type ByAudience = Readonly<Record<'user_id' | 'push_token' | 'tag' | 'alias', bigint>>;

const BADGE = 41;

export async function createTwoDeviceUser(carillon: Carillon, slug: string, number: number): Promise<TwoDeviceUser> {
  const names = { name: `${slug}-one`, mobile: `+861380000000${number}`, email: `${slug}@example.com` };
  const password = `${slug}-password`;
  const userId = await seedUser(carillon.storage.home, carillon.appId, { ...names, password });
  const user = { userId, ...names, password };
  const online = await carillon.logIn(user, `${slug}-online-phone`);
  const offline = await carillon.logIn(user, `${slug}-offline-phone`);
  const apnsTokens = { online: `live-${slug}-online`, offline: `live-${slug}-offline` };
  const [tag, alias] = [`${slug}-tag`, `${slug}-alias`];
  for (const [login, apnsToken] of [
    [online, apnsTokens.online],
    [offline, apnsTokens.offline],
  ] as const) {
    const { token } = login;
    await carillon.post('/device/bind', { provider: 1, token: apnsToken }, { token });
    await carillon.post('/device/tag', { add: [tag] }, { token });
    await carillon.post('/device/alias', { alias }, { token });
    await carillon.post('/device/badge', { badge: BADGE }, { token });
    await carillon.post('/device/state', { client: alias, notifications: 'denied' }, { token });
  }
  const gateway = carillon.gateways[number % carillon.gateways.length] as RoleProcess;
  const session = await connectSilentDevice(gateway, online);
  return { user, online, offline, session, tag, alias, apnsTokens };
}

/**
 * Sends the tasks that a worker must process, and waits until each is in its intended state. Apple must be unavailable.
 */
export async function sendPending(
  carillon: Carillon,
  { user, session }: TwoDeviceUser,
  inboxEnds: number,
): Promise<Pick<PendingTasks, 'inbox' | 'retry' | 'unanswered'>> {
  const audience = { user_id: [user.userId] };
  const [inbox, retry, unanswered] = await Promise.all([
    carillon.notify(
      audience,
      { body: 'inbox', show_end_time: inboxEnds },
      { distribution_strategy: 'nativepush_only' },
    ),
    carillon.notify(audience, { body: 'retry' }, { distribution_strategy: 'ospush_only' }),
    carillon.notify(audience, { body: 'unanswered' }),
  ]);
  const isRetried = async (taskId: bigint, places: number) => {
    const [slice, ...others] = (await slicesOf(carillon.storage, taskId)).filter(({ channel }) => channel === 'apns');
    assert.deepEqual([...(slice?.status ?? [])], Array(places).fill(placeStatus.retrying));
    assert.deepEqual(others, []);
  };
  await eventually(async () => {
    assert.equal(await countInboxRows(carillon.storage, inbox), 1);
    await isRetried(retry, 2);
    await isRetried(unanswered, 1);
    assert.deepEqual([...session.taskIds].sort(), [inbox, unanswered].map(String).sort());
  });
  return { inbox, retry, unanswered };
}

/** Sends to the user with every kind of audience that can include that user. */
export async function sendToEveryAudience(
  carillon: Carillon,
  { user, online, offline, tag, alias }: TwoDeviceUser,
  message: object,
): Promise<ByAudience> {
  const [user_id, push_token, byTag, byAlias] = await Promise.all([
    carillon.notify({ user_id: [user.userId] }, message),
    carillon.notify({ push_token: [online.push_token, offline.push_token] }, message),
    carillon.notify({ tag: [tag] }, message),
    carillon.notify({ alias: [alias] }, message),
  ]);
  return { user_id, push_token, tag: byTag, alias: byAlias };
}

/** Returns the final statuses of a task's places, by channel. */
export async function finalStatusesOf(carillon: Carillon, taskId: bigint): Promise<Record<string, number[]>> {
  const statuses: Record<string, number[]> = {};
  for (const { channel, status } of await slicesOf(carillon.storage, taskId)) {
    assert.ok(!status.some(isOpen), `a place of ${taskId} on ${channel} is open`);
    statuses[channel] = [...(statuses[channel] ?? []), ...status];
  }
  return statuses;
}
