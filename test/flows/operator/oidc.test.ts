import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { parseSetCookie } from 'cookie';
import { saveOidcOperator } from '#src/storage/operators/oidc-operators.ts';
import { setOperatorDisabled } from '#src/storage/operators/operators.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { seedOperator, signedIn } from '../../support/operator.ts';

const HOPS_MAX = 10;

let carillon: Carillon;
let provider: IdentityProvider;
let apiUrl: string;

before(async () => {
  provider = await startIdentityProvider();
  carillon = await startCarillon({
    gateways: 0,
    workers: 0,
    settings: {
      CARILLON_OIDC_ISSUER: provider.issuer,
      CARILLON_OIDC_CLIENT_ID: provider.clientId,
      CARILLON_OIDC_CLIENT_SECRET: provider.clientSecret,
      CARILLON_OIDC_NAME: 'Example SSO',
      CARILLON_OIDC_ROLE_MAPPING: 'ops=platform,senders=sender@bells,senders=admin@unknown,readers=viewer@bells',
    },
  });
  apiUrl = carillon.apis[0]?.apiUrl as string;
  await provider.register(`${apiUrl}/operator/oidc/callback`);
  await seedOperator(carillon.storage.home, 'root@example.com', { isPlatform: true });
});
after(async () => {
  await carillon?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.accounts.set('ada', { email: 'Ada@example.com', name: 'Ada', groups: ['senders', 'others'] });
  provider.signedInAs = 'ada';
});

/** Follows redirects and keeps cookies, as a browser does. */
class Browser {
  readonly cookies = new Map<string, Map<string, string>>();

  async get(url: string): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const header of response.headers.getSetCookie()) {
      const { name, value, maxAge } = parseSetCookie(header);
      if (value === undefined || value === '' || maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /**
   * Starts a sign-in. Returns the address at which the provider sends the browser back. `parameters` replace parameters
   * of the request to the provider.
   */
  async returnUrl(returnTo?: string, parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
    let url = `${apiUrl}/operator/oidc/login${query}`;
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const response = await this.get(url);
      const location = response.headers.get('location');
      assert.ok(location, `${url}: ${response.status} ${await response.text()}`);
      const next = new URL(location, url);
      if (hop === 0) for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, value);
      url = next.href;
      if (url.startsWith(`${apiUrl}/operator/oidc/callback`)) return url;
    }
    return assert.fail('too many redirects');
  }

  get session(): string | undefined {
    return this.cookies.get(apiUrl)?.get('carillon_session');
  }

  async showSession(): Promise<{ code: number; data: Record<string, unknown> }> {
    const headers = { cookie: `carillon_session=${this.session}` };
    return (await (await fetch(`${apiUrl}/operator/session`, { method: 'POST', headers })).json()) as never;
  }
}

async function signIn(returnTo?: string): Promise<Browser & { location: string | null }> {
  const browser = new Browser();
  const response = await browser.get(await browser.returnUrl(returnTo));
  assert.equal(response.status, 302, await response.text());
  return Object.assign(browser, { location: response.headers.get('location') });
}

async function refusalAt(browser: Browser, url: string): Promise<string> {
  const response = await browser.get(url);
  assert.equal(response.status, 403);
  assert.match(String(response.headers.get('content-security-policy')), /default-src 'none'/);
  assert.equal(browser.session, undefined);
  return response.text();
}

test('the methods name the provider', async () => {
  const response = await fetch(`${apiUrl}/operator/methods`, { method: 'POST' });
  assert.deepEqual(((await response.json()) as { data: unknown }).data, {
    password: true,
    oidc: { name: 'Example SSO' },
  });
});

// This is the first failed sign-in, because a process logs only five per minute.
test('a wrong nonce is refused, and the log has the error without the name and the email address', async () => {
  const browser = new Browser();
  const claims = JSON.stringify({ id_token: { email: null, name: null } });
  const url = await browser.returnUrl(undefined, { nonce: 'another', claims });
  assert.match(await refusalAt(browser, url), /The identity provider rejected the sign-in/);
  const line = await eventually(() => {
    const found = carillon.logLines.find((text) => text.includes('operator-login-failed'));
    assert.ok(found, 'the failed sign-in is not logged');
    return found;
  });
  assert.doesNotMatch(line, /\bada\b/i);
  const { error } = JSON.parse(line) as { error: { name: string; code: string; cause: { message: string } } };
  assert.deepEqual(
    [error.name, error.code, error.cause.message],
    ['ClientError', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'unexpected ID Token "nonce" claim value'],
  );
});

