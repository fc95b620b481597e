import { EventEmitter } from 'node:events';
import type { NativeCarillon, Runtime } from '../src/native.ts';

/** A runtime on which a test emits the events of the native module, and sees its calls. */
export interface StubRuntime extends Runtime {
  /** The calls so far, such as `use("ct_1","p")`. */
  readonly calls: string[];
  emit(event: string, payload: string): void;
}

/** The results of the native module. All other functions resolve with nothing. */
const RESULTS: Partial<Record<keyof NativeCarillon, unknown>> = {
  isStarted: true,
  isLoggedIn: true,
  deviceGuid: 'g-1',
  login: '{"token":"ct_1","push_token":"p","device_guid":"g-1"}',
  vendorMessage: true,
  vendorTap: false,
};

const FUNCTIONS = [
  ...['start', 'isStarted', 'withdrawConsent', 'deviceGuid', 'isLoggedIn', 'use', 'login', 'logout', 'listen'],
  ...[
    'notificationPermission',
    'onNotificationPermissionResult',
    'setBadge',
    'vendorToken',
    'vendorMessage',
    'vendorTap',
  ],
] as readonly (keyof NativeCarillon)[];

/** `permissions` are the results of consecutive calls. `answer` is the result of a request for the permission. */
export function stubRuntime(platform = 'android', permissions: string[] = [], answer = 'granted'): StubRuntime {
  const calls: string[] = [];
  const events = new EventEmitter();
  const call = async (name: keyof NativeCarillon, args: readonly unknown[]): Promise<unknown> => {
    calls.push(`${name}(${args.map((arg) => JSON.stringify(arg)).join()})`);
    return name === 'notificationPermission' ? permissions.shift() : RESULTS[name];
  };
  const functions = FUNCTIONS.map((name) => [name, (...args: readonly unknown[]) => call(name, args)]);
  return {
    platform,
    native: Object.fromEntries(functions) as NativeCarillon,
    calls,
    addListener: (event, listener) => void events.on(event, listener),
    requestPermission: async () => {
      calls.push('requestPermission()');
      return answer;
    },
    emit: (event, payload) => void events.emit(event, payload),
  };
}
