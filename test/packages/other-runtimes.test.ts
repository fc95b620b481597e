import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { Carillon as Client } from '../../sdk/src/client.ts';
import type { CarillonDevice, DeviceOptions } from '../../sdk/src/device/index.ts';
import { startStubServer } from '../../sdk/support/stub-server.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The names that the bundle defines. */
interface Sdk {
  readonly Carillon: typeof Client;
  readonly CarillonDevice: typeof CarillonDevice;
  readonly CarillonUnreachable: new () => Error;
}

/** Globals that React Native and mini programs have besides those of the language. */
const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
/** The classes of the test process, so that bytes from a socket are instances of them. */
const bytes = { ArrayBuffer, Uint8Array };

/** The `fetch` of React Native: the body of a response is not a stream. */
const fetchWithoutStreams = async (url: string, init: RequestInit): Promise<Partial<Response>> => {
  const { status, headers, ...response } = await fetch(url, { ...init, headers: { ...init.headers } }).then(
    async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }),
  );
  return { status, headers, text: async () => response.text };
};

/** MQTT.js reads these from `self`. In React Native, `AbortSignal` has neither `timeout` nor `any`. */
const abortClasses = { AbortController, AbortSignal: class {} };
const aborting = { ...abortClasses, self: abortClasses };

const reactNative = {
  ...timers,
  ...bytes,
  fetch: fetchWithoutStreams,
  ...aborting,
  WebSocket,
  navigator: { product: 'ReactNative' },
};

/** Mini programs have neither `AbortController` nor `navigator`. Apps must define them for MQTT.js. */
const miniProgram = { ...timers, ...bytes, ...aborting, navigator: {} };

/** React Native cannot read or write the source text of a number. */
const OLD_JSON = `
  delete JSON.rawJSON;
  const { parse } = JSON;
  JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver(key, value)));
`;

describe('the SDK in other JavaScript runtimes', () => {
  const parts = new AsyncDisposableStack();
  let code: string;
  let carillon: Carillon;

  before(async () => {
    code = await bundle();
    carillon = parts.use(await startCarillon());
  });
  after(() => parts.disposeAsync());

  /** Loads the SDK into a runtime that has the given globals and nothing else but the language. */
  const load = (globals: object): Sdk => {
    const context = createContext({ ...globals });
    runInContext(OLD_JSON, context);
    return runInContext(`${code}; sdk`, context) as Sdk;
  };

  const openDevice = async (
    { Carillon: SdkClient, CarillonDevice: SdkDevice }: Sdk,
    options: Pick<DeviceOptions, 'gateway'>,
    fetch: unknown,
  ) => {
    const titles: (string | undefined)[] = [];
    const client = new SdkClient({
      url: (carillon.apis[0] as RoleProcess).apiUrl,
      appId: carillon.appId,
      fetch: fetch as typeof globalThis.fetch,
    });
    const onNotification = ({ title }: { title?: string | undefined }) => void titles.push(title);
    const device = await SdkDevice.open({ ...options, carillon: client, onNotification });
    parts.defer(() => device.disconnect());
    return { device, titles };
  };

  test('a call in React Native sends and returns exact integers', async () => {
    await using server = await startStubServer({
      body: '{"code":200,"data":{"task_id":9223372036854775807},"message":null}',
    });
    const { Carillon: SdkClient } = load(reactNative);
    const client = new SdkClient({ url: `${server.url}/base/`, appId: 'bells', token: 'ca_1' });
    const { task_id } = await client.push.notify({
      audience: { user_id: [9007199254740993n] },
      message: { title: 'A' },
    });
    assert.equal(task_id, 9223372036854775807n);
    const [request] = server.requests;
    assert.equal(request?.path, '/base/push/notify');
    assert.equal(request?.body, '{"audience":{"user_id":[9007199254740993]},"message":{"title":"A"}}');
    assert.equal(request?.headers['access-token'], 'ca_1');
  });

  test('a call in React Native ends after its timeout', async () => {
    await using server = await startStubServer('silent');
    const { Carillon: SdkClient } = load(reactNative);
    const client = new SdkClient({ url: server.url, appId: 'bells', token: 'ca_1', timeoutMs: 50 });
    await assert.rejects(client.device.list(), {
      name: 'CarillonUnreachable',
      message: /did not respond within 50 ms/,
    });
  });

  const webSocketUrl = () => (carillon.gateways[0] as RoleProcess).webSocketUrl;
  /** A gateway without TLS stands behind the `wss` URL that a mini program opens. */
  const openSocket = (url: string, protocols: string | string[]) =>
    new WebSocket(url.replace('wss://', 'ws://'), protocols);
  const runtimes = {
    'React Native over wss': () => ({ globals: reactNative, gateway: webSocketUrl() }),
    'a WeChat mini program over wxs': () => ({
      globals: { ...miniProgram, wx: weChat(openSocket) },
      gateway: webSocketUrl().replace('ws://', 'wxs://'),
    }),
    'an Alipay mini program over alis': () => ({
      globals: { ...miniProgram, my: alipay(openSocket) },
      gateway: webSocketUrl().replace('ws://', 'alis://'),
    }),
  };
  for (const [name, runtime] of Object.entries(runtimes))
    test(`a device receives a notification in ${name}`, async () => {
      const { globals, gateway } = runtime();
      const user = await carillon.createUser(`user-${name}`);
      const { device, titles } = await openDevice(load(globals), { gateway }, fetchWithoutStreams);
      await device.login({ login_name: user.name, password: user.password });
      device.connect();
      await eventually(() => assert.equal(device.state, 'online'));
      const taskId = await carillon.notify({ user_id: [user.userId] }, { title: 'Rehearsal 排练 at eight' });
      await eventually(() => assert.deepEqual(titles, ['Rehearsal 排练 at eight']));
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    });
});

