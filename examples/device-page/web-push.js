import { Carillon } from '@carillon/sdk';

/** The number of Web Push in the field `provider`. */
const WEB_PUSH = 10;
const SESSION = 'session';

export const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window;

/** Starts the service worker, and gives it the access token, so that it can report notifications. */
export async function startWorker({ api, appId, token }) {
  await (await caches.open(SESSION)).put(SESSION, Response.json({ api, appId, token }));
  await navigator.serviceWorker.register('service-worker.js');
  return navigator.serviceWorker.ready;
}

/** Asks the user for permission, subscribes, and registers the subscription as the vendor token of this device. */
export async function turnOn({ api, appId, token }) {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('Notifications are blocked.');
  const registration = await startWorker({ api, appId, token });
  const carillon = new Carillon({ url: api, appId, token });
  const { app_key: applicationServerKey } = await carillon.push.certificate({ provider: WEB_PUSH });
  const existing = await registration.pushManager.getSubscription();
  const subscription =
    existing ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  await carillon.device.bind({ provider: WEB_PUSH, token: JSON.stringify(subscription) });
}

/** Ends the subscription and deletes the access token, for example when the user signs out. */
export async function turnOff() {
  if (!isSupported()) return;
  await caches.delete(SESSION);
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
