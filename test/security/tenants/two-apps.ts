import assert from 'node:assert/strict';
import { createAdminToken } from '#src/api/create-app.ts';
import { generatePushToken } from '#src/api/logins/push-token.ts';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { seal } from '#src/foundation/sealed-box.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import { claimSignature } from '#src/storage/accounts/callbacks.ts';
import { setCeilings } from '#src/storage/accounts/ceilings.ts';
import { certificateContext, saveCertificate } from '#src/storage/accounts/certificates.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import { insertFinalCounts } from '#src/storage/ledger/final-counts.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import { insertGroup, insertMembers } from '#src/storage/users/groups.ts';
import { insertUser } from '#src/storage/users/users.ts';
import { seedAdminToken, seedApp } from '../../../scripts/dev/seed.ts';
import { addDevice } from '../../support/add-device.ts';
import type { Carillon, Login } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { seedOperator } from '../../support/operator.ts';
import { addAccountState } from './account-state.ts';

/**
 * Two apps with the same users, groups, GUIDs, tags, aliases, vendor tokens, request ids and vendors. The other app
 * also has objects that requests from our app name, and objects that no request names. The latter contain a mark, so
 * that a leak into a response can be detected.
 */
export interface TwoApps {
  readonly ownApp: App;
  readonly otherApp: App;
  /** A connected device of the other app. */
  readonly device: TestDevice;
  /** Strings that no response to our app may contain. */
  readonly hidden: readonly string[];
  /** The strings in `hidden` that a platform operator can see. */
  readonly appMarks: readonly string[];
  /** Objects of the other app, and objects that do not exist. Responses must be the same for both. */
  namedByOtherApp(): NamedObjects;
  namedByNobody(): NamedObjects;
}

export interface App {
  readonly appId: string;
  readonly adminToken: string;
  /** Ann's phone. */
  readonly phone: Login;
  /** Bob's tablet, which is not connected. */
  readonly tablet: Login;
  /** The last segment of the URL that Huawei calls. */
  readonly callbackSecret: string;
}

/** Names and ids that a request can contain. */
export interface NamedObjects {
  readonly appId: string;
  readonly userId: bigint;
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
  readonly password: string;
  readonly pushToken: string;
  readonly deviceGuid: string;
  readonly groupId: bigint;
  readonly tag: string;
  readonly alias: string;
  readonly taskId: bigint;
  /** A task whose daily partition was dropped. */
  readonly oldTaskId: bigint;
  readonly draftId: bigint;
  readonly requestId: string;
  /** The reference of a notification that was sent through APNs. */
  readonly reference: string;
  readonly tokenId: bigint;
  readonly auditId: bigint;
  readonly provider: number;
  readonly unused: Unused;
}

/**
 * An id and a name that our app does not use yet. Each call returns new values. In the other app, a user with this id
 * and name is logged in on a device with this GUID, and a group has this id.
 */
export interface Unused {
  readonly id: bigint;
  readonly text: string;
}

/** A user with the same data in both apps. */
export const ann = { userId: 7n, name: 'ann', mobile: '+8613800000007', email: 'ann@example.com' };
const bob = { userId: 8n, name: 'bob', mobile: '+8613800000008', email: 'bob@example.com' };
/** A user who logs in and out, so that the tokens of the other users stay valid. */
export const lea = { userId: 9n, name: 'lea', mobile: '+8613800000009', email: 'lea@example.com' };
export const CHOIR = 3n;
export const VENDOR_TOKEN = 'live-shared';
export const TAG = 'shared-tag';
export const ALIAS = 'shared-alias';
const REQUEST_ID = 'shared-request';
export const passwordIn = (appId: string): string => `the password in ${appId}`;

/** Sorts before our app in every index, so that code that takes the first of two rows takes the wrong row. */
const OTHER_APP = 'another-app';
/** Part of every string of the other app that no request names. */
const HIDDEN = 'hidden-mark';
/** The first id of the other app. The large value distinguishes its ids from all other numbers. */
const OTHER_APP_NUMBERS = 7_700_000_000n;
const HIDDEN_USER = OTHER_APP_NUMBERS + 99n;
const UNUSED_FROM = OTHER_APP_NUMBERS + 1_000n;
const UNUSED_MAX = 1_000;

