import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUCKETS, bucketOfGuid } from '#src/domain/bucket.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type CallOptions, type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

describe('tags and aliases', () => {
  let carillon: Carillon;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon({ gateways: 1, workers: 2 });
    await carillon.addApp('strangers');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const newUser = (appId = carillon.appId) => addUser(carillon.storage.home, appId);

  /** Adds a phone with the APNs token `live-<number>`. */
  async function newPhone(
    userId: bigint,
    { bucket, appId = carillon.appId }: { bucket?: number; appId?: string } = {},
  ) {
    let deviceGuid: string;
    do deviceGuid = `phone-${++phones}`;
    while (bucket !== undefined && bucketOfGuid(appId, deviceGuid) !== bucket);
    const apnsToken = `live-${phones}`;
    const login = await addDevice(carillon.storage, { appId, userId, deviceGuid, apnsToken });
    return { ...login, apnsToken };
  }

  const as = (login: Login): CallOptions => ({ token: login.token });
  const tag = (login: Login, body: object) => carillon.post<{ tags: string[] }>('/device/tag', body, as(login));
  const name = (login: Login, alias: string | null) => carillon.post('/device/alias', { alias }, as(login));

  /**
   * Sends to an audience, waits until the task is finished, and checks that APNs received it for exactly the expected
   * phones.
   */
  async function reaches(audience: object, wanted: readonly { apnsToken: string }[], options?: CallOptions) {
    const taskId = await carillon.notify(
      audience,
      { body: 'hello' },
      { distribution_strategy: 'ospush_only' },
      options,
    );
    const count = wanted.length;
    await waitUntilFinished(carillon.storage, taskId);
    assert.deepEqual(await carillon.counters(taskId), count === 0 ? {} : { apns: [count, count, 0] });
    for (const { apnsToken } of wanted) {
      const arrived = await carillon.apnsNotificationsFor(apnsToken);
      assert.equal(arrived.filter(({ collapse_id }) => collapse_id === taskId.toString()).length, 1, apnsToken);
    }
    return taskId;
  }

  test('a tag reaches every device that has it, in every database, and no device from which it was removed', async () => {
    const tagged = [];
    for (let bucket = 0; bucket < BUCKETS; bucket += 200) {
      const phone = await newPhone(await newUser(), { bucket });
      await tag(phone, { add: ['news', `bucket-${bucket}`] });
      tagged.push(phone);
    }
    const [first, second] = tagged as [(typeof tagged)[0], (typeof tagged)[0]];
    await newPhone(await newUser()); // A device without tags.
    assert.deepEqual((await tag(second, { remove: ['news', 'never had'] })).data.tags, ['bucket-200']);
    const stranger = await newPhone(await newUser('strangers'), { appId: 'strangers' });
    await carillon.post('/device/tag', { add: ['news'] }, { token: stranger.token, headers: { app_id: 'strangers' } });

    const still = tagged.filter((phone) => phone !== second);
    await reaches({ tag: ['news'] }, still);
    await reaches({ tag: ['bucket-0', 'bucket-200', 'unused tag', 'news', 'bucket-0'] }, tagged);
    assert.deepEqual((await tag(first, { clear: true, add: ['only'] })).data.tags, ['only']);
    await reaches({ tag: ['bucket-0'] }, []);
    await reaches({ tag: ['only'] }, [first]);
    assert.deepEqual(await carillon.apnsNotificationsFor(stranger.apnsToken), []);
  });

  test('an alias reaches the devices of one user that have it', async () => {
    const [ann, ben] = [await newUser(), await newUser()];
    const [phone, tablet, watch, bens] = [
      await newPhone(ann),
      await newPhone(ann),
      await newPhone(ann),
      await newPhone(ben),
    ];
    await name(phone, 'ann');
    await name(tablet, 'ann');
    await name(watch, 'anns-watch');
    const refused = await carillon.tryPost('/device/alias', { alias: 'ann' }, as(bens));
    assert.equal(refused.code, 10004);
    await reaches({ alias: ['ann'] }, [phone, tablet]);
    await reaches({ alias: ['ann', 'anns-watch', 'nobody'] }, [phone, tablet, watch]);

    await name(phone, null);
    await reaches({ alias: ['ann'] }, [tablet]);
    await name(tablet, 'another');
    await name(bens, 'ann'); // No device has the alias any more.
    await reaches({ alias: ['ann'] }, [bens]);
    assert.equal((await carillon.tryPost('/device/alias', { alias: 'ann' }, as(phone))).code, 10004);
  });

  test("a group's admin reaches only members, by tag, by alias, by user id and with `all`", async () => {
    const [ann, ben, cid] = [await newUser(), await newUser(), await newUser()];
    const [anns, bens, cids] = [await newPhone(ann), await newPhone(ben), await newPhone(cid)];
    for (const phone of [anns, bens, cids]) await tag(phone, { add: ['singers'] });
    await tag(bens, { add: ['low'] });
    await name(anns, 'soprano');
    await name(cids, 'guest');
    const { data } = await carillon.post<{ group_id: number }>('/admin/group/create', { name: 'choir' });
    await carillon.post('/admin/group/add', { group_id: data.group_id, list: [ann, ben] });
    const choir: CallOptions = { headers: { group_id: `${data.group_id}` } };

    await reaches({ tag: ['singers'] }, [anns, bens], choir);
    await reaches({ tag: ['low', 'nothing'] }, [bens], choir);
    await reaches({ alias: ['soprano', 'guest'] }, [anns], choir);
    await reaches({ user_id: [ann, cid] }, [anns], choir);
    await carillon.post('/admin/group/remove', { group_id: data.group_id, list: [ann] });
    await reaches({ tag: ['singers'] }, [bens], choir);
    const all = await carillon.notify('all', { body: 'x' }, { distribution_strategy: 'ospush_only' }, choir);
    await waitUntilFinished(carillon.storage, all);
    assert.deepEqual(await carillon.counters(all), { apns: [1, 1, 0] });
    await reaches({ tag: ['singers'] }, [anns, bens, cids]);
  });

  test('an admin uses a push token to set tags and an alias, and to bind and unbind a vendor token for a user', async () => {
    const userId = await newUser();
    const phone = await newPhone(userId);
    const of = { push_token: phone.push_token };
    await carillon.post('/device/tag', { ...of, add: ['by-admin'] });
    await carillon.post('/device/alias', { ...of, alias: 'by-admin' }, { headers: { user_id: `${userId}` } });
    await reaches({ tag: ['by-admin'] }, [phone]);
    await reaches({ alias: ['by-admin'] }, [phone]);
    await carillon.post('/device/bind', { ...of, provider: 1, token: 'live-by-admin' });
    await reaches({ tag: ['by-admin'] }, [{ apnsToken: 'live-by-admin' }]);
    await carillon.post('/device/unbind', { ...of, provider: 1 });
    await reaches({ tag: ['by-admin'] }, []);
    const other = await newUser();
    const wrong = await carillon.tryPost('/device/tag', { ...of, add: ['x'] }, { headers: { user_id: `${other}` } });
    assert.equal(wrong.code, 12008);
  });

  test('the badge continues from the number that the device reported', async () => {
    const phone = await newPhone(await newUser());
    const badges = async () =>
      (await carillon.apnsNotificationsFor(phone.apnsToken)).map(({ payload }) => badgeOf(payload));
    await reaches({ push_token: [phone.push_token] }, [phone]);
    await reaches({ push_token: [phone.push_token] }, [phone]);
    assert.deepEqual(await badges(), [1, 2]);
    await carillon.post('/device/badge', {}, as(phone));
    await reaches({ push_token: [phone.push_token] }, [phone]);
    await carillon.post('/device/badge', { badge: 40 }, as(phone));
    await reaches({ push_token: [phone.push_token] }, [phone]);
    assert.deepEqual(await badges(), [1, 2, 1, 41]);
  });

  test('a device reports a received notification by its reference, and the receipt is counted once', async () => {
    const [phone, other] = [await newPhone(await newUser()), await newPhone(await newUser())];
    const taskId = await reaches({ push_token: [phone.push_token] }, [phone]);
    const [arrived] = await carillon.apnsNotificationsFor(phone.apnsToken);
    const reference = arrived?.payload.reference as string;
    const report = async (list: string[], login: Login) =>
      (await carillon.post<{ received: number }>('/device/receipt', { list }, as(login))).data.received;

    assert.equal(await report([reference], other), 0, 'a device cannot report receipts for another device');
    assert.equal(await report(['1.2.3', 'x', `${reference}0`], phone), 0);
    assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 0] });
    assert.equal(await report([reference, reference, 'x'], phone), 1);
    assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 1] });
    assert.equal(await report([reference], phone), 1);
    assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 1] });
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});

const badgeOf = (payload: Record<string, unknown>) => (payload.aps as { badge: number }).badge;
