import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor, type VendorName, vendorFacts, vendorNames } from '#src/domain/channel.ts';
import { markQuotaExhausted } from '#src/storage/accounts/quotas.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { simulatorToken } from '../../../scripts/dev/simulator-token.ts';
import type { PhoneView } from '../../../simulators/kit/page.ts';
import { type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

type Json = Readonly<Record<string, unknown>>;

interface Preview {
  readonly channel: string;
  readonly environment: number | null;
  readonly devices: number;
  readonly title: string | null;
  readonly body: string | null;
  readonly big_text: string | null;
  readonly message_class: string | null;
  readonly quota_class: string | null;
  readonly quota_spent_until: number | null;
  readonly dropped: readonly string[];
  readonly notes: readonly string[];
  readonly payload: string | null;
}

/** Nothing listens on this port, so the receipts of the simulators are lost. */
const PUBLIC_URL = 'http://127.0.0.1:9';
const SETTING = { ospush_sequence: ['ups', 'fcm'] };

let vendors: VendorSimulators;
let carillon: Carillon;
let ada: TestUser;
/** Has one phone for each vendor. */
let audience: object;
let device: TestDevice;
const secretPaths: string[] = [];
const views = new Map<VendorName, (arrival: never) => PhoneView>();

before(async () => {
  vendors = await startVendorSimulators();
  carillon = await startCarillon({ settings: { ...vendors.settings, CARILLON_PUBLIC_URL: PUBLIC_URL } });
  ada = await carillon.createUser('ada');
  audience = { user_id: [ada.userId] };
  for (const environment of [0, 1]) await carillon.post('/admin/certificate/delete', { provider: 1, environment });
  for (const vendor of vendorNames) {
    const provider = providerByVendor[vendor];
    await carillon.post('/admin/certificate/save', { provider, ...vendors.factsOf(vendor).certificate, name: vendor });
    if (vendorRegistry[vendor].receipts) {
      const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', { provider });
      secretPaths.push(data.path);
      // Meizu accepts only a URL that is registered in its console.
      if (vendor === 'flyme') await vendors.post('flyme', '/receipts', { url: `${PUBLIC_URL}${data.path}` });
    }
    const { token } = await carillon.logIn(ada, `phone-${vendor}`);
    await carillon.post('/device/bind', { provider, token: simulatorToken(vendor, `live-${vendor}`) }, { token });
    const { viewOf } = (await import(`../../../simulators/${vendor}/arrival.ts`)) as {
      viewOf: (arrival: never) => PhoneView;
    };
    views.set(vendor, viewOf);
  }
  device = await connectDevice(
    carillon.gateways[0] as never,
    await carillon.logIn(await carillon.createUser('bo'), 'phone-of-bo'),
  );
});
after(async () => {
  await device[Symbol.asyncDispose]();
  await carillon[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

async function previews(message: object, setting: object = SETTING, to: object | 'all' = audience) {
  const { data } = await carillon.post<{ previews: Preview[] }>('/push/validate', { audience: to, message, setting });
  return new Map(data.previews.map((preview) => [preview.channel, preview]));
}

/** Sends a message and returns the newest delivery of each vendor, with the fields of its simulator. */
async function send(message: object, expected: readonly VendorName[]): Promise<Map<VendorName, Json>> {
  const taskId = await carillon.notify(audience, message, SETTING);
  const arrivals = expected.map(async (vendor) => {
    const arrival = await eventually(async () => {
      const { arrived } = await vendors.get<{ arrived: Json[] }>(vendor, '/arrived?limit=20000');
      return arrived.find((one) => JSON.stringify(one).includes(taskId.toString())) ?? assert.fail(`not at ${vendor}`);
    });
    return [vendor, arrival] as const;
  });
  return new Map(await Promise.all(arrivals));
}

/** Fields with IDs, times, tokens and addresses, which differ between a preview and a request. */
const EXAMPLES = new Set([
  ...['mid', 'reference', 'tag', 'notify_id', 'notifyId', 'notifyKey', 'requestId', 'app_message_id', 'appMessageId'],
  ...['bi_tag', 'biTag', 'call_back_parameter', 'callback.param', 'extra.callback.param', 'extra.jobkey'],
  ...['call_back_url', 'callback', 'extra.callback', 'ttl', 'timeToLive', 'time_to_live', 'off_line_ttl', 'validTime'],
]);
/** Fields with tokens, which the simulators remove. */
const TOKENS = new Set(['token', 'target', 'regId', 'registration_id', 'target_value']);

/** Returns a copy with masked IDs, without tokens, and with JSON strings parsed. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string' && /^[{[]/.test(value)) return comparable(JSON.parse(value));
  if (typeof value === 'string') return value.replaceAll(/;S\.(mid|reference)=[^;]*/g, ';S.$1=*');
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !TOKENS.has(name))
      .map(([name, inner]) => [name, EXAMPLES.has(name) ? '*' : comparable(inner)]),
  );
}