export async function seedTwoApps(carillon: Carillon): Promise<TwoApps> {
  const { storage, keyrings, appId: ourApp } = carillon;
  const { home } = storage;
  await seedApp(home, keyrings, OTHER_APP);
  await carillon.saveApnsCertificate(OTHER_APP);
  await seedOperator(home, `${HIDDEN}@example.com`, { viewedApp: OTHER_APP });
  await updateApp(home, ourApp, { registration: true, notifyPerSecond: 100_000 });
  await updateApp(home, OTHER_APP, { name: `${HIDDEN} app`, notifyPerSecond: 100_000 });
  await saveMarkedCertificate(carillon, ourApp, 'honor', 'ours');
  await saveMarkedCertificate(carillon, OTHER_APP, 'honor', HIDDEN);
  await saveMarkedCertificate(carillon, OTHER_APP, 'xiaomi', HIDDEN);

  const sharedGuids = [guidInOneShard(ourApp, 'phone'), guidInOneShard(ourApp, 'tablet')] as const;
  const ownApp = await seedSharedNames(carillon, ourApp, 'ours', carillon.adminToken, sharedGuids);
  // Admin tokens of the other app get ids in its range. The ids of our app continue with small numbers.
  const numberTokensFrom = (first: bigint) =>
    home.query(`alter table admin_tokens alter column token_id restart with ${first}`);
  await numberTokensFrom(OTHER_APP_NUMBERS);
  const theirToken = await seedAdminToken(home, OTHER_APP);
  const { tokenId } = await createAdminToken(home, { appId: OTHER_APP, name: HIDDEN, scopes: ['*'] });
  await numberTokensFrom(1_000n);
  const otherApp = await seedSharedNames(carillon, OTHER_APP, HIDDEN, theirToken, sharedGuids);
  const named = await seedOtherAppOnly(carillon, otherApp);
  const gateway = carillon.gateways[0];
  assert.ok(gateway);
  const device = await connectDevice(gateway, otherApp.phone);
  const { taskId, reference, taskIds } = await sendFromOtherApp(carillon, otherApp, device);

  const [app] = await home.query<{ key: string }>('select public_key as key from apps where app_id = $1', [OTHER_APP]);
  const [audit] = await home.query<{ id: bigint }>('select max(audit_id) as id from audit where app_id = $1', [
    OTHER_APP,
  ]);
  const keyText = app?.key.split('\n')[1] as string;
  const base = { ...named, password: passwordIn(OTHER_APP), taskId, requestId: REQUEST_ID, reference, tokenId };
  const numbers = [...taskIds, OTHER_APP_NUMBERS, HIDDEN_USER];
  let used = 0;
  return {
    ownApp,
    otherApp,
    device,
    hidden: [
      ...[HIDDEN, keyText, otherApp.phone.push_token, otherApp.tablet.push_token, otherApp.callbackSecret],
      ...numbers.map(String),
    ],
    appMarks: [HIDDEN, keyText],
    namedByOtherApp: () => ({
      ...base,
      appId: OTHER_APP,
      auditId: audit?.id as bigint,
      provider: providerByVendor.xiaomi,
      get unused() {
        assert.ok(++used <= UNUSED_MAX, 'the test needs more than UNUSED_MAX unused ids');
        return unusedOf(used);
      },
    }),
    namedByNobody: () => unknownObjects(taskId),
  };
}

async function seedSharedNames(
  carillon: Carillon,
  appId: string,
  mark: string,
  adminToken: string,
  guids: readonly [phone: string, tablet: string],
): Promise<App> {
  const { storage } = carillon;
  const passwordHash = await hashPassword(passwordIn(appId));
  for (const user of [ann, bob, lea]) await insertUser(storage.home, { appId, ...user, passwordHash });
  await insertGroup(storage.home, appId, CHOIR, `${mark} choir`);
  await insertMembers(storage.home, appId, CHOIR, [ann.userId, bob.userId, lea.userId]);
  const phone = await addDevice(storage, { appId, userId: ann.userId, deviceGuid: guids[0] });
  const tablet = await addDevice(storage, { appId, userId: bob.userId, deviceGuid: guids[1] });
  const as = (token: string) => ({ token, headers: { app_id: appId } });
  const callback = { provider: providerByVendor.huawei };
  const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', callback, as(adminToken));
  await carillon.post('/device/bind', { provider: 1, token: VENDOR_TOKEN }, as(phone.token));
  await carillon.post('/device/tag', { add: [TAG, `${mark}-tag`] }, as(phone.token));
  await carillon.post('/device/alias', { alias: ALIAS }, as(phone.token));
  await carillon.post('/device/badge', { badge: 5 }, as(phone.token));
  await carillon.post('/device/state', { client: `${mark}-client` }, as(phone.token));
  return { appId, adminToken, phone, tablet, callbackSecret: data.path.split('/').at(-1) as string };
}

/**
 * Creates objects that only the other app has. Requests name these objects; all other data of the objects is marked.
 */
