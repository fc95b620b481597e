import { CarillonDevice, type DeviceCredentials } from '../../sdk/src/device/index.ts';
import { Carillon } from '../../sdk/src/index.ts';
import type { DemoApi } from './call-api.ts';

/** Maximum time to connect. The gateway is already running, so a connection takes only a moment. */
const CONNECT_MS_MAX = 10_000;

/** A device on the Carillon channel. With its credentials, any other MQTT client can take over its session. */
export interface MqttDevice extends AsyncDisposable {
  readonly credentials: DeviceCredentials;
}

/** Logs a user in on a device that stays connected and prints a line for each notification. */
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
      printLine(`${owner.name}'s device received: ${[title, body].filter(Boolean).join(' · ')}`),
  });
  device.on('taken-over', () => printLine(`${owner.name}'s session was taken over by another client.`));
  // Connection errors are expected while the demo stops.
  device.on('problem', () => undefined);
  const credentials = await device.login({ login_name: owner.name, password: owner.password });
  const online = Promise.withResolvers<void>();
  const timeout = setTimeout(
    () => online.reject(new Error(`The device could not connect to ${gateway} within 10 s.`)),
    CONNECT_MS_MAX,
  );
  device.on('online', () => online.resolve());
  device.connect();
  await online.promise.finally(() => clearTimeout(timeout));
  return { credentials, [Symbol.asyncDispose]: () => device.disconnect() };
}
