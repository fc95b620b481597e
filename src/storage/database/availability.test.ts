import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { Availability } from './availability.ts';

describe('the availability of a server', { concurrency: true, timeout: 10_000 }, () => {
  /** Returns an availability whose probes succeed while `responds` is true. */
  function create() {
    const server = { responds: true, probes: 0, events: [] as string[] };
    const probe = async () => {
      server.probes++;
      if (!server.responds) throw new Error('no response');
    };
    const note = (event: string) => server.events.push(event);
    const log = { debug: note, info: note, warn: note, error: note } as unknown as Log;
    return { server, availability: new Availability({ probe, server: 'example:5432', log }) };
  }

  const never = () => assert.fail('The operation was aborted.');

  test('a failed operation changes nothing if the probe succeeds', async () => {
    const { server, availability } = create();
    availability.end(availability.begin(never), true);
    await sleep(10);
    assert.deepEqual([server.probes, availability.isAvailable, server.events], [1, true, []]);
    availability.close();
  });

  test('after a failed probe, operations fail immediately until a probe succeeds', async () => {
    const { server, availability } = create();
    server.responds = false;
    availability.end(availability.begin(never), true);
    await sleep(10);
    assert.deepEqual([availability.isAvailable, availability.isSilent], [false, true]);
    assert.throws(() => availability.begin(never), Unavailable);
    server.responds = true;
    while (!availability.isAvailable) await sleep(10);
    availability.end(availability.begin(never), false);
    assert.deepEqual(server.events, ['database-unavailable', 'database-available']);
    availability.close();
  });

  test('a server that does not respond is silent after a moment, and its operations are aborted after the probe', async () => {
    const { server, availability } = create();
    server.responds = false;
    const aborted = Promise.withResolvers<Unavailable>();
    const operation = availability.begin(aborted.resolve);
    assert.equal(availability.isSilent, false);
    await sleep(150);
    assert.deepEqual([availability.isSilent, availability.isAvailable], [true, true]);
    assert.ok((await aborted.promise) instanceof Unavailable);
    assert.equal(availability.isAvailable, false);
    availability.end(operation, true);
    availability.close();
  });

  test('a slow operation is not aborted while the server responds to others', async () => {
    const { server, availability } = create();
    const slow = availability.begin(never);
    for (let i = 0; i < 20; i++) {
      await sleep(80);
      availability.end(availability.begin(never), false);
      assert.equal(availability.isSilent, false);
    }
    assert.equal(server.probes, 0);
    availability.end(slow, false);
    availability.close();
  });
});

// Not among the tests above, because it blocks them.
test('a probe that times out while this process is blocked is repeated', async () => {
  const results = [false, true];
  const probe = async () => {
    const isFirst = results.length === 2;
    const succeeds = results.shift();
    if (isFirst) {
      const began = performance.now();
      while (performance.now() - began < 1_200);
      await sleep(1);
    }
    if (!succeeds) throw new Error('timeout');
  };
  const events: string[] = [];
  const note = (event: string) => events.push(event);
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Log;
  const availability = new Availability({ probe, server: 'example:5432', log });
  availability.end(
    availability.begin(() => assert.fail('The operation was aborted.')),
    true,
  );
  while (results.length > 0) await sleep(1);
  await sleep(10);
  assert.deepEqual([availability.isAvailable, events], [true, []]);
  availability.close();
});