/** Returns the part of a preview that the simulator reports. */
function previewedPart(vendor: VendorName, payload: string | null): unknown {
  const body = comparable(payload) as Json;
  if (vendor === 'fcm') return body.message;
  if (vendor === 'oppo') return (body.messages as unknown[])[0];
  return vendor === 'flyme' ? body.messageJson : body;
}

const arrivedPart = ({ message, payload, body }: Json): unknown => comparable(message ?? payload ?? body);

function compare(vendor: VendorName, preview: Preview | undefined, arrival: Json | undefined): void {
  assert.ok(preview && arrival, `no preview or no delivery of ${vendor}`);
  assert.equal(preview.environment, 1);
  assert.equal(preview.devices, 1);
  assert.deepEqual(previewedPart(vendor, preview.payload), arrivedPart(arrival));
  const view = views.get(vendor)?.(arrival as never);
  assert.equal(preview.title ?? '', view?.title);
  assert.equal(preview.body ?? '', view?.text);
  assert.equal(preview.big_text ?? preview.body ?? '', view?.largeText ?? view?.text);
}

const INTENT = 'intent:#Intent;action=com.example.PAGE;component=com.example/com.example.Page;S.room=1;end';

/** A message with a value for every channel. */
const RICH = {
  title: 'Ding',
  body: 'dong',
  big_text: 'dong dong dong',
  badge: '3',
  ext: { room: 12, list: [1, 2] },
  ios: { sound: 'bell', subtitle: 'Bells', thread_id: 't' },
  android: { sound: 'bell', channel_id: 'bells', click_action: 'intent', intent: INTENT },
  huawei: { badge_class: 'com.example.Main', category: 'IM' },
  harmony: { category: 'IM', uri: 'https://example.com/page', sound: 'bell.mp3' },
  honor: { badge_class: 'com.example.Main', category: 'LOW' },
  xiaomi: { channel_id: '100124', template_id: 'P10001', template_param: '{"keywords1":"a","keywords2":"b"}' },
  oppo: { category: 'IM', notify_level: 2 },
  vivo: { category: 'ORDER' },
  flyme: { notice_msg_type: 1 },
  webpush: { navigate: 'https://example.com/page', urgency: 'low' },
};

const FAMILY = '👨‍👩‍👧‍👦';
const longMessage = (start: number) => ({
  title: `${'t'.repeat(28)}${FAMILY.repeat(10)}`,
  body: `${'x'.repeat(start)}${FAMILY.repeat(180)}`,
  badge: '2',
  ext: { room: 12 },
});

/**
 * Returns a text whose cut is the same if the other fields are up to two bytes longer or shorter, because the lengths of
 * some IDs vary.
 */
async function textWithStableCut(): Promise<number> {
  const shownCounts: string[] = [];
  for (let start = 0; start < 200; start++) {
    const shown = [...(await previews(longMessage(start))).values()].map(({ body }) => body?.split(FAMILY).length);
    shownCounts.push(JSON.stringify(shown));
    const last = shownCounts.slice(-5);
    if (last.length === 5 && new Set(last).size === 1) return start - 2;
  }
  return assert.fail('every text is cut differently');
}

