import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  errorResponse,
  type RecordedRequest,
  type StubAction,
  startStubServer,
  successResponse,
} from '../sdk/support/stub-server.ts';
import { type CommandResult, environmentFor, run } from './support/run-command.ts';

/**
 * Runs a command against a stub server. Returns the result of the command and the requests that the server received.
 */
async function runAgainst(
  answer: StubAction,
  args: readonly string[],
  input = '',
): Promise<CommandResult & { heard: RecordedRequest[] }> {
  await using peer = await startStubServer(answer);
  return { ...(await run(args, environmentFor(peer), input)), heard: peer.requests };
}

/** Runs a command that must succeed. Returns its only request. */
async function requestOf(
  args: readonly string[],
  { answer = successResponse('{}'), input = '' } = {},
): Promise<RecordedRequest> {
  const { code, stderr, heard } = await runAgainst(answer, args, input);
  assert.deepEqual([code, stderr, heard.length], [0, '', 1]);
  return heard[0] as RecordedRequest;
}

let files: string;
before(async () => {
  files = await mkdtemp(join(tmpdir(), 'carillon-cli-'));
});
after(() => rm(files, { recursive: true }));

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(files, name), content);
  return `@${join(files, name)}`;
}

describe('requests built from options', () => {
  test('sets fields from options, and lists from repeated options or several values', async () => {
    const { method, path, body } = await requestOf(
      'token create --name backend --scopes push secrets --scopes manage --days 365'.split(' '),
    );
    assert.deepEqual(
      [method, path, body],
      ['POST', '/admin/token/create', '{"name":"backend","scopes":["push","secrets","manage"],"days":365}'],
    );
  });

  test('keeps all digits of integers', async () => {
    const { path, body } = await requestOf(['group', 'add', '--group-id', '7', '--list', '9223372036854775807', '42']);
    assert.deepEqual([path, body], ['/admin/group/add', '{"group_id":7,"list":[9223372036854775807,42]}']);
  });

  test('accepts a boolean option without a value', async () => {
    const on = await requestOf(['app', 'update', '--registration', '--country', 'CN']);
    assert.equal(on.body, '{"registration":true,"country":"CN"}');
    const off = await requestOf(['app', 'update', '--registration', 'false']);
    assert.equal(off.body, '{"registration":false}');
  });

  test('parses objects as JSON and accepts the string values that a field allows', async () => {
    const answer = successResponse('{"task_id":1}');
    const args = [
      'push',
      'notify',
      '--audience',
      'all',
      '--message',
      '{"title":"Hello","ext":{"id":9007199254740993}}',
    ];
    const { body } = await requestOf(args, { answer });
    assert.equal(body, '{"audience":"all","message":{"title":"Hello","ext":{"id":9007199254740993}}}');
  });

  test('combines --request with other options, which take precedence', async () => {
    const json = '{"audience":{"user_id":[9223372036854775807]},"message":{"title":"Hello"}}';
    const { body } = await requestOf(['push', 'notify', '--request', json, '--audience', 'all'], {
      answer: successResponse('{"task_id":1}'),
    });
    assert.equal(body, '{"audience":"all","message":{"title":"Hello"}}');
  });

  test('builds a query string from options', async () => {
    const { method, path } = await requestOf(['push', 'certificate', '--provider', '1', '--environment', '0']);
    assert.deepEqual([method, path], ['GET', '/push/certificate?provider=1&environment=0']);
    assert.equal(
      (await requestOf(['push', 'certificate', '--provider', 'Meizu'])).path,
      '/push/certificate?provider=4',
    );
  });

  test('distinguishes the vendor token from the access token', async () => {
    const { headers, body } = await requestOf([
      'device',
      'bind',
      '--provider',
      '1',
      '--vendor-token',
      'b5bb',
      '--token',
      'cu_2',
    ]);
    assert.deepEqual([headers['access-token'], body], ['cu_2', '{"provider":1,"token":"b5bb"}']);
  });

  test('maps the login command to /token/login', async () => {
    const { path, body } = await requestOf(['login', '--login-name', 'ada', '--password', 'secret'], {
      answer: successResponse('{"expire":1,"user_id":2}'),
    });
    assert.deepEqual([path, body], ['/token/login', '{"login_name":"ada","password":"secret"}']);
  });
});

