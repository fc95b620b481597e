import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';

const REQUESTS = 40;
const CPU_MS_MAX = 15;
/** An admin token is trusted more, and may send a large notification. */
const CPU_WITH_TOKEN_MS_MAX = 40;
const LARGE = 256 * 1_024 - 64;
const SMALL = 16 * 1_024 - 64;
/** Length of one tick of the CPU time in /proc. */
const TICK_MS = 10;

/** Bodies of about this many bytes that are expensive to parse. */
const bodiesOf = (bytes: number): Record<string, string> => ({
  'small numbers': `{"a":[${'1,'.repeat((bytes - 24) / 2)}9]}`,
  'small numbers and a long integer': `{"a":[${'1,'.repeat((bytes - 24) / 2)}9999999999999999]}`,
  'small numbers and digits in a string': `{"a":[${'1,'.repeat((bytes - 24) / 2)}"9999999999999999"]}`,
  'empty lists': `{"a":[${'[],'.repeat((bytes - 24) / 3)}9999999999999999]}`,
  'long integers': `{"a":[${'9999999999999999,'.repeat((bytes - 24) / 17)}9]}`,
  'nested lists': `{"a":${'['.repeat((bytes - 40) / 2)}9999999999999999${']'.repeat((bytes - 40) / 2)}}`,
  'escaped quotes': `{"a":["${'\\"'.repeat((bytes - 40) / 2)}",9999999999999999]}`,
  'a forbidden key at the end': `{"a":[${'1,'.repeat((bytes - 40) / 2)}{"__proto__":1}]}`,
});

describe('CPU time of an API process for one request', () => {
  let carillon: Carillon;
  let api: RoleProcess;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
    [api] = carillon.apis as [RoleProcess];
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Returns the CPU time of the thread that handles all requests. */
  function readCpuMs(): number {
    const stat = readFileSync(`/proc/${api.pid}/task/${api.pid}/stat`, 'utf8').replace(/^.*\) /, '');
    const fields = stat.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  async function measure(path: string, body: string, headers: Readonly<Record<string, string>>) {
    const post = async () => {
      const response = await fetch(`${api.apiUrl}${path}`, {
        method: 'POST',
        headers: { app_id: carillon.appId, 'content-type': 'application/json', ...headers },
        body,
      });
      return ((await response.json()) as { code: number }).code;
    };
    for (let i = 0; i < 5; i++) await post();
    const before = readCpuMs();
    const codes = new Set<number>();
    for (let i = 0; i < REQUESTS; i++) codes.add(await post());
    const cpuMs = (readCpuMs() - before) / REQUESTS;
    console.log(`  ${body.length} bytes, code ${[...codes].join()}, ${cpuMs.toFixed(1)} ms`);
    return { cpuMs, codes: [...codes] };
  }

  for (const [name, body] of Object.entries(bodiesOf(LARGE)))
    test(`without a token, 256 KB of ${name}: the body is not parsed`, async () => {
      const { cpuMs, codes } = await measure('/push/notify', body, {});
      assert.deepEqual(codes, [10003]);
      assert.ok(cpuMs <= CPU_MS_MAX, `${cpuMs} ms`);
    });

  test('with an invalid token, 256 KB: the body is not parsed', async () => {
    const body = bodiesOf(LARGE)['small numbers and a long integer'] as string;
    const { cpuMs, codes } = await measure('/push/notify', body, { 'access-token': 'ca_invalid' });
    assert.deepEqual(codes, [10008]);
    assert.ok(cpuMs <= CPU_MS_MAX, `${cpuMs} ms`);
  });

  for (const [name, body] of Object.entries(bodiesOf(SMALL)))
    test(`a login with 16 KB of ${name}`, async () => {
      const { cpuMs, codes } = await measure('/token/user', body, {});
      assert.ok(codes.every((code) => code === 10002 || code === 12009));
      assert.ok(cpuMs <= CPU_MS_MAX, `${cpuMs} ms`);
    });

  test('a login with 256 KB is rejected', async () => {
    const { cpuMs, codes } = await measure('/token/user', bodiesOf(LARGE)['long integers'] as string, {});
    assert.deepEqual(codes, [12009]);
    assert.ok(cpuMs <= CPU_MS_MAX, `${cpuMs} ms`);
  });

  for (const [name, body] of Object.entries(bodiesOf(LARGE)))
    test(`with an admin token, 256 KB of ${name}`, async () => {
      const { cpuMs, codes } = await measure('/push/notify', body, { 'access-token': carillon.adminToken });
      assert.ok(codes.every((code) => code === 10002 || code === 12009));
      assert.ok(cpuMs <= CPU_WITH_TOKEN_MS_MAX, `${cpuMs} ms`);
    });
});
