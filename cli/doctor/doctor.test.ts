import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import {
  errorResponse,
  type RecordedRequest,
  type StubAction,
  startStubServer,
  successResponse,
} from '../../sdk/support/stub-server.ts';
import { environmentFor, run, runOnTerminal } from '../support/run-command.ts';
import { type Finding, findingOfClock, findingOfExpiry } from './finding.ts';
import { printFinding } from './print-finding.ts';
import { findingsOfClocks } from './server/compare-databases.ts';
import { checkFileLimit } from './server/file-limit.ts';

const noToken = errorResponse(401, 10003, 'The access token is missing. Send it in the access-token header.');
const channel = (more: string) =>
  `{"provider":5,"environment":1,"name":"vivo","expire":null,"open":true,"reason":"","closed_at":null,"spent":[],"per_second":null,"throttled_at":null${more}}`;

const app = (devices: number) =>
  `{"app_id":"bells","ceilings":{"users":0,"devices":100},"usage":{"users":5000,"devices":${devices}}}`;

/**
 * Returns a stub service with these vendor channels, and an app with a ceiling of 100 devices. `check` is the result
 * that it returns for a credential check.
 */
function service(channels: string, check = '{"result":"good","reason":""}', devices = 7) {
  return ({ path, headers }: RecordedRequest): StubAction => {
    if (headers['access-token'] === undefined) return noToken;
    if (path === '/admin/app/get') return successResponse(app(devices));
    return successResponse(path === '/admin/channel/list' ? `[${channels}]` : check);
  };
}

async function examine(answer: StubAction | ((request: RecordedRequest) => StubAction), ...args: string[]) {
  await using peer = await startStubServer(answer);
  const { code, stdout, stderr } = await run(['doctor', '--json', ...args], environmentFor(peer));
  assert.equal(stderr, '');
  const findings = JSON.parse(stdout) as Finding[];
  return { code, heard: peer.requests, findings, troubles: findings.filter(({ state }) => state !== 'ok') };
}