describe('service, app and caller', () => {
  const whoOf = ({ headers }: RecordedRequest) => [
    headers.app_id,
    headers['access-token'],
    headers.user_id,
    headers.group_id,
  ];

  test('are read from the environment', async () => {
    assert.deepEqual(whoOf(await requestOf(['device', 'list'], { answer: successResponse('[]') })), [
      'bells',
      'ca_1',
      undefined,
      undefined,
    ]);
  });

  test('are overridden by options before and after the command', async () => {
    const answer = successResponse('[]');
    const user = await requestOf(['--app', 'second', 'device', 'list', '--as-user', '9223372036854775807'], { answer });
    assert.deepEqual(whoOf(user), ['second', 'ca_1', '9223372036854775807', undefined]);
    const group = await requestOf(['device', 'list', '--as-group', '7', '--token', await fileOf('token', 'ca_2\n')], {
      answer,
    });
    assert.deepEqual(whoOf(group), ['bells', 'ca_2', undefined, '7']);
  });
});

describe('values read from files', () => {
  test('removes the line break at the end of a string', async () => {
    const password = await fileOf('password', 'correct horse \n');
    const { body } = await requestOf(['user', 'password', '--user-id', '42', '--password', password]);
    assert.equal(body, '{"user_id":42,"password":"correct horse "}');
  });

  test('sends a binary certificate as base64 and a text certificate unchanged', async () => {
    const save = ['certificate', 'save', '--provider', '1', '--name', 'APNs', '--certificate'];
    const answer = successResponse('{"expire":null,"updated_at":1}');
    const binary = await requestOf([...save, await fileOf('key.p12', Uint8Array.of(0x30, 0x82, 0x0a, 0xff))], {
      answer,
    });
    assert.equal(binary.body, '{"provider":1,"name":"APNs","certificate":"MIIK/w=="}');
    const pem = await requestOf([...save, await fileOf('key.p8', '-----BEGIN\nx\n')], { answer });
    assert.equal(pem.body, '{"provider":1,"name":"APNs","certificate":"-----BEGIN\\nx"}');
  });

  test('reads one list item per line', async () => {
    const { body } = await requestOf([
      'group',
      'add',
      '--group-id',
      '7',
      '--list',
      await fileOf('ids', '42\n43\n\n'),
      '44',
    ]);
    assert.equal(body, '{"group_id":7,"list":[42,43,44]}');
  });

  test('reads standard input, but only once', async () => {
    const args = ['user', 'create', '--name', 'ada', '--password', '@-'];
    assert.equal(
      (await requestOf(args, { input: 'secret\n', answer: successResponse('{"user_id":1}') })).body,
      '{"name":"ada","password":"secret"}',
    );
    const { code, stderr, heard } = await runAgainst(successResponse('{}'), [...args, '--email', '@-'], 'secret');
    assert.deepEqual(
      [code, stderr, heard],
      [2, 'error: --password: standard input can be read only once per command. Use a file for the other value.\n', []],
    );
  });

  test('accepts a string that starts with an escaped @', async () => {
    const { body } = await requestOf(['device', 'alias', '--alias', '\\@ada'], {
      answer: successResponse('{"alias":"@ada"}'),
    });
    assert.equal(body, '{"alias":"@ada"}');
  });
});

