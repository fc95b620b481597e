import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import {
  errorResponse,
  type RecordedRequest,
  type StubAction,
  startStubServer,
  successResponse,
} from '../../sdk/support/stub-server.ts';
import { cliPath, environmentFor, run, runOnTerminal } from '../support/run-command.ts';

const VENDOR_TOKEN = 'b5bb9d8014a0f9b1d61e21e796d78dcc';

const trace = (said: string, detail: string, more = '') =>
  `{"task_id":7,"list":[{"push_token":"p0","device_guid":"g","state":"sent","why":"Because.","channels":[${more}],
    "attempts":[{"at":1,"channel":"huawei","said":"${said}","detail":"${detail}","text":"Text."}]}]}`;

/** Responses of a service whose vendor accepts the notification, rejects the bad token and sends no receipt. */
const responses: Readonly<Record<string, StubAction>> = {
  '/openapi.json': { body: '{"info":{"version":"9.9.9"}}' },
  '/admin/certificate/list': successResponse(
    '[{"provider":2,"environment":1,"name":"Huawei","app_id":"100000001","app_key":"","expire":null,"per_second":null,"version":1,"updated_at":1}]',
  ),
  '/admin/certificate/check': successResponse('{"result":"good","reason":"","default_url":true}'),
  '/admin/user/create': successResponse('{"user_id":42}'),
  '/admin/user/token': successResponse(
    '{"token":"cu_access-token","push_token":"p0-push-token","expire":1,"user_id":42}',
  ),
  '/device/bind': successResponse('{}'),
  '/push/notify': successResponse('{"task_id":7}'),
  '/push/task/trace': successResponse(trace('accepted', 'm1')),
  '/push/task/cancel': successResponse('{}'),
  '/admin/user/find': successResponse('{"user_id":43}'),
  '/admin/user/delete': successResponse('{}'),
};

const serve = (changes: Readonly<Record<string, StubAction>> = {}) =>
  startStubServer(({ path }) => changes[path] ?? responses[path] ?? errorResponse(404, 10006, 'Operation not found.'));

const pathsOf = (requests: readonly RecordedRequest[]) => requests.map(({ path }) => path);
const DELETE = '/admin/user/delete';

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'carillon-probe-'));
});
after(() => rm(directory, { recursive: true }));

const probeArgs = (...args: string[]) => ['vendor', 'probe', 'huawei', '--directory', directory, ...args];
const withToken = (...args: string[]) => probeArgs('--vendor-token', VENDOR_TOKEN, ...args);
const reports = async () => (await readdir(directory)).length;