/** Bundles the SDK and MQTT.js for React Native, as an app does, into a script that defines the variable `sdk`. */
async function bundle(): Promise<string> {
  const input = join(root, 'sdk/all.ts');
  const modules = `export * from './src/index.ts'; export * from './src/device/index.ts';`;
  const build = await rolldown({
    input,
    resolve: { conditionNames: ['react-native', 'import', 'default'] },
    plugins: [
      { name: 'entry', load: (id) => (id === input ? modules : null), resolveId: (id) => (id === input ? id : null) },
    ],
  });
  const { output } = await build.generate({ format: 'iife', name: 'sdk' });
  return output[0].code;
}

type OpenSocket = (url: string, protocols: string | string[]) => WebSocket;
type Callbacks = { success?(): void };

/** WeChat's WebSocket API, on a WebSocket of Node.js. */
function weChat(openSocket: OpenSocket) {
  return {
    connectSocket: ({ url, protocols }: { url: string; protocols: string[] }) => {
      const socket = openSocket(url, protocols);
      socket.binaryType = 'arraybuffer';
      return {
        onOpen: (handle: () => void) => socket.addEventListener('open', handle),
        onMessage: (handle: (message: { data: unknown }) => void) =>
          socket.addEventListener('message', ({ data }) => handle({ data })),
        onClose: (handle: () => void) => socket.addEventListener('close', handle),
        onError: (handle: (error: { errMsg: string }) => void) =>
          socket.addEventListener('error', () => handle({ errMsg: 'connectSocket:fail' })),
        send: ({ data, success }: { data: ArrayBuffer } & Callbacks) => {
          socket.send(data);
          success?.();
        },
        close: ({ success }: Callbacks) => {
          socket.close();
          success?.();
        },
      };
    },
  };
}

/** Alipay's WebSocket API, which has one socket, on a WebSocket of Node.js. */
function alipay(openSocket: OpenSocket) {
  let socket: WebSocket;
  const events = new EventTarget();
  const on = (name: string) => (handle: (event: { data: string }) => void) =>
    events.addEventListener(name, (event) => handle((event as CustomEvent).detail));
  return {
    connectSocket: ({ url, protocols }: { url: string; protocols: string }) => {
      socket = openSocket(url, protocols);
      socket.binaryType = 'arraybuffer';
      for (const name of ['open', 'close', 'error'])
        socket.addEventListener(name, () => events.dispatchEvent(new CustomEvent(name, { detail: {} })));
      socket.addEventListener('message', ({ data }) => {
        const detail = { data: Buffer.from(data as ArrayBuffer).toString('base64') };
        events.dispatchEvent(new CustomEvent('message', { detail }));
      });
    },
    onSocketOpen: on('open'),
    onSocketMessage: on('message'),
    onSocketClose: on('close'),
    onSocketError: on('error'),
    sendSocketMessage: ({ data, success }: { data: ArrayBuffer } & Callbacks) => {
      socket.send(data);
      success?.();
    },
    closeSocket: ({ success }: Callbacks) => {
      socket.close();
      success?.();
    },
  };
}
