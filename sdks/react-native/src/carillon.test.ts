import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stubRuntime } from '../support/stub-runtime.ts';
import { CarillonApp } from './carillon.ts';

const payloadOf = (id: number) => JSON.stringify({ task_id: `${id}`, message_id: `${id}`, reference: `${id}.1.1` });

describe('taps', () => {
  test('are kept until the first listener, and delivered to it once', () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    app.onNotification(() => undefined);
    for (const id of [1, 2]) runtime.emit('carillonTap', payloadOf(id));
    const first: bigint[] = [];
    const second: bigint[] = [];
    app.onTap(({ message_id }) => first.push(message_id));
    app.onTap(({ message_id }) => second.push(message_id));
    assert.deepEqual([first, second], [[1n, 2n], []]);
    runtime.emit('carillonTap', payloadOf(3));
    assert.deepEqual([first, second], [[1n, 2n, 3n], [3n]]);
  });

  test('are kept while no listener is left, the newest 20', () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    const stop = app.onTap(() => assert.fail('The listener was removed.'));
    stop();
    stop();
    for (let id = 1; id <= 21; id++) runtime.emit('carillonTap', payloadOf(id));
    const taps: bigint[] = [];
    app.onTap(({ message_id }) => taps.push(message_id));
    assert.deepEqual([taps.length, taps[0], taps.at(-1)], [20, 2n, 21n]);
  });

  test('of the previous user are not delivered to the next one', async () => {
    for (const change of [
      (app: CarillonApp) => app.logout(),
      (app: CarillonApp) => app.withdrawConsent(),
      (app: CarillonApp) => app.use({ token: 'ct_2', push_token: 'of another user' }),
      (app: CarillonApp) => app.login({ login_name: 'bo', password: 'secret' }),
    ]) {
      const runtime = stubRuntime();
      const app = new CarillonApp(runtime);
      await app.use({ token: 'ct_1', push_token: 'of ada' });
      app.onRecall(() => undefined);
      runtime.emit('carillonTap', payloadOf(1));
      await change(app);
      const taps: bigint[] = [];
      app.onTap(({ message_id }) => taps.push(message_id));
      assert.deepEqual(taps, [], runtime.calls.at(-1));
    }
  });

  test('of the previous user are not delivered to the next one after a restart of JavaScript', async () => {
    for (const change of [
      (app: CarillonApp) => app.use({ token: 'ct_2', push_token: 'of another user' }),
      (app: CarillonApp) => app.login({ login_name: 'bo', password: 'secret' }),
    ]) {
      const runtime = stubRuntime();
      const native = runtime.native;
      assert.ok(native);
      native.use = async () => true;
      native.login = async () => '{"token":"ct_2","push_token":"p","device_guid":"g-1","is_other_user":true}';
      const app = new CarillonApp(runtime);
      app.onRecall(() => undefined);
      runtime.emit('carillonTap', payloadOf(1));
      await change(app);
      const taps: bigint[] = [];
      app.onTap(({ message_id }) => taps.push(message_id));
      assert.deepEqual(taps, []);
    }
  });

  test('are kept if the app passes the login of the same user again', async () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    app.onRecall(() => undefined);
    runtime.emit('carillonTap', payloadOf(1));
    for (const token of ['ct_1', 'ct_2']) await app.use({ token, push_token: 'of ada' });
    const taps: bigint[] = [];
    app.onTap(({ message_id }) => taps.push(message_id));
    assert.deepEqual(taps, [1n]);
  });

  test('are requested from the phone after the listeners for events are connected, once', () => {
    const runtime = stubRuntime();
    const taps: bigint[] = [];
    const native = runtime.native;
    assert.ok(native);
    // The Android SDK emits the kept taps as soon as it is asked for events.
    native.listen = async () => {
      runtime.calls.push('listen()');
      runtime.emit('carillonTap', payloadOf(1));
    };
    const app = new CarillonApp(runtime);
    app.onTap(({ message_id }) => taps.push(message_id));
    app.onRecall(() => undefined);
    assert.deepEqual([taps, runtime.calls], [[1n], ['listen()']]);
  });
});

