import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createHistory, type HistoryApp } from '../../../scripts/dev/history/create-history.ts';
import { seedCertificate } from '../../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';

const CHINESE = { 'accept-language': 'zh-CN,zh;q=0.9' };
const ORIGIN = 'https://shop.example.com';

describe('the language of explanations', () => {
  let carillon: Carillon;
  let news: HistoryApp;
  let task: { readonly task_id: bigint };
  let pushToken: string;
  let userId: bigint;

  before(async () => {
    carillon = await startCarillon({ databases: 1, gateways: 0, workers: 0, checksLaws: false });
    const { storage, keyrings, apns } = carillon;
    [, news] = (await createHistory(storage, keyrings, { devicesMax: 1_200 })) as [HistoryApp, HistoryApp];
    await seedCertificate(storage.home, keyrings, 'news', 'apns', apns.certificate);
    const [device] = await storage.home.query<{ pushToken: string; userId: bigint }>(
      `select push_token as "pushToken", user_id as "userId" from devices
        where app_id = 'news' and latest_domestic = 'huawei' limit 1`,
    );
    assert.ok(device);
    ({ pushToken, userId } = device);
    const { data } = await call<{ list: { task_id: bigint; audience: string; state: string }[] }>(
      '/push/task/list',
      {},
    );
    task = data.list.find(({ audience, state }) => audience === 'all' && state === 'finished') as never;
    assert.ok(task);
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const call = <T>(path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    carillon.post<T>(path, body, { token: news.admin_token, headers: { app_id: 'news', ...headers } });

  /** Calls with and without the header, and checks the texts of both responses. */
  async function checkTexts<T>(path: string, body: object, textsOf: (data: T) => readonly string[]): Promise<void> {
    const english = await call<T>(path, body);
    const otherLanguage = await call<T>(path, body, { 'accept-language': 'de-DE,de;q=0.9' });
    const chinese = await call<T>(path, body, CHINESE);
    for (const { headers } of [english, chinese]) assert.equal(headers.get('vary'), 'accept-language');
    assert.ok(textsOf(english.data).length > 0, `${path} returned no texts`);
    assert.equal(textsOf(chinese.data).length, textsOf(english.data).length);
    for (const text of textsOf(english.data)) assert.doesNotMatch(text, /\p{Script=Han}/u);
    for (const text of textsOf(chinese.data)) assert.match(text, /\p{Script=Han}.*。$/u);
    assert.deepEqual(textsOf(otherLanguage.data), textsOf(english.data));
  }

  test('is that of accept-language in /push/task/trace', () =>
    checkTexts<{ list: { why: string; attempts: { text: string }[] }[] }>(
      '/push/task/trace',
      { task_id: task.task_id, push_token: pushToken },
      ({ list }) => list.flatMap(({ why, attempts }) => [why, ...attempts.map(({ text }) => text)]),
    ));

  test('is that of accept-language in /push/task/trace for a device that is not in the audience', async () => {
    const { data } = await call<{ task_id: bigint }>('/push/notify', {
      audience: { tag: ['nobody'] },
      message: { title: 'T' },
      setting: { hold_seconds: 300 },
    });
    await checkTexts<{ list: { state: string; why: string }[] }>(
      '/push/task/trace',
      { task_id: data.task_id, push_token: pushToken },
      ({ list }) => list.map(({ why }) => why),
    );
  });

  test('is that of accept-language in /admin/device/notifications', () =>
    checkTexts<{ list: { why: string }[] }>('/admin/device/notifications', { user_id: userId }, ({ list }) =>
      list.map(({ why }) => why),
    ));

  test('is that of accept-language in /push/validate', () =>
    checkTexts<{ previews: { notes: string[] }[]; cuts: { text: string }[]; demotions: { text: string }[] }>(
      '/push/validate',
      { audience: 'all', message: { type: 'cmd', body: 'x'.repeat(3_000), ext: { x: 'y'.repeat(3_000) } } },
      ({ previews, cuts, demotions }) => [
        ...previews.flatMap(({ notes }) => notes),
        ...[...cuts, ...demotions].map(({ text }) => text),
      ],
    ));

  test('is that of accept-language for advice about a paused channel', async () => {
    await carillon.storage.home.query(
      `insert into breakers (app_id, channel, environment, version, cause, reason, tripped_at, probe_at)
       select app_id, channel, environment, version, 'locked-out',
              'BadCertificate: check that the certificate is a push certificate and has not been revoked', now(),
              now() + interval '1 day'
         from certificates where app_id = 'news' and channel = 'apns' and environment = 1`,
    );
    const reasonIn = async (headers: Readonly<Record<string, string>>) =>
      (await call<{ reason: string }[]>('/admin/channel/list', {}, headers)).data.flatMap(({ reason }) => reason || []);
    assert.deepEqual(await reasonIn({}), [
      'BadCertificate: check that the certificate is a push certificate and has not been revoked',
    ]);
    assert.deepEqual(await reasonIn(CHINESE), ['BadCertificate：请检查证书是否为推送证书，以及是否已被吊销']);
  });

  test('does not matter to other operations, whose responses do not vary', async () => {
    const { headers } = await call('/push/task/list', {}, CHINESE);
    assert.equal(headers.get('vary'), null);
  });

  test('varies together with the origin of a page', async () => {
    const user = await carillon.createUser('ada');
    const login = await carillon.logIn(user, 'a-browser');
    await carillon.post('/admin/app/update', { cors_origins: [ORIGIN], user_push: 'self' });
    const { headers, data } = await carillon.post<{ cuts: unknown[] }>(
      '/push/validate',
      { audience: { user_id: [user.userId] }, message: { title: 'T' } },
      { token: login.token, headers: { ...CHINESE, origin: ORIGIN } },
    );
    assert.deepEqual(data.cuts, []);
    assert.equal(headers.get('access-control-allow-origin'), ORIGIN);
    assert.equal(headers.get('vary'), 'accept-language, origin');
  });
});
