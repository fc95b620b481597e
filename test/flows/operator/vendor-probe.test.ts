import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { providerByVendor, type VendorName, vendorFacts } from '#src/domain/channel.ts';
import { type CommandResult, cliPath, run } from '../../../cli/support/run-command.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';
import { findParts, plantCredentials } from './vendor-probe/planted-secrets.ts';

/** The code with which each simulator rejects a token in the wrong format. */
const badTokenCodes = {
  apns: 'BadDeviceToken',
  fcm: 'INVALID_ARGUMENT message.token',
  flyme: '110003',
  honor: 'expireTokens',
  huawei: '80300007',
  oppo: '10000',
  vivo: '10302 status 1',
  xiaomi: '20301',
} as const satisfies Partial<Record<VendorName, string>>;
type ProbedVendor = keyof typeof badTokenCodes;
const probedVendors = Object.keys(badTokenCodes) as ProbedVendor[];

describe('carillon vendor probe', () => {
  let vendors: VendorSimulators;
  let carillon: Carillon;
  let directory: string;
  let env: Record<string, string>;
  const secrets: string[] = [];
  /** Everything that the command has printed or written. */
  const outputs: string[] = [];

  before(async () => {
    vendors = await startVendorSimulators();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    carillon = await startCarillon({
      gateways: 0,
      workers: 0, // The worker is started after the callbacks exist, because a running worker reads them after a delay.
      settings: {
        ...vendors.settings,
        CARILLON_API_PORT: `${port}`,
        CARILLON_PUBLIC_URL: url,
        CARILLON_LOG_LEVEL: 'debug',
      },
    });
    for (const vendor of probedVendors) await configure(vendor, url);
    await carillon.start('worker');
    directory = await mkdtemp(join(tmpdir(), 'carillon-probe-'));
    secrets.push(carillon.adminToken);
    env = { CARILLON_URL: url, CARILLON_APP_ID: carillon.appId, CARILLON_ADMIN_TOKEN: carillon.adminToken };
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await vendors?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  /** Saves planted credentials, and configures receipts if the vendor sends them. */
  async function configure(vendor: VendorName, url: string): Promise<void> {
    const provider = providerByVendor[vendor];
    const planted = await plantCredentials(vendors, vendor);
    secrets.push(...planted.secrets);
    await carillon.post('/admin/certificate/save', { provider, ...planted.certificate, name: vendor });
    if (!vendorFacts[vendor].sendsReceipts) return;
    const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', { provider });
    secrets.push(data.path.split('/').at(-1) as string);
    await vendors.post(vendor, '/receipts', { url: `${url}${data.path}` });
  }

  /** Returns a vendor token whose beginning selects the response of the simulators. */
  function newToken(prefix: string): string {
    const token = `${prefix}-${randomBytes(12).toString('hex')}`;
    secrets.push(token.slice(prefix.length));
    return token;
  }

  async function probe(vendor: string, ...args: string[]): Promise<CommandResult & { report: string }> {
    const result = await run(['vendor', 'probe', vendor, '--directory', directory, ...args], env);
    const [, path] = /^Report: (.*)$/m.exec(result.stdout) ?? [];
    const report = path === undefined ? '' : await readFile(path, 'utf8');
    outputs.push(result.stdout, result.stderr, report);
    return { ...result, report };
  }

  /** Returns the names of the test users that still exist. */
  async function testUsers(): Promise<string[]> {
    const { data } = await carillon.post<{ list: { name: string | null }[] }>('/admin/user/list', {});
    return data.list.map(({ name }) => name ?? '').filter((name) => name.startsWith('vendor-probe-'));
  }

  for (const vendor of probedVendors)
    test(`${vendor}: checks credentials, a notification, a bad token and receipts, and deletes its devices`, async () => {
      const token = newToken('live');
      await writeFile(join(directory, 'token.txt'), `${token}\n`);
      const tokenFile = `@${join(directory, 'token.txt')}`;
      const { code, stdout, stderr, report } = await probe(
        vendor,
        '--vendor-token',
        tokenFile,
        '--receipt-seconds',
        '30',
      );
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      const { displayName, sendsReceipts } = vendorFacts[vendor];
      assert.match(stdout, /^warning +credentials +The credentials are accepted, but not by /m);
      assert.match(stdout, new RegExp(`^ok +notification +${displayName} accepted the notification\\.$`, 'm'));
      assert.match(stdout, new RegExp(`^ok +bad token +${displayName} rejected the bad token as invalid\\.$`, 'm'));
      assert.match(
        stdout,
        sendsReceipts
          ? new RegExp(`^ok +receipt +A receipt from ${displayName} was recorded at most \\d`, 'm')
          : /^warning +receipt +Receipts were not checked: /m,
      );
      assert.match(
        stdout,
        new RegExp(`^${displayName} is not confirmed live: the service does not call the default URL`, 'm'),
      );
      assert.ok(report.includes(`| token-dead | ${badTokenCodes[vendor].replaceAll('_', '\\_')} |\n`), report);
      assert.match(report, /\| Live service confirmed \| no \|/);
      assert.deepEqual(await vendors.arrivedTokens(vendor, token), [token]);
      assert.deepEqual(await testUsers(), []);
    });

  test('checks receipts from the app on an existing device', async () => {
    const ada = await carillon.createUser('ada');
    const login = await carillon.logIn(ada, 'her-phone');
    const token = newToken('live');
    secrets.push(login.push_token);
    await carillon.post('/device/bind', { provider: providerByVendor.apns, token }, { token: login.token });
    const probing = probe('apns', '--push-token', login.push_token, '--receipt-seconds', '60');
    const { payload } = await arrivedApnsNotification(token);
    await carillon.post('/device/receipt', { list: [payload.reference] }, { token: login.token });
    const { code, stdout } = await probing;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok +receipt +A receipt from the app was recorded/m);
    const { data } = await carillon.post<{ providers?: unknown }[]>('/device/list', {}, { token: login.token });
    assert.equal(data.length, 1, 'the device still exists');
  });

  async function arrivedApnsNotification(token: string): Promise<{ payload: { reference: string } }> {
    return await eventually(async () => {
      const { arrived } = await vendors.get<{ arrived: { payload: { reference: string } }[] }>(
        'apns',
        `/arrived?token=${token}`,
      );
      return arrived[0] ?? assert.fail('the notification has not arrived yet');
    });
  }

  test('reports a rejected vendor token with the next step', async () => {
    const { code, stdout, report } = await probe('fcm', '--vendor-token', newToken('dead'));
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^wrong +notification +FCM did not accept the notification\./m);
    assert.match(stdout, /docs\/vendors\/mismatches\.md/);
    assert.match(report, /\| token-dead \| UNREGISTERED/);
    assert.deepEqual(await testUsers(), []);
  });

  test('deletes its devices if it is interrupted while it waits for a receipt', async () => {
    const reportsBefore = (await readdir(directory)).length;
    await fetch(`${vendors.factsOf('honor').control_url}/receipts`, { method: 'DELETE' });
    const args = ['vendor', 'probe', 'honor', '--directory', directory, '--vendor-token', newToken('live')];
    const child = spawn(process.execPath, [cliPath, ...args], { env });
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('Waiting for a receipt from Honor')) child.kill('SIGINT');
    });
    const [code] = (await once(child, 'exit')) as [number];
    outputs.push(await stdout, await stderr);
    assert.equal(code, 130);
    assert.match(await stdout, /^ok +clean-up +The test user and its devices were deleted\./m);
    assert.deepEqual(await testUsers(), []);
    assert.equal((await readdir(directory)).length, reportsBefore, 'no report was written');
  });

  test('removes secrets that a vendor quotes in its responses', async () => {
    const { app_secret } = await readCredentials('huawei');
    const echoed = [app_secret, encodeURIComponent(app_secret), Buffer.from(`x:${app_secret}`).toString('base64')];
    // The first request is the check of the credentials.
    const fault = { kind: 'answer', requests: 1, after_requests: 1 };
    const body = { code: '80000000', msg: 'Success', requestId: echoed.join(' ') };
    await vendors.post('huawei', '/faults', { ...fault, status: 200, body });
    const accepted = await probe('huawei', '--vendor-token', newToken('live'), '--receipt-seconds', '0');
    assert.match(accepted.report, /\| accepted \| message ID \\\[redacted\\\] \|/);

    const { certificate } = await readCredentials('fcm');
    const { private_key = '' } = JSON.parse(certificate) as { private_key?: string };
    const token = newToken('live');
    const quoted = `The key ${private_key.split('\n')[5]} cannot send to ${token.slice(0, 20)}`;
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: quoted }];
    const error = { code: 400, status: 'FAILED_PRECONDITION', message: 'no', details };
    await vendors.post('fcm', '/faults', { ...fault, status: 400, body: { error } });
    const refused = await probe('fcm', '--vendor-token', token);
    assert.match(refused.stdout, /^wrong +notification /m);
    assert.match(refused.report, /\| refused \| FAILED\\_PRECONDITION The key \\\[redacted\\\] cannot send to /);

    // The service logs why it pauses a channel.
    const denied = { error: { ...error, code: 403, status: 'PERMISSION_DENIED' } };
    await vendors.post('fcm', '/faults', { ...fault, requests: 100, status: 403, body: denied });
    const lockedOut = await probe('fcm', '--vendor-token', token);
    assert.match(lockedOut.report, /\| locked-out \| PERMISSION\\_DENIED The key \\\[redacted\\\] cannot send to /);
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('breaker-tripped'))));
  });

  async function readCredentials(vendor: VendorName): Promise<{ app_secret: string; certificate: string }> {
    const response = await fetch(`${env.CARILLON_URL}/push/certificate?provider=${providerByVendor[vendor]}`, {
      headers: { app_id: carillon.appId, 'access-token': carillon.adminToken },
    });
    return ((await response.json()) as { data: { app_secret: string; certificate: string } }).data;
  }

  test('neither the reports, nor the terminal, nor the logs contain a secret or a part of one', () => {
    assert.ok(outputs.length >= 3 * (probedVendors.length + 4), 'there are outputs to check');
    assert.ok(secrets.length > 30, 'there are secrets to look for');
    assert.deepEqual(findParts(outputs.join('\n'), secrets), []);
    assert.ok(carillon.logLines.length > 10, 'there are log lines to check');
    assert.deepEqual(findParts(carillon.logLines.join('\n'), secrets), []);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
