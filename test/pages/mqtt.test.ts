import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PUSH_TOPIC, RECALL_TOPIC, reportSchemas } from '#src/contract/mqtt.ts';
import { nativePayload, recallPayload } from '#src/domain/message.ts';
import { CONNECT_DEADLINE_MS } from '#src/gateway/connection.ts';
import { CONNECT_BYTES_MAX, PACKET_BYTES_MAX } from '#src/gateway/packet-reader.ts';
import { refusals } from '#src/gateway/packets/connect.ts';
import { SUBSCRIPTIONS_MAX } from '#src/gateway/packets/subscribe.ts';
import { reason } from '#src/gateway/reason-codes.ts';
import { readReport } from '#src/gateway/report.ts';
import {
  BUFFERED_BYTES_MAX,
  IN_FLIGHT_MAX,
  RECEIVE_MAXIMUM,
  REPORT_BURST_MAX,
  STALL_SECONDS_MAX,
} from '#src/gateway/sessions/session.ts';
import { mqttSchemaPage } from '../../scripts/docs/mqtt-schema-page.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/reference/mqtt.md');
const examples = [...page.matchAll(/```json\n(.+)\n```/g)].map(([, text]) => text as string);

/** Returns the cells of every row whose first cell matches. */
const rowsOf = (first: RegExp): string[][] =>
  [...page.matchAll(/^\| (.+) \|$/gm)]
    .map(([, cells]) => (cells as string).split(' | '))
    .filter(([cell]) => first.test(cell as string));

describe('docs/reference/mqtt.md', () => {
  test('docs/mqtt.schema.json matches the contract', () => {
    assert.equal(read('docs/mqtt.schema.json'), mqttSchemaPage(), 'run `npm run docs`');
  });

  test('lists every reason code once, in order, with its cause and the next step', () => {
    const rows = rowsOf(/^0x/);
    const expectedCodes = Object.values(reason).filter((code) => code !== reason.normal);
    assert.deepEqual(
      rows.map(([code]) => code),
      expectedCodes.sort((a, b) => a - b).map((code) => `0x${code.toString(16).toUpperCase()}`),
    );
    assert.ok(rows.every(([, when, advice]) => (when as string).length > 10 && (advice as string).length > 5));
  });

  test('lists the CONNACK return codes of MQTT 3.1.1, and clients of that version receive no other code', () => {
    // A client of MQTT 3.1.1 cannot name an authentication method.
    const { 'authentication-method': _, ...met } = refusals;
    const expectedCodes = new Set(Object.values(met).flatMap((refusal) => refusal[4] ?? []));
    assert.deepEqual(
      rowsOf(/^\d$/).map(([code]) => Number(code)),
      [...expectedCodes].sort(),
    );
  });

  test('lists the existing topics', () => {
    assert.deepEqual(
      rowsOf(/^`/).map(([topic]) => topic),
      [PUSH_TOPIC, RECALL_TOPIC, ...Object.keys(reportSchemas)].map((topic) => `\`${topic}\``),
    );
  });

  test('states the limits in the code, in the expected order', () => {
    const limits = page.slice(page.indexOf('## Limits'), page.indexOf('## Reason codes'));
    const numbers = [...limits.matchAll(/^\| [^|]+ \| ([\d,]+)/gm)].map(([, n]) => Number(n?.replaceAll(',', '')));
    assert.deepEqual(numbers, [
      CONNECT_DEADLINE_MS / 1_000,
      CONNECT_BYTES_MAX,
      PACKET_BYTES_MAX,
      IN_FLIGHT_MAX,
      RECEIVE_MAXIMUM,
      REPORT_BURST_MAX,
      SUBSCRIPTIONS_MAX,
      BUFFERED_BYTES_MAX,
      STALL_SECONDS_MAX,
    ]);
  });

  test('has an example notification that equals the payload that Carillon builds', () => {
    const message = { type: 'text', title: 'Hello', body: 'Dinner is ready.', badge: '+1', ext: { table: 7 } };
    assert.equal(
      examples[0],
      nativePayload({ taskId: 4611686018427387905n, bucket: 17, sliceNumber: 3 }, JSON.stringify(message)),
    );
  });

  test('has an example recall that equals the payload that Carillon builds', () => {
    assert.equal(examples[1], recallPayload(4611686018427387905n));
  });

  test('has example reports that the gateway accepts', () => {
    const [, , receipt, badge] = examples.map((text) => Buffer.from(text));
    assert.deepEqual(readReport('report/receipt', receipt as Buffer, true), {
      kind: 'receipt',
      references: ['115258093993985.17.3'],
      isClick: false,
    });
    assert.deepEqual(readReport('report/badge', badge as Buffer, true), { kind: 'badge', badge: 0 });
  });

  test('the schema accepts the examples, and accepts exactly the reports that the gateway accepts', () => {
    const ajv = new Ajv2020({ strict: true, formats: { int64: true } });
    const document = JSON.parse(read('docs/mqtt.schema.json')) as { $defs: Record<string, object> };
    const validate = (topic: string, value: unknown) => ajv.validate(document.$defs[topic] as object, value);
    const topics = [PUSH_TOPIC, RECALL_TOPIC, 'report/receipt', 'report/badge'];
    assert.deepEqual(Object.keys(document.$defs), topics);
    for (const [i, topic] of topics.entries())
      assert.ok(validate(topic, JSON.parse(examples[i] as string)), ajv.errorsText());
    const values = [
      {},
      null,
      [],
      { badge: -1 },
      { badge: 1.5 },
      { badge: '1' },
      { badge: 999_999_999 },
      { badge: 1_000_000_000 },
      { list: [] },
      { list: [''] },
      { list: [7] },
      { list: Array.from({ length: 101 }, () => '1.1.1') },
      { list: Array.from({ length: 100 }, () => '1.1.1') },
      { list: ['1.1.1', 'x'.repeat(65)] },
      { list: ['\u0000'] },
      { list: ['1.1.1'], more: true },
    ];
    for (const topic of Object.keys(reportSchemas))
      for (const value of values) {
        const { kind } = readReport(topic, Buffer.from(JSON.stringify(value)), false);
        assert.equal(validate(topic, value), kind !== 'refused', `${topic} ${JSON.stringify(value).slice(0, 60)}`);
      }
  });
});