test('signs in with the roles of the groups, and returns to the page', async () => {
  const browser = await signIn('/console/tasks?state=sending');
  assert.equal(browser.location, '/console/tasks?state=sending');
  const { data } = await browser.showSession();
  assert.deepEqual(
    [data.email, data.name, data.is_platform, data.apps],
    ['ada@example.com', 'Ada', false, [{ app_id: 'bells', name: 'bells', role: 'sender' }]],
  );
  const [operator] = await carillon.storage.home.query<{ hash: string | null }>(
    `select password_hash as hash from operators where email = 'ada@example.com'`,
  );
  assert.equal(operator?.hash, null);
});

test('applies changed groups, names and email addresses at the next sign-in', async () => {
  const { operator_id: before } = (await (await signIn()).showSession()).data;
  provider.accounts.set('ada', { email: 'ada.l@example.com', name: 'Ada L', groups: ['ops', 'readers'] });
  const { data } = await (await signIn()).showSession();
  assert.deepEqual([data.operator_id, data.email, data.is_platform], [before, 'ada.l@example.com', true]);
});

test('returns only to paths of the console', async () => {
  for (const returnTo of ['https://evil.example/console/', '//evil.example/console/', '/\\evil.example', '/reference'])
    assert.equal((await signIn(returnTo)).location, '/console/', returnTo);
});

test('refuses a wrong state', async () => {
  const browser = new Browser();
  const url = new URL(await browser.returnUrl());
  url.searchParams.set('state', 'another');
  assert.match(await refusalAt(browser, url.href), /The identity provider rejected the sign-in/);
});

test('refuses a code that was used before, even with the same cookie', async () => {
  const browser = new Browser();
  const url = await browser.returnUrl();
  const thief = new Browser();
  thief.cookies.set(apiUrl, new Map(browser.cookies.get(apiUrl)));
  assert.equal((await browser.get(url)).status, 302);
  assert.match(await refusalAt(thief, url), /The identity provider rejected the sign-in/);
});

test('refuses a sign-in that another browser started', async () => {
  const url = await new Browser().returnUrl();
  assert.match(await refusalAt(new Browser(), url), /was started in another browser/);
  const own = new Browser();
  await own.returnUrl();
  assert.match(await refusalAt(own, url), /The identity provider rejected the sign-in/);
});

test('refuses an operator without a group that has a role, and removes the earlier rights', async () => {
  const browser = await signIn();
  provider.accounts.set('ada', { email: 'ada@example.com', name: 'Ada', groups: ['others'] });
  const later = new Browser();
  assert.match(await refusalAt(later, await later.returnUrl()), /None of your groups has a role in Carillon/);
  assert.equal((await browser.showSession()).code, 10003);
  const roles = await carillon.storage.home.query(
    'select from operator_roles r join operators o using (operator_id) where o.oidc_subject = $1',
    ['ada'],
  );
  assert.equal(roles.length, 0);
});

test('refuses an unverified email address, and one that another operator has', async () => {
  await seedOperator(carillon.storage.home, 'taken@example.com');
  for (const [account, text] of [
    [{ email: 'taken@example.com' }, /Another operator has the email address taken@example\.com/],
    [{ email: 'eve@example.com', email_verified: false }, /no verified email address/],
    [{ email: 'eve@example.com', email_verified: 'false' }, /no verified email address/],
    [{ email: 'eve@example.com', email_verified: '' }, /no verified email address/],
  ] as const) {
    provider.accounts.set('eve', { name: 'Eve', groups: ['readers'], ...account });
    provider.signedInAs = 'eve';
    const browser = new Browser();
    assert.match(await refusalAt(browser, await browser.returnUrl()), text);
  }
});

test('accepts an email address that the provider calls verified, also as a string', async () => {
  for (const email_verified of [true, 'true']) {
    provider.accounts.set('ver', { email: 'ver@example.com', name: 'Ver', groups: ['readers'], email_verified });
    provider.signedInAs = 'ver';
    assert.equal((await (await signIn()).showSession()).data.email, 'ver@example.com');
  }
});

test('refuses a disabled operator', async () => {
  provider.accounts.set('dan', { email: 'dan@example.com', name: 'Dan', groups: ['readers'] });
  provider.signedInAs = 'dan';
  const { operator_id: operatorId } = (await (await signIn()).showSession()).data;
  await setOperatorDisabled(carillon.storage.home, BigInt(operatorId as number), true);
  const browser = new Browser();
  assert.match(await refusalAt(browser, await browser.returnUrl()), /has disabled your account/);
});

