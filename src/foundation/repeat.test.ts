import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { repeat } from './repeat.ts';

/** A pause so long that a test waiting for its end would visibly hang. */
const NEVER_MS = 10 * 60_000;

describe('repeated work', () => {
  test('starts immediately and continues, one call after the other', async () => {
    const enough = Promise.withResolvers<void>();
    let calls = 0;
    let running = 0;
    const repeated = repeat({
      pauseMs: 1,
      work: async () => {
        assert.equal(++running, 1, 'never two calls at the same time');
        await new Promise((resume) => setImmediate(resume));
        running--;
        if (++calls === 5) enough.resolve();
      },
      onError: enough.reject,
    });
    assert.equal(running, 1, 'the first call has started');
    await enough.promise;
    await repeated.stop();
  });

  test('continues after a failure, and reports the failure', async () => {
    const enough = Promise.withResolvers<void>();
    const errors: unknown[] = [];
    let calls = 0;
    const repeated = repeat({
      pauseMs: 1,
      work: async () => {
        calls++;
        if (calls === 4) enough.resolve();
        else throw new Error(`failure ${calls}`);
      },
      onError: (error) => errors.push((error as Error).message),
    });
    await enough.promise;
    await repeated.stop();
    assert.deepEqual(errors, ['failure 1', 'failure 2', 'failure 3']);
  });

  test('stops during a pause without waiting for its end', async () => {
    const called = Promise.withResolvers<void>();
    let calls = 0;
    const repeated = repeat({
      pauseMs: NEVER_MS,
      work: async () => {
        calls++;
        called.resolve();
      },
      onError: (error) => assert.fail(String(error)),
    });
    await called.promise;
    await new Promise((resume) => setImmediate(resume)); // the pause has started
    await repeated.stop();
    assert.equal(calls, 1);
  });

  test('stops after the current call has ended, and starts no other call', async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const happened: string[] = [];
    const repeated = repeat({
      pauseMs: 0,
      work: async () => {
        begun.resolve();
        await end.promise;
        happened.push('worked');
      },
      onError: (error) => assert.fail(String(error)),
    });
    await begun.promise;
    const stopped = repeated.stop().then(() => happened.push('stopped'));
    await new Promise((resume) => setImmediate(resume));
    assert.deepEqual(happened, []);
    end.resolve();
    await stopped;
    assert.deepEqual(happened, ['worked', 'stopped']);
  });
});