async function seedOtherAppOnly(carillon: Carillon, { appId, adminToken }: App) {
  const { storage } = carillon;
  const { home } = storage;
  const userId = OTHER_APP_NUMBERS + 7n;
  const groupId = OTHER_APP_NUMBERS + 3n;
  const names = { name: 'their-person', mobile: '+8613977000007', email: 'their-person@example.com' };
  const passwordHash = await hashPassword(passwordIn(appId));
  await insertUser(home, { appId, userId, ...names, passwordHash });
  await insertUser(home, { appId, userId: HIDDEN_USER, name: `${HIDDEN}-person`, email: `${HIDDEN}@example.com` });
  await insertMembers(home, appId, CHOIR, [HIDDEN_USER]);
  await insertGroup(home, appId, groupId, `${HIDDEN} group`);
  await insertMembers(home, appId, groupId, [userId]);
  const phone = { appId, userId, deviceGuid: 'their-phone', apnsToken: `live-${HIDDEN}` };
  const { token, push_token: pushToken } = await addDevice(storage, phone);
  const alias = 'their-alias';
  const tag = 'their-tag';
  const options = { token: adminToken, headers: { app_id: appId } };
  await carillon.post('/device/tag', { add: [tag, `${HIDDEN}-other-tag`] }, { ...options, token });
  await carillon.post('/device/alias', { alias }, { ...options, token });
  await seedUnused(carillon, appId);
  // Ensures that every table contains a row of the other app, so that a change to any table is detected.
  for (const path of ['/admin/user/kick', '/admin/user/delete']) {
    const gone = (await insertUser(home, { appId })) as bigint;
    await carillon.post(path, { user_id: gone }, options);
  }
  // An erasure that is done, because a worker would change it. Our app has no erasure of this user.
  await home.query(
    `insert into erasures (app_id, user_id, buckets, next_at, done_at) values ($1, $2, '{}', null, now())`,
    [appId, userId],
  );
  const draft = { audience: 'all', message: { body: HIDDEN }, note: HIDDEN };
  const { data: created } = await carillon.post<{ draft_id: number }>('/push/draft/create', draft, options);
  await saveMarkedCertificate(carillon, appId, 'vivo', HIDDEN);
  await carillon.post('/admin/certificate/delete', { provider: providerByVendor.vivo }, options);
  await carillon.tryPost('/token/id', { user_id: userId, password: 'wrong' }, options);
  await claimSignature(home, { appId, channel: 'vivo' }, Buffer.from(HIDDEN), HIDDEN);
  await addAccountState(home, appId, HIDDEN);
  await setCeilings(home, appId, { devices: 50_000 });
  const oldTaskId = OTHER_APP_NUMBERS + 5n;
  await insertFinalCounts(
    home,
    [{ taskId: oldTaskId, appId, author: `user:${ann.userId}`, groupId: CHOIR }],
    [{ taskId: oldTaskId, channel: 'apns', target: 3n, sent: 2n, received: 1n, clicked: 0n }],
  );
  const draftId = BigInt(created.draft_id);
  return { userId, ...names, groupId, alias, tag, pushToken, deviceGuid: phone.deviceGuid, oldTaskId, draftId };
}

async function seedUnused({ storage }: Carillon, appId: string): Promise<void> {
  const numbers = [appId, UNUSED_FROM, UNUSED_MAX];
  const series = `from generate_series(1, $3::int) as i`;
  for (const insert of [
    `users (app_id, user_id, name) select $1, $2::bigint + i, 'their-unused-' || i ${series}`,
    `groups (app_id, group_id, name) select $1, $2::bigint + i, 'their-unused-' || i ${series}`,
    `members (app_id, group_id, user_id) select $1, $2::bigint + i, $2::bigint + i ${series}`,
    `aliases (app_id, alias, user_id) select $1, 'their-unused-' || i, $2::bigint + i ${series}`,
    `user_tokens (app_id, user_id, token_hash, expires_at)
       select $1, $2::bigint + i, sha256(i::text::bytea), now() + interval '1 day' ${series}`,
  ])
    await storage.home.query(`insert into ${insert}`, numbers);
  const devices = Array.from({ length: UNUSED_MAX }, (_, i) => {
    const { id, text } = unusedOf(i + 1);
    return { id, text, bucket: bucketOfGuid(appId, text) };
  });
  for (const { id, bucket } of devices) await addDeviceBucket(storage.home, { appId, userId: id }, bucket);
  for (const [db, some] of byDatabase(storage.shards, devices, ({ bucket }) => bucket))
    await db.query(
      `insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, alias, registered_at)
       select $1, bucket, nextval('device_numbers') * 4096 + bucket, guid, user_id, guid, guid, now()
         from unnest($2::smallint[], $3::text[], $4::bigint[]) as d (bucket, guid, user_id)`,
      [appId, some.map(({ bucket }) => bucket), some.map(({ text }) => text), some.map(({ id }) => id)],
    );
}

const unusedOf = (i: number): Unused => ({ id: UNUSED_FROM + BigInt(i), text: `their-unused-${i}` });

/**
 * Sends notifications in the other app. Requests from our app name one of them. Another one is still waiting for Bob.
 */
