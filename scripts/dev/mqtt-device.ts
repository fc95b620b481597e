import { CarillonDevice, type DeviceCredentials, type ReceivedNotification } from '../../sdk/src/device/index.ts';
import { Carillon } from '../../sdk/src/index.ts';
import { type PhoneView, screenOf } from '../../simulators/kit/page.ts';
import type { Phone } from '../../simulators/kit/phones-page.ts';
import { callApi, type DemoApi } from './call-api.ts';

/** Maximum time to connect. The gateway is already running, so a connection takes only a moment. */
const CONNECT_MS_MAX = 10_000;

/** At most this many notifications are kept for the page, which shows no more. */
const ARRIVALS_MAX = 100;

/** A device on the Carillon channel. With its credentials, any other MQTT client can take over its session. */
export interface MqttDevice extends AsyncDisposable {
  readonly credentials: DeviceCredentials;
  /** Returns the received notifications for the page with all phones. */
  phone(): Phone;
}

/** Logs a user in on a device that stays connected and prints a line for each notification. */
export async function connectMqttDevice(
  api: DemoApi,
  gateway: string,
  owner: { readonly name: string; readonly password: string },
  printLine: (line: string) => void,
): Promise<MqttDevice> {
  const arrivals: { readonly notification: ReceivedNotification; readonly at: number }[] = [];
  let total = 0;
  const device = await CarillonDevice.open({
    carillon: new Carillon({ url: api.base_url, appId: api.app_id }),
    gateway,
    onNotification: (notification) => {
      const { title, body } = notification;
      printLine(`${owner.name}'s device received: ${[title, body].filter(Boolean).join(' · ')}`);
      total += 1;
      arrivals.push({ notification, at: Date.now() });
      if (arrivals.length > ARRIVALS_MAX) arrivals.shift();
    },
  });
  device.on('taken-over', () => printLine(`${owner.name}'s session was taken over by another client.`));
  // Connection errors are expected while the demo stops.
  device.on('problem', () => undefined);
  const device_guid = `demo-${owner.name}`; // the same device at each start
  const login = { name: owner.name, password: owner.password, device_guid };
  const credentials = {
    ...(await callApi<{ token: string; push_token: string }>(api, '/token/user', login)),
    device_guid,
  };
  await device.use(credentials);
  const online = Promise.withResolvers<void>();
  const timeout = setTimeout(
    () => online.reject(new Error(`The device could not connect to ${gateway} within 10 s.`)),
    CONNECT_MS_MAX,
  );
  device.on('online', () => online.resolve());
  device.connect();
  await online.promise.finally(() => clearTimeout(timeout));
  const viewOf = ({ notification, at }: (typeof arrivals)[number]): PhoneView => ({
    app: api.app_id,
    title: notification.title ?? '',
    text: notification.body ?? '',
    largeText: notification.big_text || undefined,
    badge: notification.badge || undefined,
    picture: notification.type === 'image' ? notification.attachment_url : undefined,
    data: notification.ext === undefined ? undefined : JSON.stringify(notification.ext),
    details: [],
    token: credentials.push_token,
    at,
  });
  return {
    credentials,
    phone: () => ({
      name: 'nativepush',
      phone: `MQTT (${owner.name})`,
      colour: '#3d5a45',
      url: '',
      screen: { ...screenOf('Carillon', arrivals, viewOf), total },
    }),
    [Symbol.asyncDispose]: () => device.disconnect(),
  };
}
