import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PhoneView, screenOf } from './page.ts';
import { renderPhonesPage } from './phones-page.ts';

const view = (fields: Partial<PhoneView> = {}): PhoneView => ({
  app: 'app',
  title: 'Title',
  text: 'Text',
  badge: undefined,
  picture: undefined,
  data: undefined,
  details: [],
  token: 'live-1',
  at: 1_000,
  ...fields,
});

const pageOf = (...views: readonly PhoneView[]): string => {
  const phone = { name: 'huawei', phone: 'Huawei', colour: '#b3121d', url: 'http://127.0.0.1:1/' };
  const empty = { name: 'honor', phone: 'Honor', colour: '#0d8a94', url: 'http://127.0.0.1:2/' };
  return renderPhonesPage([
    { ...phone, screen: screenOf('Huawei Push', views, (each) => each) },
    { ...empty, screen: screenOf('Honor Push', [], view) },
  ]);
};

test('shows phones side by side, with the number of deliveries and a link to the vendor’s page', () => {
  const page = pageOf(view(), view());
  assert.match(page, /<h2>Huawei<\/h2>.*<a href="http:\/\/127\.0\.0\.1:1\/">Huawei Push · 2 delivered<\/a>/);
  assert.match(page, /<h2>Honor<\/h2>.*Honor Push · 0 delivered/);
  assert.equal(page.match(/No notifications yet/g)?.length, 1);
});

test('shows the newest notification first, with title, text, large text, badge, picture and data', () => {
  const page = pageOf(
    view({ title: 'Older' }),
    view({
      title: 'Newer',
      largeText: 'Unfolded',
      badge: '7',
      picture: 'https://example.com/a.png',
      data: '{"mid":"1"}',
    }),
  );
  assert.ok(page.indexOf('Newer') < page.indexOf('Older'));
  for (const part of ['Unfolded', '<b>7</b>', 'src="https://example.com/a.png"', '{&#34;mid&#34;:&#34;1&#34;}'])
    assert.ok(page.includes(part), part);
});

test('shows large text only if it differs from the text, and marks data-only messages', () => {
  assert.equal(pageOf(view({ text: 'Same', largeText: 'Same' })).match(/Same/g)?.length, 1);
  assert.match(pageOf(view({ title: '', text: '', data: 'x' })), /Data-only message/);
});

test('escapes HTML in all displayed values', () => {
  const evil = '</script><script>alert(1)</script>"\'';
  const page = pageOf(view({ app: evil, title: evil, text: evil, largeText: `${evil}!`, badge: evil, token: evil }));
  assert.ok(!page.includes('<script>alert'));
  assert.equal(page.match(/<script>/g)?.length, 1);
});

test('changes the state only of the parts that have new deliveries', () => {
  const states = (page: string) =>
    [...page.matchAll(/id="([\w-]+)" data-state="([\d.]+)"/g)].map(([, id, state]) => [id, state]);
  const [one, two] = [pageOf(view()), pageOf(view(), view({ at: 2_000 }))].map((page) =>
    Object.fromEntries(states(page)),
  );
  assert.notEqual(one?.huawei, two?.huawei);
  assert.equal(one?.honor, two?.honor);
});
