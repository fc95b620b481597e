import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testAccessibility, testNavigation } from './journeys/accessibility.ts';
import { testApproval } from './journeys/approval.ts';
import { testCompose } from './journeys/compose.ts';
import { testFind } from './journeys/find.ts';
import { testFirstPush } from './journeys/first-push.ts';
import { testInterruptions } from './journeys/interruptions.ts';
import { testOperators } from './journeys/operators.ts';
import { testSignIn } from './journeys/sign-in.ts';
import { testTaskList } from './journeys/task-list.ts';
import { testTaskPage } from './journeys/task-page.ts';
import { testUsers } from './journeys/users.ts';
import { openAs, type Stage, startConsole, urlOf } from './start-console.ts';

// All journeys share one stack and one browser, which take longer to start than a journey.
describe('the console', () => {
  const resources = new AsyncDisposableStack();
  let stage: Stage;

  before(async () => {
    stage = await startConsole(resources);
  });
  after(() => resources.disposeAsync());

  testSignIn(() => stage);
  testFirstPush(() => stage);
  testCompose(() => stage);
  testApproval(() => stage);
  testTaskPage(() => stage);
  testTaskList(() => stage);
  testUsers(() => stage);
  testFind(() => stage);
  testInterruptions(() => stage);
  testOperators(() => stage);
  testNavigation(() => stage);
  testAccessibility(() => stage);

  test('checks credentials at the vendor, and shows a call as a command', async () => {
    const [page, errors] = await openAs(stage, stage.demo.operator, 'app/demo/credentials');
    await page.getByRole('button', { name: 'Check now' }).first().click();
    await page.getByText('The vendor accepts these credentials.').waitFor();
    const development = page.getByRole('button', { name: 'Development (10)', expanded: false });
    assert.equal(await page.getByRole('heading', { name: 'APNs' }).count(), 1);
    await development.press('Enter');
    await page.getByRole('heading', { name: 'APNs' }).nth(1).waitFor();
    assert.equal(page.url(), urlOf(stage, 'app/demo/credentials?development=open'));
    await page.reload();
    await page.getByRole('heading', { name: 'APNs' }).nth(1).waitFor();
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Development (10)', expanded: false }).waitFor();
    await page.getByRole('button', { name: 'Show as code' }).click();
    await page.getByText('CLI', { exact: true }).click();
    await page.getByText('carillon channel list').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('is served with a new nonce each time, cached by hash, and not cached without one', async () => {
    const { console_url } = stage.demo;
    const [first, second] = [await fetch(console_url), await fetch(new URL('app/demo/tasks', console_url))];
    assert.equal(first.headers.get('cache-control'), 'no-store');
    const policies = [first, second].map(({ headers }) => headers.get('content-security-policy') as string);
    assert.notEqual(policies[0], policies[1]);
    assert.match(policies[0] as string, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]+'/);
    assert.doesNotMatch(policies[0] as string, /unsafe/);
    const html = await first.text();
    assert.ok(!html.includes('__CSP_NONCE__'));
    const [script] = /\/console\/assets\/start-[\w-]+\.js/.exec(html) as unknown as [string];
    const asset = await fetch(new URL(script, console_url), { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(asset.headers.get('content-encoding'), 'gzip');
    assert.ok((await asset.text()).length > 50_000);
    for (const missing of ['assets/missing.js', 'assets/../../package.json'])
      assert.notEqual((await fetch(new URL(missing, console_url))).headers.get('content-type'), 'text/javascript');
    assert.equal((await fetch(new URL('assets/missing.js', console_url))).status, 404);
  });
});
