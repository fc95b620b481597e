import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { needsTwoShards, type ShardOutage, startWithProxiedShard } from '../support/shard-outage.ts';

interface Validated {
  readonly devices: number;
  readonly incomplete: boolean;
}

interface Draft {
  readonly draft_id: number;
  readonly devices: number;
  readonly needs_approval: boolean;
}

describe('counts of an audience during the outage of a shard database', needsTwoShards, () => {
  let outage: ShardOutage;

  before(async () => {
    outage = await startWithProxiedShard({ gateways: 0 });
  });
  after(() => outage?.[Symbol.asyncDispose]());

  const post = async <T>(path: string, body: object): Promise<T> => (await outage.carillon.post<T>(path, body)).data;

  test('are exact for users in other databases, and otherwise incomplete, so that a draft needs approval', async () => {
    const near = await outage.addDevice('available');
    const far = await outage.addDevice('proxied');
    await post('/admin/app/update', { approval_above: 10 });
    outage.fail('refuse');
    const message = { title: 'Hello' };
    const counted = async (audience: object | string) => {
      const validated = await post<Validated>('/push/validate', { audience, message });
      const draft = await post<Draft>('/push/draft/create', { audience, message });
      assert.equal(draft.devices, validated.devices);
      return [validated.devices, validated.incomplete, draft.needs_approval];
    };
    assert.deepEqual(await counted({ user_id: [near.userId] }), [1, false, false]);
    assert.deepEqual(await counted({ push_token: [near.login.push_token] }), [1, false, false]);
    assert.deepEqual(await counted({ user_id: [near.userId, far.userId] }), [1, true, true]);
    assert.deepEqual(await counted({ push_token: [far.login.push_token] }), [0, true, true]);
    assert.deepEqual(await counted('all'), [1, true, true]);
    await outage.recover();
    assert.deepEqual(await counted('all'), [2, false, false]);
  });
});