describe('notifications', () => {
  test('that the phone does not display are kept until the first listener, and displayed ones are not', () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    app.onTap(() => assert.fail('Nothing was tapped.'));
    runtime.emit('carillonNotification', payloadOf(1));
    runtime.emit('carillonUndisplayed', payloadOf(2).replace('{', '{"type":"cmd",'));
    runtime.emit('carillonUndisplayed', payloadOf(3).replace('{', '{"title":"A",'));
    const received: string[] = [];
    app.onNotification(({ message_id, type }) => received.push(`${message_id} ${type}`));
    app.onNotification(() => assert.fail('The first listener has received them.'));
    assert.deepEqual(received, ['2 cmd', '3 text']);
  });

  test('that the phone does not display are kept while no listener is left, the newest 20', () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    app.onNotification(() => assert.fail('The listener was removed.'))();
    for (let id = 1; id <= 21; id++) runtime.emit('carillonUndisplayed', payloadOf(id));
    const received: bigint[] = [];
    app.onNotification(({ message_id }) => received.push(message_id));
    assert.deepEqual([received.length, received[0], received.at(-1)], [20, 2n, 21n]);
  });

  test('that were recalled before the first listener are not delivered', () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    app.onTap(() => undefined);
    for (const id of [1, 2]) runtime.emit('carillonUndisplayed', payloadOf(id));
    runtime.emit('carillonRecall', payloadOf(1));
    const received: bigint[] = [];
    app.onNotification(({ message_id }) => received.push(message_id));
    assert.deepEqual(received, [2n]);
  });
});

describe('the end of a login', () => {
  const ended = async () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    await app.use({ token: 'ct_1', push_token: 'of ada' });
    app.onTap(() => undefined);
    runtime.emit('carillonLoggedOut', '');
    return { app, runtime };
  };
  const endsSeenBy = (app: CarillonApp): number => {
    let count = 0;
    app.onLoggedOut(() => {
      count += 1;
    });
    return count;
  };

  test('is kept until the first listener, and delivered to it once', async () => {
    const { app, runtime } = await ended();
    assert.deepEqual([endsSeenBy(app), endsSeenBy(app)], [1, 0]);
    runtime.emit('carillonLoggedOut', '');
    assert.equal(endsSeenBy(app), 0, 'the earlier listeners have received it');
  });

  test('is not delivered after the next login or a logout', async () => {
    for (const change of [
      (app: CarillonApp) => app.logout(),
      (app: CarillonApp) => app.withdrawConsent(),
      (app: CarillonApp) => app.use({ token: 'ct_2', push_token: 'of ada' }),
      (app: CarillonApp) => app.use({ token: 'ct_2', push_token: 'of another user' }),
      (app: CarillonApp) => app.login({ login_name: 'bo', password: 'secret' }),
    ]) {
      const { app, runtime } = await ended();
      await change(app);
      assert.equal(endsSeenBy(app), 0, runtime.calls.at(-1));
    }
  });
});

describe('events', () => {
  test('are passed to their listeners until these are removed, and payloads of others are ignored', () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    const events: string[] = [];
    const stops = [
      app.onNotification(({ reference, title }) => events.push(`${reference} ${title}`)),
      app.onRecall(({ message_id }) => events.push(`recall ${message_id}`)),
      app.onBadge((badge) => events.push(`badge ${badge}`)),
      app.onToken(({ vendor, token }) => events.push(`token ${vendor} ${token}`)),
      app.onLoggedOut(() => events.push('logged out')),
    ];
    const emitAll = () => {
      runtime.emit('carillonNotification', payloadOf(1).replace('{', '{"title":"A",'));
      runtime.emit('carillonNotification', '{"title":"of another library"}');
      runtime.emit('carillonUndisplayed', '{"title":"of another library"}');
      runtime.emit('carillonRecall', payloadOf(1));
      runtime.emit('carillonRecall', '{}');
      runtime.emit('carillonBadge', '3');
      runtime.emit('carillonToken', '{"vendor":"fcm","token":"t"}');
      runtime.emit('carillonLoggedOut', '');
    };
    emitAll();
    for (const stop of stops) stop();
    emitAll();
    assert.deepEqual(events, ['1.1.1 A', 'recall 1', 'badge 3', 'token fcm t', 'logged out']);
  });
});

