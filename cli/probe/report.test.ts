import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isConfirmed, type ReportFacts, toReport } from './report.ts';
import type { Step } from './step.ts';
import { checkDirectory, writeReport } from './write-report.ts';

const step = (check: Step['check'], change: Partial<Step> = {}): Step => ({
  check,
  state: 'ok',
  text: 'Done.',
  seconds: 0.44,
  results: [],
  ...change,
});

const facts: ReportFacts = {
  vendor: { name: 'flyme', displayName: 'Meizu', sendsReceipts: true, provider: 4, environment: 1 },
  deviceKind: 'new',
  hasOwnBadToken: false,
  startedAt: new Date('2026-11-18T23:59:59.500Z'),
  serviceVersion: '0.1.0',
  commandVersion: '0.1.0',
  hasDefaultUrl: true,
  steps: [
    step('credentials', { results: [{ code: 'good', detail: null }] }),
    step('devices'),
    step('notification', { taskId: 7n, results: [{ code: 'accepted', detail: 'message ID [redacted]' }] }),
    step('bad token', { results: [{ code: 'token-dead', detail: '110003' }] }),
    step('receipt'),
    step('clean-up'),
  ],
};

test('the report has the vendor, versions, steps, codes, and space for the operator', () => {
  const report = toReport(facts);
  assert.match(report, /^# Vendor probe: Meizu, 2026-11-18\n/);
  for (const row of [
    '| Vendor | Meizu (`provider` 4), environment 1 (production) |',
    '| Started | 2026-11-18T23:59:59Z |',
    '| URL of the vendor | default |',
    '| Live service confirmed | yes |',
    '| Run by | add your name |',
    '| bad token | passed | 0.4 s |',
    '| token-dead | 110003 |',
    '| accepted | message ID \\[redacted\\] |',
    'Task: 7',
    '- the credentials of environment 0',
  ])
    assert.ok(report.includes(`${row}\n`), row);
  assert.ok(!report.includes('not run'));
});

test('the report lists the steps that did not run and the next step of a failed one', () => {
  const failed = step('notification', { state: 'wrong', text: 'Meizu did\n# not | respond.', advice: 'Try again.' });
  const report = toReport({ ...facts, steps: [...facts.steps.slice(0, 2), failed, step('clean-up')] });
  for (const row of [
    '| notification | failed | 0.4 s |',
    '| bad token | not run | – |',
    '| receipt | not run | – |',
    'Meizu did # not \\| respond.',
    'Next step: Try again.',
    '| Live service confirmed | no |',
  ])
    assert.ok(report.includes(`${row}\n`), row);
});

test('a vendor is confirmed only if no step failed, it received the notification, and its URL is the default', () => {
  assert.equal(isConfirmed(facts), true);
  assert.equal(isConfirmed({ ...facts, hasDefaultUrl: false }), false);
  assert.equal(isConfirmed({ ...facts, hasDefaultUrl: undefined }), false);
  assert.equal(isConfirmed({ ...facts, steps: [...facts.steps, step('receipt', { state: 'wrong' })] }), false);
  assert.equal(isConfirmed({ ...facts, steps: facts.steps.slice(0, 2) }), false);
});

test('a report never overwrites a file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-probe-'));
  try {
    await checkDirectory(directory);
    for (const text of ['first', 'second', 'third']) await writeReport(directory, 'probe', text);
    assert.deepEqual((await readdir(directory)).sort(), ['probe-2.md', 'probe-3.md', 'probe.md']);
    assert.equal(await readFile(join(directory, 'probe.md'), 'utf8'), 'first');
    await assert.rejects(
      checkDirectory(join(directory, 'missing')),
      /^UsageError: --directory: files cannot be written/,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