test('limits failed sign-ins from an address, because each calls the provider', async () => {
  const { home } = carillon.storage;
  const key = `@operators address:127.0.0.1`;
  await home.query(
    `insert into limit_points (key, points, until) values ($1, 1000, now() + interval '1 minute')
     on conflict (key) do update set points = 1000, until = excluded.until`,
    [key],
  );
  const browser = new Browser();
  assert.match(await refusalAt(browser, await browser.returnUrl()), /Too many sign-ins from your network/);
  await home.query('delete from limit_points where key = $1', [key]);
  assert.equal((await (await signIn()).showSession()).code, 200);
  const [left] = await home.query<{ points: number }>('select points from limit_points where key = $1', [key]);
  assert.equal(left?.points, 0, 'a successful sign-in is refunded');
});

describe('the audit log of the installation', () => {
  test('has the new values after a sign-in that created or changed an operator, and no other sign-in', async () => {
    const attempt = async (groups: readonly string[], profile = { email: 'ivy@example.com', name: 'Ivy' }) => {
      provider.accounts.set('ivy', { ...profile, groups: [...groups] });
      provider.signedInAs = 'ivy';
      const browser = new Browser();
      await browser.get(await browser.returnUrl());
      return browser;
    };
    const { operator_id } = (await (await attempt(['senders'])).showSession()).data;
    await attempt(['senders', 'others'], { email: 'ivy.b@example.com', name: 'Ivy B' });
    await attempt(['senders'], { email: 'ivy.b@example.com', name: 'Ivy B' });
    await attempt(['senders'], { email: 'ivy.b@example.com', name: 'Ivy' });
    await attempt(['ops', 'readers']);
    await attempt(['readers']);
    await attempt(['senders']);
    await attempt(['others']);
    await attempt(['others']);
    const entries = await signInEntries('ivy@example.com', 'ivy.b@example.com');
    assert.deepEqual(
      entries.map(({ detail }) => JSON.parse(detail)),
      [
        { operator_id, created: true, is_platform: false, roles: ['sender@bells'] },
        { operator_id, email: 'ivy.b@example.com', name: 'Ivy B' },
        { operator_id, name: 'Ivy' },
        { operator_id, email: 'ivy@example.com', is_platform: true, roles: ['viewer@bells'] },
        { operator_id, is_platform: false, roles: ['viewer@bells'] },
        { operator_id, is_platform: false, roles: ['sender@bells'] },
        { operator_id, is_platform: false, roles: [] },
      ],
    );
    const { operation, token_id, operator_name, address, result_of, ...entry } = entries[0] as Entry;
    assert.deepEqual(
      [operation, token_id, entry.operator_id, operator_name, address, result_of],
      ['/operator/oidc/callback', 0, operator_id, 'Ivy', '127.0.0.1', null],
    );
  });

  test('has one entry for an operator whose first two sign-ins are at the same time', async () => {
    const profile = { issuer: provider.issuer, subject: 'twin', email: 'twin@example.com', name: 'Twin' };
    const rights = { isPlatform: false, roles: new Map([['bells', 'viewer'] as const]) };
    const request = { operation: '/operator/oidc/callback', address: '127.0.0.1' };
    await Promise.all([1, 2].map(() => saveOidcOperator(carillon.storage.home, profile, rights, request)));
    assert.equal((await signInEntries(profile.email)).length, 1);
  });

  test('has no entry for a sign-in that is refused because another operator has the email address', async () => {
    await seedOperator(carillon.storage.home, 'owner@example.com');
    provider.accounts.set('max', { email: 'owner@example.com', name: 'Max', groups: ['ops'] });
    provider.signedInAs = 'max';
    const browser = new Browser();
    await refusalAt(browser, await browser.returnUrl());
    assert.deepEqual(await signInEntries('owner@example.com'), []);
  });
});

interface Entry {
  readonly operation: string;
  readonly token_id: number;
  readonly token_name: string;
  readonly operator_id: number;
  readonly operator_name: string;
  readonly address: string;
  readonly result_of: number | null;
  readonly detail: string;
}

/** Returns the entries of the sign-ins with OpenID Connect with these email addresses, the oldest first. */
async function signInEntries(...emails: string[]): Promise<Entry[]> {
  const root = await signedIn(apiUrl, 'root@example.com');
  const filter = { installation: true, operation: '/operator/oidc/', order: 'oldest', limit: 500 };
  const { data } = await root.post('/admin/audit/list', filter, { app_id: carillon.appId });
  return (data as { list: Entry[] }).list.filter(({ token_name }) => emails.includes(token_name));
}
