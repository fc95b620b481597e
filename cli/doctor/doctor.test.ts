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
import { checkFileLimit } from './server/file-limit.ts';

const noToken = errorResponse(401, 10003, 'Send an access token in the header access-token.');
const channel = (more: string) =>
  `{"provider":5,"environment":1,"name":"vivo","expire":null,"open":true,"reason":"","closed_at":null,"spent":[],"per_second":null,"throttled_at":null${more}}`;

/** Returns a stub service with these vendor channels. `check` is the vendor's result for their credentials. */
function service(channels: string, check = '{"result":"good","reason":""}') {
  return ({ path, headers }: RecordedRequest): StubAction => {
    if (headers['access-token'] === undefined) return noToken;
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

describe('doctor, from outside', () => {
  test('is content with a service that answers', async () => {
    const { code, findings, heard } = await examine(service(channel('')));
    assert.deepEqual(
      findings.map(({ check, state }) => [check, state]),
      ['service', 'clock, service', 'headers', 'app', 'token', 'certificates'].map((check) => [check, 'ok']),
    );
    assert.equal(code, 0);
    assert.ok(heard.every(({ headers }) => headers.app_id === 'bells'));
  });

  test('says that a proxy drops headers, and how to mend it', async () => {
    const text =
      'A parameter is missing or wrong. The header app_id is missing. If it was sent, a proxy has dropped it.';
    const { code, troubles } = await examine(errorResponse(400, 10002, text));
    assert.equal(code, 1);
    assert.deepEqual(
      troubles.map(({ check, state }) => [check, state]),
      [['headers', 'wrong']],
    );
    assert.match(troubles[0]?.advice ?? '', /underscores_in_headers on;/);
  });

  test('says what answers instead of the service', async () => {
    const wrongOf = async (answer: StubAction) => (await examine(answer)).troubles[0];
    assert.match(
      (await wrongOf({ status: 502, body: '<html>' }))?.advice ?? '',
      /The proxy does not reach the service/,
    );
    assert.match(
      (await wrongOf({ status: 200, body: '<html>' }))?.text ?? '',
      /answered by something else \(HTTP 200\)/,
    );
    const redirect = { status: 301, headers: { location: 'https://push.example.com/' }, body: '' };
    assert.match((await wrongOf(redirect))?.text ?? '', /sends us on to https:\/\/push\.example\.com\//);
    assert.match((await wrongOf('hang-up'))?.text ?? '', /cannot be reached/);
    assert.match((await wrongOf(errorResponse(404, 40000, 'There is no app.')))?.text ?? '', /There is no app bells\./);
  });

  test('says that a clock is wrong', async () => {
    const { troubles } = await examine({ ...noToken, headers: { date: 'Sun, 15 Nov 2020 00:00:00 GMT' } });
    assert.deepEqual([troubles[0]?.check, troubles[0]?.state], ['clock, service', 'wrong']);
    assert.match(troubles[0]?.text ?? '', /s behind this machine/);
  });

  test('says what is wrong with vendors, and what to do', async () => {
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
        ['vivo', 'wrong', 'It is not sent to since 2026-11-15T00:00:00Z: InvalidProviderToken.'],
        ['vivo', 'warning', 'The allowance of this day is used up (operational) until 2026-11-15T16:00:00Z.'],
        ['vivo', 'wrong', 'The certificate has expired on 2020-01-01.'],
      ],
    );
    const refused = await examine(service(channel(''), '{"result":"refused","reason":"10071"}'));
    assert.deepEqual([refused.code, refused.troubles[0]?.text], [1, 'The vendor refuses the credentials: 10071.']);
    const unknown = await examine(service(channel(''), '{"result":"unknown","reason":"no connection"}'));
    assert.deepEqual([unknown.code, unknown.troubles[0]?.state], [0, 'warning']);
    const none = await examine(service(''));
    assert.match(none.troubles[0]?.advice ?? '', /carillon certificate save/);
  });

  test('says that a token is not valid, or may not look', async () => {
    const withToken =
      (said: StubAction) =>
      ({ headers }: RecordedRequest) =>
        headers['access-token'] === undefined ? noToken : said;
    const invalid = await examine(withToken(errorResponse(401, 10008, 'This access token is not valid.')));
    assert.deepEqual([invalid.code, invalid.troubles[0]?.text], [1, 'This access token is not valid.']);
    const narrow = await examine(withToken(errorResponse(403, 10010, 'This token may not do that.')));
    assert.deepEqual([narrow.code, narrow.troubles[0]?.state], [0, 'warning']);
  });

  test('looks at doors, and is not content with any port that is open', async () => {
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
    assert.match(stdout, /^wrong +MQTT +No gateway answers at mqtt:\S+: it does not speak MQTT\.$/m);
    assert.match(stdout, /^wrong +WebSocket +"http:\S+" is no address of such a door\.$/m);
    await using web = await startStubServer({ status: 404, body: 'no' });
    const refused = await run(['doctor', '--websocket', `${web.url.replace('http', 'ws')}/mqtt`]);
    assert.match(refused.stdout, /HTTP 404 instead of a WebSocket\.\n +-> .*proxy_set_header Upgrade/);
  });

  test('has nothing to look at, and says what to give', async () => {
    const { code, stderr } = await run(['doctor']);
    assert.equal(code, 2);
    assert.match(stderr, /^error: There is nothing to look at: give --url/);
  });

  test('fits 80 columns on a terminal', async () => {
    await using peer = await startStubServer(
      service(channel(''), `{"result":"refused","reason":"${'long '.repeat(30)}"}`),
    );
    const { code, output } = await runOnTerminal(['doctor'], { ...environmentFor(peer), NO_COLOR: '1' });
    assert.equal(code, 1);
    const lines = output.split(/\r?\n/);
    assert.ok(lines.length > 8 && lines.every((line) => line.length < 80), output);
    assert.match(output, /^1 wrong \(vivo\), 0 warnings, 5 ok\.\r?\nNot looked at: engines/m);
  });
});

describe('what a finding says', () => {
  const now = new Date('2026-11-15T00:00:00Z');

  test('of a clock: two seconds are nothing, a minute is wrong', () => {
    const states = [900, -1_900, 3_000, -59_000, 61_000].map((offMs) => findingOfClock('clock', 'It', offMs, 0).state);
    assert.deepEqual(states, ['ok', 'ok', 'warning', 'warning', 'wrong']);
    // The inaccuracy of the comparison itself is not reported.
    assert.equal(findingOfClock('clock', 'It', 3_000, 1_500).state, 'ok');
  });

  test('of a certificate: a month before its end', () => {
    const expires = (day: string) => findingOfExpiry('c', 'It', new Date(`${day}T00:00:00Z`), now, 'Renew it.');
    assert.deepEqual(
      ['2027-11-15', '2026-12-14', '2026-11-15'].map((day) => expires(day).state),
      ['ok', 'warning', 'wrong'],
    );
    assert.equal(expires('2026-12-14').text, 'It expires on 2026-12-14, in 29 days.');
  });

  test('of the file limit: as many as the settings allow devices', () => {
    const settings = { CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: 1_000, CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: 100 };
    const limits = (hard: string) =>
      `Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 ${hard}                files\n`;
    const look = (hard: string) =>
      [...checkFileLimit(settings, limits(hard))].map(({ state, text }) => `${state} ${text}`);
    assert.match(look('1299').join(), /^warning .*may open 1299 files, and a gateway with 1000 devices takes 1300\./);
    assert.match(look('1300').join(), /^ok /);
    assert.match(look('unlimited').join(), /^ok .*any number of files/);
  });

  test('in lines of any width, and nothing that a terminal would obey', () => {
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