describe('a preview is what the vendor receives and the phone displays', () => {
  const compareAll = async (message: object, expected: readonly VendorName[] = vendorNames) => {
    const byChannel = await previews(message);
    const arrivals = await send(message, expected);
    for (const vendor of expected) compare(vendor, byChannel.get(vendor), arrivals.get(vendor));
    return byChannel;
  };

  test('for a message with all kinds of fields', async () => {
    const byChannel = await compareAll(RICH);
    const classes = Object.fromEntries([...byChannel].map(([channel, preview]) => [channel, preview.message_class]));
    assert.deepEqual(classes, {
      nativepush: null,
      apns: null,
      fcm: null,
      webpush: null,
      huawei: 'IM',
      harmony: 'IM',
      honor: 'LOW',
      xiaomi: 'private',
      oppo: 'IM',
      vivo: 'ORDER',
      flyme: 'private',
    });
    assert.equal(byChannel.get('vivo')?.quota_class, 'system');
    const dropped = Object.fromEntries([...byChannel].map(([channel, preview]) => [channel, preview.dropped]));
    assert.deepEqual(dropped, {
      nativepush: [],
      apns: [],
      fcm: [],
      webpush: [],
      huawei: [],
      harmony: [],
      honor: ['android.sound', 'android.channel_id'],
      xiaomi: ['android.channel_id'],
      oppo: ['android.sound'],
      vivo: ['android.sound', 'android.channel_id'],
      flyme: ['android.sound', 'android.channel_id'],
    });
  });

  test('for a text that is cut between emoji', async () => {
    const byChannel = await compareAll(longMessage(await textWithStableCut()));
    for (const vendor of vendorNames) {
      const { body, notes } = byChannel.get(vendor) as Preview;
      assert.match(body ?? '', new RegExp(`^x*(${FAMILY})+…$`), vendor);
      assert.match(notes.join(), /The text is cut to \d+ of its \d+ characters/, vendor);
    }
    for (const vendor of ['xiaomi', 'oppo', 'vivo'] as const)
      assert.match(byChannel.get(vendor)?.title ?? '', new RegExp(`^t{28}(${FAMILY})+…$`), vendor);
  });

  test('for data that does not fit', async () => {
    const message = { title: 'Ding', body: 'dong', badge: '2', ext: { text: 'x'.repeat(4_000) } };
    const byChannel = await compareAll(message);
    assert.deepEqual(byChannel.get('vivo')?.dropped, ['ext']);
    assert.match(byChannel.get('vivo')?.notes.join() ?? '', /ext is left out/);
  });

  test('for a data-only message, which displays nothing', async () => {
    const expected = vendorNames.filter((vendor) => vendorFacts[vendor].supportsDataOnly);
    const byChannel = await compareAll({ type: 'cmd', title: 'Ding', ext: { do: 'sync' } }, expected);
    assert.deepEqual([...byChannel.keys()].sort(), [...expected, 'nativepush'].sort());
    for (const { title, body } of byChannel.values()) assert.deepEqual({ title, body }, { title: null, body: null });
  });

  test('on the Carillon channel', async () => {
    const byChannel = await previews(RICH, {}, 'all');
    const { payload, devices, environment, title, big_text } = byChannel.get('nativepush') as Preview;
    assert.deepEqual(
      { devices, environment, title, big_text },
      { devices: 1, environment: null, title: RICH.title, big_text: RICH.big_text },
    );
    const taskId = await carillon.notify('all', RICH);
    const received = await eventually(() => {
      const index = device.taskIds.indexOf(taskId.toString());
      return device.received[index] ?? assert.fail('not received yet');
    });
    const withoutIds = ({ task_id: _, message_id: __, reference: ___, ...rest }: Json) => rest;
    assert.deepEqual(withoutIds(JSON.parse(payload ?? '') as Json), withoutIds(received));
  });
});

test('a preview contains no secret and no vendor token', async () => {
  const text = JSON.stringify([...(await previews(RICH)).values()]);
  assert.equal(secretPaths.length, 7);
  const secrets = [
    ...secretPaths.map((path) => path.split('/').at(-1) as string),
    ...vendorNames.map((vendor) => vendors.factsOf(vendor).certificate.app_secret).filter((secret) => secret !== ''),
    ...vendorNames.map((vendor) => `live-${vendor}`),
  ];
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  assert.match(text, /<token>/);
  assert.match(text, /127\.0\.0\.1:9\/callback\/xiaomi\/<secret_+>/);
});

test('a preview names the end of a used-up quota of its class', async () => {
  const until = new Date(Date.now() + 3_600_000);
  const account = { appId: carillon.appId, channel: 'vivo', environment: 1 } as const;
  await markQuotaExhausted(carillon.storage.home, account, 'operational', until);
  const spentUntil = async (message: object) => (await previews(message)).get('vivo')?.quota_spent_until;
  assert.equal(await spentUntil({ title: 'Ding', vivo: { category: 'NEWS' } }), until.getTime());
  assert.equal(await spentUntil({ title: 'Ding', vivo: { category: 'ORDER' } }), null);
});

test('a preview has a note if the vendor accepts only longer lifetimes', async () => {
  const byChannel = await previews({ title: 'Ding', show_end_time: Math.floor(Date.now() / 1_000) + 600 });
  assert.match(byChannel.get('flyme')?.notes[0] ?? '', /show_end_time is nearer than its shortest lifetime/);
  assert.doesNotMatch(byChannel.get('vivo')?.notes.join() ?? '', /show_end_time/);
});

test('there is no preview of a channel that is not tried', async () => {
  const ofVendors = await previews(RICH, { ...SETTING, distribution_strategy: 'ospush_only' });
  assert.deepEqual([...ofVendors.keys()].sort(), vendorNames);
  const ofCarillon = await previews(RICH, { ...SETTING, distribution_strategy: 'nativepush_only' });
  assert.deepEqual([...ofCarillon.keys()], ['nativepush']);
});