describe('doctor from outside the server', () => {
  test('reports no errors for a healthy service', async () => {
    const { code, findings, heard } = await examine(service(channel('')));
    assert.deepEqual(
      findings.map(({ check, state }) => [check, state]),
      ['service', 'clock, service', 'headers', 'app', 'token', 'certificates', 'ceilings'].map((check) => [
        check,
        'ok',
      ]),
    );
    assert.equal(code, 0);
    assert.ok(heard.every(({ headers }) => headers.app_id === 'bells'));
  });

  test('reports ceilings that the app has almost or completely used up', async () => {
    for (const [devices, state] of [
      [90, 'warning'],
      [100, 'wrong'],
    ] as const) {
      const { troubles } = await examine(service(channel(''), undefined, devices));
      assert.deepEqual(
        troubles.map(({ check, state: found }) => [check, found]),
        [['ceilings', state]],
      );
      assert.match(troubles[0]?.text ?? '', new RegExp(`uses ${devices} of its ceiling devices, which is 100`));
      assert.match(troubles[0]?.advice ?? '', /operator of the installation/);
    }
  });

  test('reports that a proxy drops headers and how to fix it', async () => {
    const text =
      'A parameter is missing or wrong. The app_id header is missing. If it was sent, a proxy has dropped it.';
    const { code, troubles } = await examine(errorResponse(400, 10002, text));
    assert.equal(code, 1);
    assert.deepEqual(
      troubles.map(({ check, state }) => [check, state]),
      [['headers', 'wrong']],
    );
    assert.match(troubles[0]?.advice ?? '', /underscores_in_headers on;/);
  });

  test('reports a response that does not come from the service', async () => {
    const wrongOf = async (answer: StubAction) => (await examine(answer)).troubles[0];
    assert.match((await wrongOf({ status: 502, body: '<html>' }))?.advice ?? '', /The proxy cannot reach the service/);
    assert.match(
      (await wrongOf({ status: 200, body: '<html>' }))?.text ?? '',
      /does not come from Carillon \(HTTP 200\)/,
    );
    const redirect = { status: 301, headers: { location: 'https://push.example.com/' }, body: '' };
    assert.match((await wrongOf(redirect))?.text ?? '', /redirects to https:\/\/push\.example\.com\//);
    assert.match((await wrongOf('hang-up'))?.text ?? '', /cannot be reached/);
    assert.match(
      (await wrongOf(errorResponse(404, 40000, 'App not found.')))?.text ?? '',
      /App bells does not exist\./,
    );
  });

  test('distinguishes an unavailable service from a wrong token', async () => {
    const unavailable = errorResponse(503, 50003, 'The service cannot do this right now. Try again in a moment.');
    const invalid = errorResponse(401, 10008, 'The access token is invalid.');
    const withToken = (answer: StubAction) => (request: RecordedRequest) =>
      request.headers['access-token'] === undefined ? noToken : answer;
    for (const answer of [unavailable, withToken(unavailable)]) {
      const { code, troubles } = await examine(answer);
      assert.equal(code, 1);
      assert.deepEqual(
        troubles.map(({ check, text }) => [check, text]),
        [['service', 'The service is unavailable: 50003 The service cannot do this right now. Try again in a moment.']],
      );
      assert.match(troubles[0]?.advice ?? '', /Check that PostgreSQL is running/);
      assert.doesNotMatch(troubles[0]?.advice ?? '', /--token|init\.ts/);
    }
    const { troubles } = await examine(withToken(invalid));
    assert.deepEqual([troubles[0]?.check, troubles[0]?.text], ['token', 'The access token is invalid.']);
    assert.match(troubles[0]?.advice ?? '', /^Check --token, or CARILLON_ADMIN_TOKEN\. Create a new admin token/);
  });

  test('reports a wrong clock', async () => {
    const { troubles } = await examine({ ...noToken, headers: { date: 'Sun, 15 Nov 2020 00:00:00 GMT' } });
    assert.deepEqual([troubles[0]?.check, troubles[0]?.state], ['clock, service', 'wrong']);
    assert.match(troubles[0]?.text ?? '', /s behind this machine/);
  });

  test('reports errors of vendor channels with the next step', async () => {
    const broken = [
      channel('')
        .replace('"open":true,"reason":""', '"open":false,"reason":"InvalidProviderToken"')
        .replace('"closed_at":null', '"closed_at":1794700800000'),
      channel('').replace('"spent":[]', '"spent":[{"class":"operational","until":1794758400000}]'),
      channel('').replace('"expire":null', '"expire":1577836800000'),
    ];
    const { code, troubles } = await examine(service(broken.join(',')));
    assert.equal(code, 1);
    assert.deepEqual(
      troubles.map(({ check, state, text }) => [check, state, text]),
      [
        ['vivo', 'wrong', 'The channel has been paused since 2026-11-15T00:00:00Z: InvalidProviderToken.'],
        ['vivo', 'warning', 'The daily quota (operational) is used up until 2026-11-15T16:00:00Z.'],
        ['vivo', 'wrong', 'The certificate expired on 2020-01-01.'],
      ],
    );
    const refused = await examine(service(channel(''), '{"result":"refused","reason":"10071"}'));
    assert.deepEqual([refused.code, refused.troubles[0]?.text], [1, 'The vendor rejects the credentials: 10071.']);
    const unknown = await examine(service(channel(''), '{"result":"unknown","reason":"no connection"}'));
    assert.deepEqual([unknown.code, unknown.troubles[0]?.state], [0, 'warning']);
    const none = await examine(service(''));
    assert.match(none.troubles[0]?.advice ?? '', /carillon certificate save/);
  });

  test('reports an invalid token and a token without permission', async () => {
    const withToken =
      (said: StubAction) =>
      ({ headers }: RecordedRequest) =>
        headers['access-token'] === undefined ? noToken : said;
    const invalid = await examine(
      withToken(errorResponse(401, 10008, 'The access token is invalid or revoked, or belongs to another app.')),
    );
    assert.deepEqual(
      [invalid.code, invalid.troubles[0]?.text],
      [1, 'The access token is invalid or revoked, or belongs to another app.'],
    );
    const narrow = await examine(
      withToken(errorResponse(403, 10010, 'The caller does not have permission for this request.')),
    );
    assert.deepEqual([narrow.code, narrow.troubles[0]?.state], [0, 'warning']);
  });

  test('checks listeners and rejects an open port that does not use MQTT', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-x\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { stdout, code } = await run([
      'doctor',
      '--mqtt',
      `mqtt://127.0.0.1:${port}`,
      '--websocket',
      `http://127.0.0.1:${port}`,
    ]);
    server.close();
    assert.equal(code, 1);
    assert.match(stdout, /^wrong +MQTT +No gateway responds at mqtt:\S+: the server does not use MQTT\.$/m);
    assert.match(stdout, /^wrong +WebSocket +"http:\S+" is not a valid listener URL\.$/m);
    await using web = await startStubServer({ status: 404, body: 'no' });
    const refused = await run(['doctor', '--websocket', `${web.url.replace('http', 'ws')}/mqtt`]);
    assert.match(refused.stdout, /HTTP 404 instead of a WebSocket\.\n +-> .*proxy_set_header Upgrade/);
  });

  test('requires an endpoint to check', async () => {
    const { code, stderr } = await run(['doctor']);
    assert.equal(code, 2);
    assert.match(stderr, /^error: No endpoint to check is configured\. Set --url/);
  });

  test('fits 80 columns on a terminal', async () => {
    await using peer = await startStubServer(
      service(channel(''), `{"result":"refused","reason":"${'long '.repeat(30)}"}`),
    );
    const { code, output } = await runOnTerminal(['doctor'], { ...environmentFor(peer), NO_COLOR: '1' });
    assert.equal(code, 1);
    const lines = output.split(/\r?\n/);
    assert.ok(lines.length > 8 && lines.every((line) => line.length < 80), output);
    assert.match(output, /^1 wrong \(vivo\), 0 warnings, 6 ok\.\r?\nNot checked: PostgreSQL and NATS/m);
  });
});

