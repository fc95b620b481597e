import { createHash } from 'node:crypto';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { insertFinalCounts } from '#src/storage/ledger/final-counts.ts';
import type { Login } from '../../support/carillon.ts';
import type { ShardOutage, Side } from '../../support/shard-outage.ts';

/** Large numbers, which no other column contains by chance. */
const USER_ID = 7_345_678_901_234n;
const OLD_TASK_ID = 8_000_000_000n;
const WRONG_PASSWORD = 'not the password';

/** A user about whom every table has a row, and the strings that identify the user. */
export interface SeededUser {
  readonly userId: bigint;
  readonly password: string;
  readonly name: string;
  /** A phone in each database. */
  readonly phones: Readonly<Record<Side, Login>>;
  /** Tasks whose only recipient is the user. */
  readonly ownTasks: readonly bigint[];
  /** A task with another recipient, whose text is kept. */
  readonly sharedTask: bigint;
  readonly sharedText: string;
  /** The strings to search for, by their meaning. */
  readonly marks: Readonly<Record<string, string>>;
}

/** Creates the user over the API, except for the counters of a task whose day was dropped. */
export async function seedUser(outage: ShardOutage): Promise<SeededUser> {
  const { carillon } = outage;
  const user = { userId: USER_ID, name: 'ada-lovelace', password: 'the-password-of-ada' };
  const names = { name: user.name, mobile: '+8613812345678', email: 'ada.lovelace@example.com' };
  await carillon.post('/admin/user/create', { user_id: user.userId, ...names, password: user.password });
  const other = await carillon.createUser('somebody-else');
  await carillon.post('/admin/group/create', { group_id: 77, name: 'choir' });
  await carillon.post('/admin/group/add', { group_id: 77, list: [user.userId, other.userId] });
  for (const login_name of Object.values(names))
    await carillon.tryPost('/token/login', { login_name, password: WRONG_PASSWORD }, { token: null });

  const phones = {
    available: await carillon.logIn(user, guidOn(outage, 'available', 'ada-phone')),
    proxied: await carillon.logIn(user, guidOn(outage, 'proxied', 'ada-phone')),
  };
  const former = await carillon.logIn(user, guidOn(outage, 'available', 'ada-former-phone'));
  await carillon.post('/token/logout', {}, { token: former.token });
  const marks: Record<string, string> = { userId: String(user.userId), ...names, 'guid former': former.deviceGuid };
  marks['accessToken former'] = former.token;
  for (const [side, { token, push_token, deviceGuid }] of Object.entries(phones)) {
    const own = { token };
    const [vendorToken, tag, alias] = ['live-ada', 'tag-of-ada', 'alias-of-ada'].map((kind) => `${kind}-${side}`);
    await carillon.post('/device/bind', { provider: 1, token: vendorToken }, own);
    await carillon.post('/device/tag', { add: [tag] }, own);
    await carillon.post('/device/alias', { alias }, own);
    await carillon.post('/device/badge', { badge: 3 }, own);
    const client = `client-of-ada-${side}`;
    const error = `error-of-ada-${side}`;
    await carillon.post('/device/state', { client, vendor_errors: [{ provider: 2, error }] }, own);
    // Audit entries with each of the names.
    await carillon.post('/device/alias', { push_token, alias });
    await carillon.post('/device/unbind', { push_token, provider: 3 });
    Object.assign(marks, {
      [`vendorToken ${side}`]: vendorToken,
      [`tag ${side}`]: tag,
      [`alias ${side}`]: alias,
      [`client ${side}`]: client,
      [`error ${side}`]: error,
      [`accessToken ${side}`]: token,
      [`pushToken ${side}`]: push_token,
      [`guid ${side}`]: deviceGuid,
    });
  }
  await carillon.post('/admin/user/update', { user_id: user.userId, name: user.name });

  const text = (kind: string) => {
    marks[`text ${kind}`] = `private-text-${kind}`;
    return { body: `private-text-${kind}` };
  };
  const { token, push_token } = phones.available;
  const toUser = { user_id: [user.userId] };
  const waiting = { distribution_strategy: 'nativepush_only' };
  const requestId = 'request-of-ada';
  marks.requestId = requestId;
  const sharedText = 'text for two recipients';
  const inTenDays = Math.floor(Date.now() / 1_000) + 10 * 86_400;
  const ownTasks = [
    await carillon.notify(toUser, text('waiting'), waiting),
    await carillon.notify(toUser, text('vendor'), { distribution_strategy: 'ospush_only' }),
    await carillon.notify({ push_token: [push_token] }, text('token'), waiting),
    await carillon.notify({ alias: ['alias-of-ada-available', 'alias-of-ada-proxied'] }, text('alias'), waiting),
    await carillon.notify(toUser, text('author'), { request_id: requestId, ...waiting }, { token }),
    await carillon.notify(toUser, { ...text('scheduled'), show_begin_time: inTenDays }),
  ];
  const sharedTask = await carillon.notify({ user_id: [user.userId, other.userId] }, { body: sharedText }, waiting);
  // Drafts that the user is named in: as the only recipient, as one of two recipients, and as the author.
  const draft = (audience: object, message: object, headers = {}) =>
    carillon.post('/push/draft/create', { audience, message }, { headers });
  await draft({ push_token: [push_token] }, text('draft'));
  await draft({ user_id: [other.userId, user.userId] }, { body: sharedText });
  await draft({ user_id: [other.userId] }, text('own-draft'), { user_id: String(user.userId) });
  await insertFinalCounts(
    carillon.storage.home,
    [{ taskId: OLD_TASK_ID, appId: carillon.appId, author: `user:${user.userId}`, groupId: null }],
    [{ taskId: OLD_TASK_ID, channel: 'apns', target: 3n, sent: 2n, received: 1n, clicked: 0n }],
  );
  return { ...user, phones, ownTasks, sharedTask, sharedText, marks };
}

function guidOn(outage: ShardOutage, side: Side, name: string): string {
  for (let i = 0; ; i++) {
    const guid = `${name}-${createHash('sha256').update(`${side}${i}`).digest('hex').slice(0, 12)}`;
    if (outage.sideOf(bucketOfGuid(outage.carillon.appId, guid)) === side) return guid;
  }
}