describe('standard output and standard error', () => {
  test('reports further pages on standard error', async () => {
    const { code, stdout, stderr } = await runAgainst(successResponse('{"list":[42],"next":9223372036854775807}'), [
      'group',
      'members',
      '--group-id',
      '7',
    ]);
    assert.deepEqual(
      [code, stdout, stderr],
      [0, '42\n', 'More results are available. Add --after 9223372036854775807 to read them.\n'],
    );
  });

  test('reports a repeated idempotency key', async () => {
    const answer = { ...successResponse('{"task_id":5}'), headers: { 'carillon-request': 'repeated; other-body' } };
    const { stdout, stderr } = await runAgainst(answer, [
      'push',
      'notify',
      '--request',
      '{"audience":"all","message":{"title":"x"}}',
    ]);
    assert.equal(stdout, 'task_id: 5\n');
    assert.match(
      stderr,
      /^This request_id was used before: nothing was sent.*\nThe first request with this request_id had different content\.\n$/,
    );
  });

  test('reports ignored fields once', async () => {
    const answer = { ...successResponse('{"task_id":5}'), headers: { 'carillon-ignored-fields': 'message.colour' } };
    const request = '{"audience":"all","message":{"title":"x","colour":"red"}}';
    const { stderr } = await runAgainst(answer, ['push', 'notify', '--request', request]);
    assert.equal(stderr, 'Unknown fields were ignored: message.colour.\n');
  });

  test('prints JSON with all digits of integers if --json is set', async () => {
    const { stdout } = await runAgainst(successResponse('{"task_id":9223372036854775807}'), [
      'push',
      'notify',
      '--json',
      '--request',
      '{"audience":"all","message":{"title":"x"}}',
    ]);
    assert.equal(stdout, '{\n  "task_id": 9223372036854775807\n}\n');
  });
});

describe('ledger verify', () => {
  const part = (more: string) => `{"laws":["L10","L2"],"tasks":2,"slices":3,"places":9223372036854775807,${more}}`;
  const broken = '{"law":"L2","what":"one place","task_id":7,"bucket":5,"slice":9}';
  const verify = async (list: string, ...args: string[]) => {
    await using peer = await startStubServer(({ body }) =>
      successResponse(part(body.includes('after') ? `"list":[${list}],"next":null` : `"list":[],"next":"t7.0"`)),
    );
    return { ...(await run(['ledger', 'verify', ...args], environmentFor(peer))), heard: peer.requests };
  };

  test('reads all pages and prints the totals', async () => {
    const { code, stdout, stderr, heard } = await verify('');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout, 'laws:   L2, L10\ntasks:  4\nslices: 6\nplaces: 18446744073709551614\nbroken: 0\n');
    assert.deepEqual(
      heard.map(({ path, body }) => [path, body]),
      [
        ['/admin/ledger/verify', '{}'],
        ['/admin/ledger/verify', '{"after":"t7.0"}'],
      ],
    );
  });

  test('prints violations and exits with code 1', async () => {
    const { code, stdout } = await verify(broken);
    assert.equal(code, 1);
    assert.match(stdout, /^law +what +task_id +bucket +slice\nL2 +one place +7 +5 +9\n\nlaws: /);
    assert.match(stdout, /^broken: 1$/m);
    const json = await verify(broken, '--json');
    assert.equal(json.code, 1);
    assert.equal((JSON.parse(json.stdout) as { list: [] }).list.length, 1);
  });

  test('starts after the position given with --after', async () => {
    assert.equal((await verify('', '--after', 't1.0')).heard[0]?.body, '{"after":"t1.0"}');
  });
});

