import { CarillonDevice, type DeviceCredentials } from '../../sdk/src/device/index.ts';
import { Carillon } from '../../sdk/src/index.ts';
import type { DemoApi } from './call-api.ts';

/** The gateway is ready by then, so a moment is enough; nobody should wait for ever. */
const CONNECT_MS_MAX = 10_000;

/** A phone on Carillon's own channel, and the credentials with which any other MQTT client can take its place. */
export interface MqttDevice extends AsyncDisposable {
  readonly credentials: DeviceCredentials;
}

/** Logs somebody in on a phone that stays connected and tells in a line whatever it shows. */
export async function connectMqttDevice(
  api: DemoApi,
  gateway: string,
  owner: { readonly name: string; readonly password: string },
  printLine: (line: string) => void,
): Promise<MqttDevice> {
  const device = await CarillonDevice.open({
    carillon: new Carillon({ url: api.base_url, appId: api.app_id }),
    gateway,
    onNotification: ({ title, body }) =>
      printLine(`${owner.name}'s phone rings: ${[title, body].filter(Boolean).join(' · ')}`),
  });
  device.on('taken-over', () => printLine(`${owner.name}'s phone is another client now.`));
  // While everything stops there is nobody to connect to, which is no news.
  device.on('problem', () => undefined);
  const credentials = await device.login({ login_name: owner.name, password: owner.password });
  const online = Promise.withResolvers<void>();
  const timeout = setTimeout(() => online.reject(new Error(`${gateway} takes no device.`)), CONNECT_MS_MAX);
  device.on('online', () => online.resolve());
  device.connect();
  await online.promise.finally(() => clearTimeout(timeout));
  return { credentials, [Symbol.asyncDispose]: () => device.disconnect() };
}