describe('findings', () => {
  const now = new Date('2026-11-15T00:00:00Z');

  test('tolerate a clock difference of up to two seconds and report more than a minute as wrong', () => {
    const states = [900, -1_900, 3_000, -59_000, 61_000].map((offMs) => findingOfClock('clock', 'It', offMs, 0).state);
    assert.deepEqual(states, ['ok', 'ok', 'warning', 'warning', 'wrong']);
    // The maximum error of the comparison is subtracted from the difference.
    assert.equal(findingOfClock('clock', 'It', 3_000, 1_500).state, 'ok');
  });

  test('report database servers whose clocks differ from the home database', () => {
    const server = (cluster: string, offMs: number, errorMs = 0) => ({
      ...{ names: [cluster], isHome: cluster === 'home', cluster, clock: { offMs, errorMs } },
    });
    // Each clock agrees with this machine, but not with the other.
    const apart = [...findingsOfClocks([server('home', 1_500), server('east', -1_500)])];
    assert.deepEqual(
      apart.map(({ state, text }) => [state, text]),
      [['warning', 'The server of east is 3 s behind the server of the home database.']],
    );
    const states = (...servers: ReturnType<typeof server>[]) =>
      [...findingsOfClocks(servers)].map(({ state }) => state);
    assert.deepEqual(states(server('home', 0), server('east', 61_000), server('west', 100)), ['wrong']);
    assert.deepEqual(states(server('home', 0, 600), server('east', 3_000, 600)), ['ok']);
    assert.deepEqual(states(server('home', 0)), [], 'a single server has nothing to compare');
  });

  test('warn a month before a certificate expires', () => {
    const expires = (day: string) => findingOfExpiry('c', 'It', new Date(`${day}T00:00:00Z`), now, 'Renew it.');
    assert.deepEqual(
      ['2027-11-15', '2026-12-14', '2026-11-15'].map((day) => expires(day).state),
      ['ok', 'warning', 'wrong'],
    );
    assert.equal(expires('2026-12-14').text, 'It expires on 2026-12-14, in 29 days.');
  });

  test('warn if the file limit is below the number of devices in the settings', () => {
    const settings = { CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: 1_000, CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: 100 };
    const limits = (hard: string) =>
      `Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 ${hard}                files\n`;
    const look = (hard: string) =>
      [...checkFileLimit(settings, limits(hard))].map(({ state, text }) => `${state} ${text}`);
    assert.match(look('1299').join(), /^warning .*can open 1299 files, but a gateway with 1000 devices needs 1300\./);
    assert.match(look('1300').join(), /^ok /);
    assert.match(look('unlimited').join(), /^ok .*any number of files/);
  });

  test('fit lines of any width and contain no control characters', () => {
    const finding: Finding = {
      check: 'APNs',
      state: 'wrong',
      text: `It said \u001b[2J${'so '.repeat(40)}.`,
      advice: 'Do it.',
    };
    for (const columns of [30, 60, 80, 200]) {
      const lines = printFinding(finding, { live: true, columns, colour: false, unicode: true });
      assert.ok(
        lines.every((line) => line.length < columns && !line.includes('\u001b')),
        lines.join('\n'),
      );
      assert.match(lines.at(-1) ?? '', /→ Do it\.$/);
    }
  });
});