describe('errors and exit codes', () => {
  const fails = async (answer: StubAction, args: string, code: number, stderr: RegExp): Promise<void> => {
    const ran = await runAgainst(answer, args.split(' '));
    assert.match(ran.stderr, stderr);
    assert.deepEqual([ran.code, ran.stdout], [code, '']);
    if (code === 2) assert.deepEqual(ran.heard, []);
  };

  test('exit code 1: prints the code, the message and the next step of a rejected request', async () => {
    await fails(
      errorResponse(401, 10008, 'The access token is invalid or revoked, or belongs to another app.'),
      'user list',
      1,
      /^10008 The access token is invalid or revoked, or belongs to another app\. Check --token, or CARILLON_ADMIN_TOKEN\.\n$/,
    );
    await fails(
      errorResponse(429, 12029, 'Too many requests.', { 'retry-after': '7', 'x-request-id': 'r-1' }),
      'user list',
      1,
      /^12029 Too many requests\. Try again in 7 s\. Request ID: r-1\.\n$/,
    );
    await fails(
      errorResponse(400, 10002, 'Bad\n\u001b[2Jthing.'),
      'user list',
      1,
      /^10002 Bad\\n\\u001b\[2Jthing\.\n$/,
    );
  });

  test('exit code 2: rejects wrong usage and sends nothing', async () => {
    await fails('silent', 'user kick', 2, /^error: --user-id must be given\.\n$/);
    await fails('silent', 'user kick --user-id x', 2, /^error: --user-id must be an integer, not "x"\.\n$/);
    await fails(
      'silent',
      'user kick --user-id 9223372036854775808',
      2,
      /^error: request\.user_id must be a 64-bit signed integer/,
    );
    await fails(
      'silent',
      'user kick --usr-id 4',
      2,
      /^error: unknown option '--usr-id'\n\(Did you mean --user-id\?\)\n/,
    );
    await fails('silent', 'usr kick', 2, /^error: unknown command 'usr'/);
    await fails('silent', 'app update --user-push all', 2, /Allowed choices are none, self, any\./);
    await fails('silent', 'push notify --request {', 2, /^error: --request must be valid JSON: /);
    await fails('silent', 'push notify --request []', 2, /^error: --request must be a JSON object\.\n$/);
    await fails(
      'silent',
      'device alias --alias @/does/not/exist',
      2,
      /^error: --alias: @\/does\/not\/exist cannot be read: ENOENT/,
    );
    await fails('silent', 'device list --as-user 1 --as-group 2', 2, /cannot be used with/);
    await fails(
      'silent',
      'user create --password',
      2,
      /^error: --password requires a value when the command is not run interactively\. Use @path to read a file/,
    );
    await fails('silent', 'user list --token ca_1\nx', 2, /^error: --token must consist of printable ASCII characters/);
  });

  test('exit code 2: requires a URL, an app and a token', async () => {
    const ran = [
      await run(['user', 'list']),
      await run(['user', 'list', '--url', 'push.example.com']),
      await run(['user', 'list', '--url', 'http://127.0.0.1']),
      await run(['user', 'list', '--url', 'http://127.0.0.1', '--app', 'bells']),
    ];
    assert.deepEqual(
      ran.map(({ code, stderr }) => [code, stderr]),
      [
        [2, 'error: The URL of the service is missing. Set --url or CARILLON_URL.\n'],
        [2, 'error: --url must be a URL such as https://push.example.com, not "push.example.com".\n'],
        [2, 'error: The app ID is missing. Set --app or CARILLON_APP_ID.\n'],
        [2, 'error: The access token is missing. Set --token or CARILLON_ADMIN_TOKEN.\n'],
      ],
    );
  });

  test('exit code 3: the service cannot be reached', async () => {
    await fails(
      'hang-up',
      'user list',
      3,
      /^unreachable: http:\S+ cannot be reached: .* Check --url, or CARILLON_URL\.\n$/,
    );
    const demo = { CARILLON_URL: 'http://127.0.0.1:9', CARILLON_APP_ID: 'demo', CARILLON_ADMIN_TOKEN: 'ca_1' };
    const stopped = await run(['user', 'list'], { ...demo, CARILLON_DEV_URL: demo.CARILLON_URL });
    assert.equal(stopped.code, 3);
    assert.match(
      stopped.stderr,
      /^unreachable: http:\/\/127\.0\.0\.1:9 cannot .* The demo of \.dev\.env does not respond\./,
    );
    await fails({ status: 502, body: '<html>' }, 'user list', 3, /does not come from Carillon \(HTTP 502\)/);
  });
});