async function sendFromOtherApp(carillon: Carillon, { appId, adminToken, phone }: App, device: TestDevice) {
  const as = (token: string, headers: Readonly<Record<string, string>> = {}) => ({
    token,
    headers: { app_id: appId, ...headers },
  });
  const admin = as(adminToken);
  const message = { title: HIDDEN, body: `${HIDDEN} body` };
  const toAnn = { user_id: [ann.userId] };
  const setting = { request_id: REQUEST_ID };
  const taskId = await carillon.notify(toAnn, message, setting, admin);
  const others = [
    await carillon.notify(toAnn, message, setting, as(phone.token)),
    await carillon.notify(toAnn, message, setting, as(adminToken, { group_id: `${CHOIR}` })),
  ];
  const apns = await carillon.notify(toAnn, message, { distribution_strategy: 'ospush_only' }, admin);
  const waiting = await carillon.notify({ user_id: [bob.userId] }, message, {}, admin);

  const become = (task: bigint, wanted: object) =>
    eventually(async () => assert.deepEqual(await carillon.counters(task, admin), wanted));
  for (const task of [taskId, ...others]) await become(task, { nativepush: [1, 1, 1] });
  await become(apns, { apns: [1, 1, 0] });
  await become(waiting, { nativepush: [1, 0, 0] });
  const open = () =>
    carillon.storage.home.query(`select task_id from tasks where app_id = $1 and state <> 'finished'`, [appId]);
  await eventually(async () => assert.equal((await open()).length, 1, 'only the waiting task is open'));
  await eventually(async () => assert.deepEqual(await findMissingBytes(carillon, appId), []));
  await carillon.post('/push/task/cancel', { task_id: apns, recall: true }, admin);
  await eventually(async () => {
    const { data } = await carillon.post<{ channels: { recall_failed: number }[] }>(
      '/push/task/report',
      { task_id: apns },
      admin,
    );
    assert.equal(data.channels[0]?.recall_failed, 1, 'APNs cannot recall a notification');
  });
  device.received.length = 0;

  const slices = await Promise.all(
    carillon.storage.shards.all.map((db) =>
      db.query<{ reference: string }>(
        `select concat_ws('.', task_id, bucket, slice) as reference from slices where task_id = $1 and channel = 'apns'`,
        [apns],
      ),
    ),
  );
  const reference = slices.flat()[0]?.reference as string;
  return { taskId, reference, taskIds: [...others, apns, waiting] };
}

/** Returns a row if the recorded bytes of the app do not contain all of its tasks yet. */
function findMissingBytes({ storage }: Carillon, appId: string): Promise<object[]> {
  return storage.home.query(
    `select 1 from (select sum(bytes) as recorded from stored_bytes where app_id = $1) as s,
                   (select sum(octet_length(message) + octet_length(audience)) as stored from tasks where app_id = $1) as t
      where recorded is distinct from stored`,
    [appId],
  );
}

function unknownObjects(taskId: bigint): NamedObjects {
  const text = randomText(80);
  const id = 5_000_000_000n + BigInt(Math.floor(Math.random() * 1e9));
  return {
    appId: `nobodys-${text}`,
    userId: id,
    name: `nobody-${text}`,
    mobile: '+8613999999999',
    email: `${text}@example.com`,
    password: text,
    pushToken: generatePushToken(5),
    deviceGuid: text,
    groupId: id,
    oldTaskId: id,
    tag: text,
    alias: text,
    taskId: taskId + 1_000_000n,
    draftId: id,
    requestId: text,
    reference: `${taskId}.5.2000000000`,
    tokenId: id,
    auditId: id,
    provider: providerByVendor.flyme,
    unused: { id: id + 1n, text: `nobodys-unused-${text}` },
  };
}

/** Returns a GUID that is in the same bucket in both apps, so that sharding alone does not separate them. */
function guidInOneShard(ourApp: string, name: string): string {
  for (let i = 0; ; i++)
    if (bucketOfGuid(ourApp, `shared-${name}-${i}`) === bucketOfGuid(OTHER_APP, `shared-${name}-${i}`))
      return `shared-${name}-${i}`;
}

async function saveMarkedCertificate(carillon: Carillon, appId: string, channel: VendorName, mark: string) {
  const { storage, keyrings } = carillon;
  const row = { appId, channel, environment: 1 } as const;
  await saveCertificate(storage.home, {
    ...row,
    name: `${mark} ${channel}`,
    vendorAppId: `${mark} app id`,
    appKey: `${mark} key`,
    appSecret: seal(keyrings.credentials, certificateContext(row, 'app_secret'), `${mark} secret`),
    certificate: seal(keyrings.credentials, certificateContext(row, 'certificate'), `${mark} certificate`),
    expiresAt: null,
    perSecond: null,
  });
}
