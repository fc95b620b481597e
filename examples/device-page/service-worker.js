// Displays Web Push notifications while no page is open, and reports which of them were displayed and clicked.

/** The page stores the access token under this name, because a service worker cannot read `sessionStorage`. */
const SESSION = 'session';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  event.waitUntil(showNotification(readPayload(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { navigate, reference } = event.notification.data ?? {};
  event.waitUntil(Promise.all([openPage(navigate), report(reference, 'clicked')]));
});

/** Browsers end the subscription of a site whose pushes display nothing, so every push is displayed. */
async function showNotification({ title = 'Notification', navigate, app_badge: badge, data, ...options }) {
  await self.registration.showNotification(title, { ...options, data: { ...data, navigate } });
  if (badge !== undefined) await self.navigator.setAppBadge?.(badge).catch(() => undefined);
  await report(data?.reference, 'received');
}

function readPayload(data) {
  try {
    return data.json().notification ?? {};
  } catch {
    return {};
  }
}

/** Focuses an open page, or opens one. Only pages of this site are opened. */
async function openPage(navigate) {
  const url = new URL(navigate ?? '.', self.registration.scope);
  const page = url.origin === self.location.origin ? url : new URL(self.registration.scope);
  const [open] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  await (open ? open.focus() : self.clients.openWindow(page.href)).catch(() => undefined);
}

/** Reports one notification. A report that fails is lost; the notification then counts only as sent. */
async function report(reference, event) {
  const stored = await (await caches.open(SESSION)).match(SESSION);
  if (!reference || !stored) return;
  const { api, appId, token } = await stored.json();
  const headers = { 'content-type': 'application/json', app_id: appId, 'access-token': token };
  const body = JSON.stringify({ list: [reference], event });
  await fetch(`${api}/device/receipt`, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
}