describe('vendor probe', () => {
  test('prints the steps and writes a report with the versions', async () => {
    await using peer = await serve();
    const { code, stdout } = await run(withToken('--receipt-seconds', '0'), environmentFor(peer));
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok +credentials +Huawei accepts the credentials\./m);
    assert.match(stdout, /^ok +notification +Huawei accepted the notification\./m);
    assert.match(stdout, /^warning +bad token +Huawei accepted the notification to the bad token\./m);
    assert.match(stdout, /^warning +receipt +Receipts were not checked\./m);
    assert.match(stdout, /\nHuawei is confirmed live\.\nReport: (.*\.md)\n/);
    const [, path = ''] = /^Report: (.*)$/m.exec(stdout) ?? [];
    assert.match(path, /\/carillon-probe-huawei-\d{4}-\d\d-\d\d\.md$/);
    assert.match(await readFile(path, 'utf8'), /\| Version of the service \| 9\.9\.9 \|/);
    const bodies = peer.requests.filter((request) => request.path === '/device/bind').map(({ body }) => body);
    assert.deepEqual(bodies, [
      `{"provider":2,"environment":1,"token":"${VENDOR_TOKEN}","push_token":"p0-push-token"}`,
      '{"provider":2,"environment":1,"token":"nobody","push_token":"p0-push-token"}',
    ]);
    assert.equal(peer.requests.at(-1)?.path, DELETE);
    assert.equal(peer.requests.at(-1)?.body, '{"user_id":42}');
  });

  test('does not bind a vendor token if the device exists', async () => {
    await using peer = await serve();
    const { code, stdout } = await run(
      probeArgs('--push-token', 'p0-existing', '--receipt-seconds', '0', '--json'),
      environmentFor(peer),
    );
    assert.equal(code, 0, stdout);
    const { confirmed, steps } = JSON.parse(stdout) as { confirmed: boolean; steps: { check: string }[] };
    assert.equal(confirmed, true);
    assert.equal(steps.length, 6);
    assert.equal(pathsOf(peer.requests).filter((path) => path === '/device/bind').length, 1);
    const notified = peer.requests.find(({ path }) => path === '/push/notify')?.body;
    assert.match(String(notified), /"push_token":\["p0-existing"\].*"ospush_sequence":\["huawei"\]/);
  });

  test('creates nothing if the credentials are missing or rejected, and prints the next step', async () => {
    const refused = successResponse('{"result":"refused","reason":"1101: check the App secret","default_url":true}');
    for (const [changes, expected] of [
      [{ '/admin/certificate/list': successResponse('[]') }, /has no credentials for Huawei/],
      [{ '/admin/certificate/check': refused }, /rejects the credentials: 1101: check the App secret/],
    ] as const) {
      await using peer = await serve(changes);
      const { code, stdout } = await run(withToken(), environmentFor(peer));
      assert.equal(code, 1);
      assert.match(stdout, expected);
      assert.match(stdout, /carillon certificate save --provider huawei --environment 1/);
      assert.match(stdout, /^Not run: devices, notification, bad token, receipt\.$/m);
      assert.ok(!pathsOf(peer.requests).includes('/admin/user/create'));
    }
  });

  test('does not confirm a vendor whose URL a setting replaces', async () => {
    const replaced = successResponse('{"result":"good","reason":"","default_url":false}');
    await using peer = await serve({ '/admin/certificate/check': replaced });
    const { code, stdout } = await run(withToken('--receipt-seconds', '0'), environmentFor(peer));
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Huawei is not confirmed live: the service does not call the default URL of the vendor\./);
  });

  test('fails without a report if the token lacks a scope', async () => {
    const before = await reports();
    await using peer = await serve({ '/admin/certificate/list': errorResponse(403, 10010, 'No permission.') });
    const { code, stderr } = await run(withToken(), environmentFor(peer));
    assert.equal(code, 1);
    assert.match(stderr, /^error: No permission\. Use an admin token with the scopes push and manage\.\n$/);
    assert.equal(await reports(), before);
  });

  test('deletes the test user if a step fails, and finds it by name if the response to its creation is lost', async () => {
    await using peer = await serve({ '/admin/user/create': 'hang-up' });
    const { code, stdout } = await run(withToken(), environmentFor(peer));
    assert.equal(code, 1);
    assert.match(stdout, /^wrong +devices /m);
    const { name } = JSON.parse(peer.requests.find(({ path }) => path === '/admin/user/create')?.body ?? '') as {
      name: string;
    };
    assert.match(name, /^vendor-probe-/);
    assert.deepEqual(
      peer.requests.slice(-2).map(({ path, body }) => [path, body]),
      [
        ['/admin/user/find', `{"name":"${name}"}`],
        [DELETE, '{"user_id":43}'],
      ],
    );
  });

  test('prints how to delete the test user if the deletion fails', async () => {
    await using peer = await serve({ [DELETE]: errorResponse(503, 50003, 'Try again in a moment.') });
    const { code, stdout } = await run(withToken('--receipt-seconds', '0'), environmentFor(peer));
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^wrong +clean-up +The service returned error 50003[\s\S]*carillon user find --name vendor-probe-/m,
    );
  });

  test('deletes the test user and cancels open tasks if it is interrupted, and writes no report', async () => {
    const before = await reports();
    const open = successResponse(trace('throttled', 'retry after 60 s').replace('"state":"sent"', '"state":"open"'));
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      await using peer = await serve({ '/push/task/trace': open });
      const child = spawn(process.execPath, [cliPath, ...withToken()], { env: environmentFor(peer) });
      const stderr = text(child.stderr);
      child.stderr.once('data', () => child.kill(signal));
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, exitCode);
      assert.match(await stderr, /^Waiting for the response of Huawei, at most 60 s\.\nInterrupted\. Deleting/);
      assert.deepEqual(pathsOf(peer.requests).slice(-2), ['/push/task/cancel', DELETE]);
    }
    assert.equal(await reports(), before);
  });

  test('shows the time on a terminal', async () => {
    const open = successResponse(trace('throttled', 'retry after 60 s').replace('"state":"sent"', '"state":"open"'));
    await using peer = await serve({ '/push/task/trace': open });
    const { code, output } = await runOnTerminal(withToken('--send-seconds', '2'), environmentFor(peer));
    assert.equal(code, 1);
    assert.ok(output.includes('\r\u001b[KWaiting for the response of Huawei: 1 s of at most 2 s'), output);
    assert.match(output, /Huawei did not accept the notification\. Because\./);
  });

  test('rejects wrong usage before the first request', async () => {
    await using peer = await serve();
    for (const [args, expected] of [
      [
        ['vendor', 'probe', 'nokia', '--vendor-token', 'x'],
        /must be a vendor, not "nokia"\. Vendors: apns, fcm, harmony, .* meizu, /,
      ],
      [['vendor', 'probe', 'apns'], /^error: Set --vendor-token .* or --push-token/],
      [withToken('--push-token', 'p0'), /^error: Set --vendor-token .* or --push-token/],
      [withToken('--receipt-seconds', '1h'), /^error: --receipt-seconds must be a number of seconds from 0 to 3600/],
      [withToken('--directory', '/does/not/exist'), /^error: --directory: files cannot be written/],
      [withToken('--message', '[]'), /^error: --message must be a JSON object/],
    ] as const) {
      const { code, stderr } = await run([...args], environmentFor(peer));
      assert.equal(code, 2, stderr);
      assert.match(stderr, expected);
    }
    assert.deepEqual(peer.requests, []);
  });
});