describe('calls', () => {
  test('pass strings and JSON to the native module', async () => {
    const runtime = stubRuntime();
    const app = new CarillonApp(runtime);
    await app.start({ apiUrl: 'https://a.example', gatewayUrl: 'mqtts://a.example', appId: 'shop' });
    assert.equal(await app.isStarted(), true);
    assert.equal(await app.deviceGuid(), 'g-1');
    const credentials = await app.login({ login_name: 'ada', password: 'secret' });
    assert.deepEqual(credentials, { token: 'ct_1', push_token: 'p', device_guid: 'g-1' });
    await app.use(credentials);
    assert.equal(await app.isLoggedIn(), true);
    await app.setBadge(0);
    await app.vendorToken('fcm', 't');
    assert.equal(await app.vendorMessage({ data: { mid: '7' }, texts: { body: 'B' } }), true);
    await app.vendorMessage({ data: { mid: '7' } });
    assert.equal(await app.vendorTap({ mid: '7' }), false);
    await app.logout();
    await app.withdrawConsent();
    assert.deepEqual(runtime.calls, [
      'start("{\\"apiUrl\\":\\"https://a.example\\",\\"gatewayUrl\\":\\"mqtts://a.example\\",\\"appId\\":\\"shop\\"}")',
      'isStarted()',
      'deviceGuid()',
      'login("ada","secret")',
      'use("ct_1","p")',
      'isLoggedIn()',
      'setBadge(0)',
      'vendorToken("fcm","t")',
      'vendorMessage("{\\"mid\\":\\"7\\"}","","B")',
      'vendorMessage("{\\"mid\\":\\"7\\"}",null,null)',
      'vendorTap("{\\"mid\\":\\"7\\"}")',
      'logout()',
      'withdrawConsent()',
    ]);
  });

  test('request the permission for notifications only if Android requires it', async () => {
    const asking = stubRuntime('android', ['required', 'granted']);
    assert.equal(await new CarillonApp(asking).requestNotificationPermission(), 'granted');
    assert.deepEqual(asking.calls, [
      'notificationPermission()',
      'requestPermission()',
      'onNotificationPermissionResult()',
      'notificationPermission()',
    ]);
    for (const [answer, expected] of [
      ['never_ask_again', 'denied'],
      ['denied', 'required'],
    ] as const) {
      const refused = stubRuntime('android', ['required', 'required'], answer);
      assert.equal(await new CarillonApp(refused).requestNotificationPermission(), expected, answer);
      assert.ok(refused.calls.includes('onNotificationPermissionResult()'));
    }
    const blocked = stubRuntime('android', ['denied', 'denied']);
    assert.equal(await new CarillonApp(blocked).requestNotificationPermission(), 'denied');
    assert.ok(!blocked.calls.includes('requestPermission()'));
  });

  test('name the reason if the platform is not supported, or the native module is missing', () => {
    const app = new CarillonApp(stubRuntime('ios'));
    assert.equal(app.isSupported, false);
    assert.throws(() => app.onTap(() => undefined), /supports only Android, not ios\. For iOS, see docs\/app\/ios\.md/);
    const unlinked = new CarillonApp({ ...stubRuntime(), native: undefined });
    assert.throws(() => unlinked.logout(), /The native module of @carillon\/react-native is missing/);
  });
});
