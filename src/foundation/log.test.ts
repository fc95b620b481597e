import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';

const CANARY = 'canary-4711';
const MODULE = JSON.stringify(new URL('./log.ts', import.meta.url).href);

/** Runs statements with a `log` in a separate process and returns its output, as text and as parsed lines. */
function runAndCapture(statements: string, level = 'debug'): { text: string; lines: Record<string, unknown>[] } {
  const program = `
    import { createLog } from ${MODULE};
    const CANARY = '${CANARY}';
    const log = createLog({ level: '${level}', fields: { role: 'test' } });
    ${statements}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  assert.equal(status, 0, stderr.toString());
  const text = stdout.toString();
  return {
    text,
    lines: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('log line', () => {
  const { lines } = runAndCapture(`
    log.debug('d');
    log.info('i', { n: 1, list: [1, 2] });
    log.warn('w');
    log.error('e', { error: new Error('boom', { cause: Object.assign(new TypeError('inner'), { code: 'ECODE' }) }) });
    log.with({ bucket: 7 }).info('child', { n: 2 });
    log.error('odd', { error: 'just a text' });`);

  test('contains event, level, time and fields', () => {
    assert.deepEqual(
      lines.map(({ event, level, role }) => [event, level, role]),
      [
        ['d', 'debug', 'test'],
        ['i', 'info', 'test'],
        ['w', 'warn', 'test'],
        ['e', 'error', 'test'],
        ['child', 'info', 'test'],
        ['odd', 'error', 'test'],
      ],
    );
    assert.deepEqual([lines[1]?.n, lines[1]?.list], [1, [1, 2]]);
    for (const { time } of lines) assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('contains the fields of its logger', () => {
    assert.deepEqual([lines[4]?.bucket, lines[4]?.n], [7, 2]);
  });

  test('contains an error with its causes', () => {
    const error = lines[3]?.error as Record<string, unknown>;
    assert.deepEqual([error.name, error.message], ['Error', 'boom']);
    assert.match(String(error.stack), /^Error: boom\n/);
    const cause = error.cause as Record<string, unknown>;
    assert.deepEqual([cause.name, cause.message, cause.code], ['TypeError', 'inner', 'ECODE']);
    assert.equal(lines[5]?.error, 'just a text');
  });

  test('is not printed if its level is below the configured level', () => {
    const quiet = runAndCapture(
      `log.debug('d'); log.info('i'); log.warn('w'); log.with({}).info('i'); log.error('e');`,
      'warn',
    );
    assert.deepEqual(
      quiet.lines.map(({ event }) => event),
      ['w', 'e'],
    );
  });
});

describe('security event', () => {
  test('is written at every level, with the stream, the fields of the logger and IDs', () => {
    const { lines } = runAndCapture(
      `log.info('i'); log.security('login-failed', { address: '198.51.100.1', tokenId: 7n, token: CANARY });`,
      'error',
    );
    const [{ time: _time, ...line }] = lines as [Record<string, unknown>];
    assert.deepEqual(line, {
      level: 'info',
      role: 'test',
      stream: 'security',
      address: '198.51.100.1',
      tokenId: 7,
      token: '[secret]',
      event: 'login-failed',
    });
  });

  test('is written to standard error if the log is configured so', () => {
    const program = `
      import { createLog } from ${MODULE};
      const log = createLog({ level: 'info', fields: { role: 'test' }, security: 'stderr' });
      log.info('i');
      log.security('login-failed', {});`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
    assert.equal((JSON.parse(stdout.toString()) as { event: string }).event, 'i');
    assert.partialDeepStrictEqual(JSON.parse(stderr.toString()), { event: 'login-failed', stream: 'security' });
  });
});

describe('secrets are not logged', () => {
  const names = ['password', 'token', 'authorization', 'access-token', 'certificate', 'app_secret', 'url'];
  const places: readonly (readonly [string, (name: string) => string])[] = [
    ['as a field', (name) => `log.error('x', { ${name}: CANARY, kept: 1 });`],
    ['inside a field', (name) => `log.error('x', { request: { ${name}: CANARY }, kept: 1 });`],
    ['as a whole object', (name) => `log.error('x', { ${name}: { inner: CANARY }, kept: 1 });`],
    ['as a field of the logger', (name) => `log.with({ ${name}: CANARY }).error('x', { kept: 1 });`],
  ];
  for (const [where, statement] of places) {
    test(where, () => {
      const { text, lines } = runAndCapture(names.map((name) => statement(JSON.stringify(name))).join('\n'));
      assert.ok(!text.includes(CANARY), text);
      assert.equal(lines.length, names.length);
      assert.ok(
        lines.every(({ kept }) => kept === 1),
        'the rest of the line is kept',
      );
    });
  }

  test('as a property that a library added to an error', () => {
    const { text, lines } = runAndCapture(`
      const cause = Object.assign(new Error('inner'), { parameters: [CANARY], detail: CANARY });
      log.error('x', { error: Object.assign(new Error('outer', { cause }), { request: { body: CANARY } }) });`);
    assert.ok(!text.includes(CANARY), text);
    assert.partialDeepStrictEqual(lines, [{ error: { message: 'outer', cause: { message: 'inner' } } }]);
  });
});
