import { Carillon, CarillonError } from '@carillon/sdk';
import { CarillonDevice } from '@carillon/sdk/device';
import * as webPush from './web-push.js';

// The service has the origin of the page: the API is below /api, the gateway at /mqtt. See serve.ts.
const API = new URL('api', location.href).href;
const GATEWAY = new URL('mqtt', location.href.replace(/^http/, 'ws')).href;

/** The maximum number of notifications that are stored and shown, newest first. */
const ITEMS_MAX = 50;

const byId = (id) => document.getElementById(id);
const form = byId('login');

/** Stores the tokens while this tab is open. The device client stores its device_guid and the ids of shown messages. */
const session = {
  read: () => JSON.parse(sessionStorage.getItem('session') ?? 'null'),
  write: (value) => sessionStorage.setItem('session', JSON.stringify(value)),
  clear: () => sessionStorage.removeItem('session'),
};

let device;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void logIn();
});
byId('read').addEventListener('click', () => reportErrors(device.setBadge(0)));
byId('push').addEventListener('click', () => reportErrors(turnOnPush()));
byId('logout').addEventListener('click', () => {
  reportErrors(device.logout());
  end();
});
addEventListener('online', () => device?.retryNow());

const savedSession = session.read();
if (savedSession) {
  device = await openDevice(savedSession.app_id);
  await device.use(savedSession.credentials);
  begin();
} else showForm();

async function logIn() {
  const { app_id, login_name, password } = Object.fromEntries(new FormData(form));
  const button = form.querySelector('button');
  button.disabled = true;
  showNotice();
  try {
    device = await openDevice(app_id);
    const credentials = await device.login({ login_name, password });
    session.write({ app_id, credentials });
    form.elements.password.value = '';
    begin();
  } catch (error) {
    showNotice(
      error instanceof CarillonError ? error.message : 'The service cannot be reached. Try again in a moment.',
    );
    form.elements.password.focus();
  } finally {
    button.disabled = false;
  }
}

async function turnOnPush() {
  const { app_id: appId, credentials } = session.read();
  await webPush.turnOn({ api: API, appId, token: credentials.token });
  byId('push').hidden = true;
}

async function openDevice(appId) {
  const carillon = new Carillon({ url: API, appId });
  const opened = await CarillonDevice.open({ carillon, gateway: GATEWAY, storage: localStorage, onNotification });
  opened.on('connecting', () => showState('connecting', 'Connecting …'));
  opened.on('online', () => showState('online', 'Online'));
  opened.on('offline', ({ retryMs }) =>
    retryMs === undefined ? showState('offline', 'Offline') : showState('connecting', 'Offline, reconnecting'),
  );
  opened.on('badge', showBadge);
  opened.on('recall', removeNotification);
  opened.on('problem', (problem) => console.warn(problem));
  opened.on('signed-out', () => {
    end();
    showNotice('You were signed out. Please sign in again.');
  });
  opened.on('taken-over', () =>
    showNotice('Notifications now go to another tab.', { text: 'Use this tab', act: () => opened.connect() }),
  );
  return opened;
}

/** Stores the notification first, because an acknowledged notification is not sent again. */
function onNotification({ message_id, reference, type, title, body, big_text }) {
  if (type === 'cmd') return; // a data-only message is not displayed
  const item = { id: message_id.toString(), reference, title, body: big_text ?? body, at: Date.now() };
  localStorage.setItem('notifications', JSON.stringify([item, ...readItems()].slice(0, ITEMS_MAX)));
  byId('list').prepend(elementOf(item));
  byId('empty').hidden = true;
}

function removeNotification({ message_id }) {
  const items = readItems().filter(({ id }) => id !== message_id.toString());
  localStorage.setItem('notifications', JSON.stringify(items));
  byId('list').querySelector(`[data-message-id="${message_id}"]`)?.remove();
  byId('empty').hidden = items.length > 0;
}

function begin() {
  form.hidden = true;
  byId('who').hidden = false;
  byId('inbox').hidden = false;
  byId('list').replaceChildren(...readItems().map(elementOf));
  byId('empty').hidden = readItems().length > 0;
  byId('push').hidden = !webPush.isSupported() || Notification.permission === 'granted';
  showBadge(device.badge);
  device.connect();
}

function end() {
  session.clear();
  reportErrors(webPush.turnOff());
  localStorage.removeItem('notifications');
  document.title = 'Demo app';
  showNotice();
  showForm();
}

function showForm() {
  byId('who').hidden = true;
  byId('inbox').hidden = true;
  form.hidden = false;
  form.elements.login_name.focus();
}

function readItems() {
  return JSON.parse(localStorage.getItem('notifications') ?? '[]');
}

/** Creates the element from plain text only, so that a notification cannot inject HTML. */
function elementOf({ id, reference, title, body, at: time }) {
  const item = document.createElement('li');
  item.dataset.messageId = id;
  item.addEventListener('click', () => void device.click({ reference }));
  if (title) item.append(withText('h3', title));
  if (body) item.append(withText('p', body));
  const when = withText('time', new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }));
  when.dateTime = new Date(time).toISOString();
  item.append(when);
  return item;
}

function withText(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function showState(state, text) {
  byId('state').textContent = text;
  byId('state').dataset.state = state;
  if (state === 'online') showNotice();
}

function showBadge(badge) {
  byId('badge').textContent = badge;
  byId('badge').hidden = badge === 0;
  byId('badge').setAttribute('aria-label', `${badge} unread`);
  byId('read').disabled = badge === 0;
  document.title = badge === 0 ? 'Demo app' : `(${badge}) Demo app`;
}

function showNotice(text = '', button = undefined) {
  byId('notice').textContent = text;
  byId('notice').hidden = text === '';
  if (!button) return;
  const element = withText('button', button.text);
  element.type = 'button';
  element.addEventListener('click', button.act);
  byId('notice').append(element);
}

function reportErrors(call) {
  call.catch((error) => showNotice(error.message));
}
