import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { push, signProviderToken } from './apns/test-client.ts';
import { createServerIdentity } from './kit/certificate.ts';
import { HttpsClient } from './kit/test-client.ts';
import { portFlags, vendors } from './vendors.ts';

/** Runs the command and returns its output and exit code after `use` has stopped it. */
async function run(flags: readonly string[], use: (line: string, child: ChildProcess) => Promise<void>) {
  const child = spawn(process.execPath, [`${import.meta.dirname}/main.ts`, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const lines: string[] = [];
    const output = createInterface(child.stdout);
    output.on('line', (line) => lines.push(line));
    const errors = child.stderr.toArray();
    const closed = once(child, 'close'); // all output has been read by then
    const [first] = (await Promise.race([once(output, 'line'), closed.then(() => [''])])) as [string];
    await use(first, child);
    const [code] = await closed;
    return { code, lines, errors: (await errors).join('') };
  } finally {
    child.kill('SIGKILL');
  }
}

describe('command that starts all simulators', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`prints one line of JSON and exits with 0 on ${signal}`, async () => {
      let caFile = '';
      const { code, lines } = await run(['--json'], async (line, child) => {
        const { ca_file, page_url, ...facts } = JSON.parse(line);
        caFile = ca_file;
        assert.deepEqual(Object.keys(facts), Object.keys(vendors));
        const page = await (await fetch(page_url)).text();
        for (const { phone } of Object.values(vendors)) assert.ok(page.includes(`<h2>${phone}</h2>`), phone);
        for (const { control_url, certificate } of Object.values<{ control_url: string; certificate: object }>(facts)) {
          assert.equal((await fetch(`${control_url}/arrived`)).status, 200);
          const words = ['name', 'app_id', 'app_key', 'app_secret', 'certificate'];
          assert.deepEqual(Object.keys(certificate), words);
        }
        child.kill(signal);
      });
      assert.deepEqual([code, lines.length], [0, 1]);
      assert.ok(!existsSync(caFile));
    });
  }

  test('prints its options with --help, and starts nothing', async () => {
    const { code, lines } = await run(['--help'], async () => {});
    assert.equal(code, 0);
    const documented = new Set(lines.join('\n').match(/--[a-z][\w-]+/g));
    const options = ['only', 'json', 'ca-file', 'name', 'page-port', 'slow-ms', 'help', ...portFlags];
    assert.deepEqual([...documented].sort(), options.map((option) => `--${option}`).sort());
  });

  test('listens on the given host name, which is also in the TLS certificate', async () => {
    await run(['--json', '--only', 'huawei', '--name', 'localhost'], async (line, child) => {
      const { ca_file, huawei } = JSON.parse(line);
      assert.match(huawei.token_url, /^https:\/\/localhost:\d+$/);
      assert.match(huawei.control_url, /^http:\/\/127\.0\.0\.1:\d+$/);
      await using client = new HttpsClient(readFileSync(ca_file, 'utf8'));
      assert.equal((await client.post(`${huawei.token_url}/oauth2/v3/token`, '')).isComplete, true);
      child.kill('SIGTERM');
    });
    const { certificatePem } = createServerIdentity(Date.now(), 'simulators');
    assert.equal(new X509Certificate(certificatePem).checkHost('simulators'), 'simulators');
  });

  test('serves all vendors with one authority and accepts the printed credentials', async () => {
    await run(['--json', '--slow-ms', '1'], async (line, child) => {
      const { ca_file, apns, huawei, honor } = JSON.parse(line);
      const caPem = readFileSync(ca_file, 'utf8');
      await using client = new HttpsClient(caPem);
      const { app_id, app_key, app_secret, certificate } = apns.certificate;
      const token = signProviderToken({ keyId: app_key, teamId: app_secret, p8Pem: certificate });
      const session = connect(apns.production_url, { ca: caPem });
      session.on('error', () => {}); // the server stops at the end of the test
      const headers = { authorization: `bearer ${token}`, 'apns-topic': app_id };
      assert.equal((await push(session, { token: 'slow-1', headers })).status, 200);

      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const askToken = async (url: string, id: string, secret: string) => {
        const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
        return (await client.post(url, new URLSearchParams(fields).toString(), form)).status;
      };
      const { certificate: own } = huawei;
      assert.equal(await askToken(`${huawei.token_url}/oauth2/v3/token`, own.app_id, own.app_secret), 200);
      const record = honor.certificate;
      assert.equal(await askToken(`${honor.token_url}/auth/token`, record.app_key, record.app_secret), 200);
      child.kill('SIGTERM');
    });
  });

  test('starts only the given simulators, on the given ports', async () => {
    await run(['--json', '--only', 'honor,apns', '--honor-send-port', '0'], async (line, child) => {
      assert.deepEqual(Object.keys(JSON.parse(line)), ['ca_file', 'page_url', 'honor', 'apns']);
      const { port } = new URL(JSON.parse(line).honor.send_url);
      const taken = await run(['--only', 'honor', '--honor-send-port', port], async () => {});
      assert.equal(taken.code, 1);
      assert.match(taken.errors, new RegExp(`EADDRINUSE.*${port}`));
      child.kill('SIGTERM');
    });
  });

  test('prints human-readable lines', async () => {
    const { lines } = await run([], async (_line, child) => {
      child.kill('SIGTERM');
    });
    for (const [name, { phone }] of Object.entries(vendors)) assert.ok(lines.includes(`${phone} (${name})`));
    assert.ok(lines.some((line) => /^ {2}token_url: https:\/\/127\.0\.0\.1:\d+$/.test(line)));
  });

  const bad = [
    ['--only', 'nokia'],
    ['--huawei-send-port', '70000'],
    ['--slow-ms', 'long'],
  ];
  for (const flags of bad) {
    test(`rejects ${flags.join(' ')}`, async () => {
      const { code, errors } = await run(flags, async () => {});
      assert.equal(code, 1);
      assert.match(errors, new RegExp(`${flags[0]} must`));
    });
  }
});
