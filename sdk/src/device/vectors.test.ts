import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CONNACK_ACCEPTED, publishPacket, recallPacket, startByteGateway } from '../../support/byte-gateway.ts';
import { startStubServer } from '../../support/stub-server.ts';
import { Carillon } from '../client.ts';
import { CarillonUnreachable } from '../errors.ts';
import { applyBadge } from './badge.ts';
import { parseDeepLink } from './deep-link.ts';
import { CarillonDevice } from './device.ts';
import { disconnectActionOf } from './disconnect-action.ts';
import { parseNotification, parseRecall, type ReceivedNotification } from './notification.ts';
import { type DeviceStorage, loadPersistedState } from './persisted-state.ts';
import { PENDING_RECEIPTS_MAX, type ReceiptList, receiptOutcome, receiptRequest } from './receipt-rules.ts';
import { ReceiptSender } from './receipts.ts';
import { pageOf, parseVendorMessage, type VendorTexts } from './vendor-message.ts';

/** Reads test vectors that all device clients share. */
const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../../sdks/test-vectors/${name}.json`, import.meta.url), 'utf8'));

const bytes = (text: string) => new TextEncoder().encode(text);

interface Expecting<T> {
  readonly name: string;
  readonly expected: T | null;
}

/** Compares the expected fields. Null means that the field is absent. */
function checkNotification(
  parsed: ReceivedNotification | undefined,
  { name, expected }: Expecting<Record<string, unknown>>,
) {
  if (!expected || !parsed) {
    assert.equal(parsed ?? null, expected, name);
    return;
  }
  const fields: Record<string, unknown> = {
    ...parsed,
    ext: parsed.ext ?? {},
    message_id: String(parsed.message_id),
    intent: pageOf(parsed),
  };
  const keys = Object.keys(expected);
  assert.deepEqual(Object.fromEntries(keys.map((key) => [key, fields[key] ?? null])), expected, name);
}

describe('shared test vectors', () => {
  test('notifications', () => {
    for (const vector of vectors<(Expecting<Record<string, unknown>> & { payload: string })[]>('notifications')) {
      checkNotification(parseNotification(bytes(vector.payload)), vector);
      checkNotification(parseNotification(vector.payload), vector);
    }
  });

  test('vendor messages', () => {
    type Vector = Expecting<Record<string, unknown>> & {
      data: Record<string, string>;
      texts?: VendorTexts;
      displayed?: boolean;
    };
    for (const vector of vectors<Vector[]>('vendor-messages')) {
      const options = { texts: vector.texts, isDisplayed: vector.displayed === true };
      checkNotification(parseVendorMessage(vector.data, options), vector);
    }
  });

  test('recalls', () => {
    for (const { name, payload, expected } of vectors<(Expecting<string> & { payload: string })[]>('recalls'))
      assert.equal(parseRecall(bytes(payload))?.message_id.toString() ?? null, expected, name);
  });

  test('deep links', () => {
    for (const { name, uri, expected } of vectors<(Expecting<Record<string, unknown>> & { uri: string })[]>(
      'deep-links',
    )) {
      const link = parseDeepLink(uri, 'com.example.app');
      if (!expected || !link) {
        assert.equal(link ?? null, expected, name);
        continue;
      }
      const fields: Record<string, unknown> = { ...link };
      const keys = Object.keys(expected);
      assert.deepEqual(Object.fromEntries(keys.map((key) => [key, fields[key] ?? null])), expected, name);
    }
  });

  test('badges', () => {
    for (const { current, change, expected } of vectors<{ current: number; change: string; expected: number }[]>(
      'badges',
    ))
      assert.equal(applyBadge(current, change), expected, `${current} ${change}`);
  });

  test('reconnects', () => {
    for (const { reason_code, expected } of vectors<{ reason_code: number | null; expected: string }[]>('reconnects'))
      assert.equal(disconnectActionOf(reason_code ?? undefined), expected, `${reason_code}`);
  });

  test('receipts: requests and error codes', () => {
    const { pending_max, requests, errors } = vectors<ReceiptVectors>('receipts');
    assert.equal(PENDING_RECEIPTS_MAX, pending_max);
    for (const { list, pending, event, expected } of requests) {
      const references = Array.from({ length: pending }, (_, index) => `${index}.0.0`);
      const sizes: number[] = [];
      for (let rest = references; rest.length > 0; ) {
        const request = receiptRequest(list, rest);
        assert.deepEqual([request.list[0], request.event], [rest[0], event]);
        sizes.push(request.list.length);
        rest = rest.slice(request.list.length);
      }
      assert.deepEqual(sizes, expected, `${pending} ${list}`);
    }
    for (const { name, code, expected } of errors) assert.equal(receiptOutcome(code), expected, name);
  });

  test('receipts: responses of other servers', async () => {
    for (const { name, status, body, expected } of vectors<ReceiptVectors>('receipts').responses) {
      await using server = await startStubServer({ status, body });
      const persisted = await loadPersistedState(undefined, 'device');
      const problems: Error[] = [];
      const sender = new ReceiptSender({ persisted, list: 'receipts', onProblem: (problem) => problems.push(problem) });
      sender.setClient(new Carillon({ url: server.url, appId: 'bells', token: 'ct_1' }));
      await sender.add('1.0.0');
      // A receipt that is kept is sent again, at most a second later.
      await until(() => (expected === 'again' ? server.requests.length === 2 : persisted.receipts.length === 0));
      sender.setClient(undefined);
      assert.deepEqual(
        [persisted.receipts.length > 0, problems.length > 0],
        [expected === 'again', expected === 'refused'],
        name,
      );
    }
  });

  test('deduplication', async () => {
    for (const vector of vectors<DeduplicationVector[]>('deduplication')) {
      const { name, displayed, acknowledged, receipts, clicks } = vector;
      assert.deepEqual(await runSteps(vector.steps), { displayed, acknowledged, receipts, clicks }, name);
    }
  });
});

interface ReceiptVectors {
  readonly pending_max: number;
  readonly requests: { list: ReceiptList; pending: number; event?: string; expected: number[] }[];
  readonly errors: (Expecting<string> & { code: number })[];
  readonly responses: (Expecting<string> & { status: number; body: string })[];
}

type Step =
  | { readonly from: 'carillon'; readonly payload: string; readonly fails?: boolean }
  | { readonly from: 'recall'; readonly payload: string }
  | { readonly from: 'vendor' | 'vendor-displayed' | 'tap'; readonly data: Record<string, string>; texts?: VendorTexts }
  | { readonly from: 'restart' };

interface DeduplicationVector {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly displayed: readonly string[];
  readonly acknowledged: readonly number[];
  readonly receipts: readonly string[];
  readonly clicks: readonly string[];
}

/** Sends the steps to a device that is connected to a stub gateway. The API cannot be reached, so all reports are kept. */
async function runSteps(steps: readonly Step[]) {
  await using gateway = await startByteGateway(CONNACK_ACCEPTED);
  const stored = new Map<string, string>();
  const storage: DeviceStorage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
  };
  const [displayed, acknowledged]: [string[], number[]] = [[], []];
  let fails = false;

  const open = async () => {
    const device = await CarillonDevice.open({
      carillon: new Carillon({ url: 'http://127.0.0.1:1', appId: 'bells' }),
      gateway: gateway.url,
      storage,
      onNotification: ({ message_id }) => {
        if (fails) throw new Error('The app cannot display it.');
        displayed.push(`${message_id}`);
      },
    });
    let recalls = 0;
    device.on('problem', () => undefined);
    device.on('recall', () => recalls++);
    await device.use({ token: 'ct_1', push_token: 'p', device_guid: 'g' });
    const earlier = gateway.connections.length;
    device.connect();
    await until(() => gateway.connections.length > earlier && device.state === 'online');
    const connection = gateway.connections.at(-1);
    assert.ok(connection);
    return { device, connection, recallCount: () => recalls };
  };

  let { device, connection, recallCount } = await open();
  for (const [index, step] of steps.entries()) {
    if (step.from === 'carillon') {
      fails = step.fails ?? false;
      connection.receivedHex = '';
      connection.socket.write(publishPacket(index + 1, step.payload));
      await until(() => /^40(02.{4}|03.{6})$/.test(connection.receivedHex));
      acknowledged.push(Number.parseInt(connection.receivedHex.slice(8) || '00', 16));
    } else if (step.from === 'recall') {
      connection.socket.write(recallPacket(step.payload));
      await until(() => recallCount() > 0);
    } else if (step.from === 'restart') {
      await close(device);
      ({ device, connection, recallCount } = await open());
    } else {
      const isDisplayed = step.from !== 'vendor';
      const message = parseVendorMessage(step.data, { texts: step.texts, isDisplayed });
      if (!message) continue;
      const mid = `${message.message_id}`;
      if (step.from === 'tap') await device.click({ reference: message.reference, mid });
      else if ((await device.receipt({ reference: message.reference, mid })) && !isDisplayed) displayed.push(mid);
    }
  }
  await close(device);
  const { receipts, clicks } = JSON.parse(stored.get('carillon.device') as string) as Record<ReceiptList, string[]>;
  return { displayed, acknowledged, receipts, clicks };
}

/** Closes the connection, and ends the attempts to send reports. */
async function close(device: CarillonDevice): Promise<void> {
  await assert.rejects(device.logout(), CarillonUnreachable);
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'the condition was not met in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
