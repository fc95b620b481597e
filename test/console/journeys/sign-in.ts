import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperator, openAs, openPage, type Stage, signIn, urlOf } from '../start-console.ts';

export function testSignIn(stage: () => Stage): void {
  test('asks for a password, reports a wrong one, and then opens the requested page', async () => {
    const { browser, demo } = stage();
    const [page, errors] = await openPage(browser);
    await page.goto(urlOf(stage(), 'app/demo/tasks?after=99'));
    await page.getByRole('heading', { name: 'Carillon console' }).waitFor();
    assert.equal(page.url(), urlOf(stage(), 'sign-in?return_to=%2Fapp%2Fdemo%2Ftasks%3Fafter%3D99'));
    await signIn(page, { ...demo.operator, password: 'wrong-password' });
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    await signIn(page, demo.operator);
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    assert.equal(page.url(), urlOf(stage(), 'app/demo/tasks?after=99'));
    await page.getByText('No more tasks').waitFor();
    await page.getByRole('button', { name: 'Cleo' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.locator('input[type=password]').waitFor();
    await page.goto(urlOf(stage(), 'app/demo'));
    await page.locator('input[type=password]').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('asks to sign in again after another session has ended this one', async () => {
    const operator = await createOperator(stage(), 'Rosa', 'viewer', 'news');
    const [page, errors] = await openAs(stage(), operator, 'app/news/drafts');
    const [other, otherErrors] = await openAs(stage(), operator, 'app/news/tasks');
    await other.getByRole('button', { name: 'Rosa' }).click();
    await other.getByRole('menuitem', { name: 'Your account' }).click();
    await other.getByText('This browser', { exact: true }).waitFor();
    const end = other.getByRole('button', { name: 'End the session from 127.0.0.1' });
    await other
      .getByRole('row', { name: /Chrome on Linux 127\.0\.0\.1/ })
      .first()
      .waitFor();
    await end.click();
    const question = other.getByRole('dialog', { name: 'End this session?' });
    await question.getByRole('button', { name: 'End the session' }).click();
    await end.waitFor({ state: 'detached' });
    // The page notices it without a click, and returns after the sign-in.
    await page.locator('input[type=password]').waitFor();
    await signIn(page, operator);
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    assert.deepEqual([...errors, ...otherErrors], []);
    await page.context().close();
    await other.context().close();
  });

  test('signs in at an OpenID Connect provider, with the role of the group', async () => {
    const { browser, provider } = stage();
    provider.accounts.set('olga', { email: 'olga@example.com', name: 'Olga', groups: ['readers'] });
    provider.accounts.set('nils', { email: 'nils@example.com', name: 'Nils', groups: [] });
    const [page, errors] = await openPage(browser);
    provider.signedInAs = 'olga';
    await page.goto(urlOf(stage(), 'app/news/tasks'));
    await page.getByRole('link', { name: 'Sign in with Example SSO' }).click();
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    assert.equal(page.url(), urlOf(stage(), 'app/news/tasks'));
    await page.getByRole('button', { name: 'Olga' }).click();
    await page.getByRole('menu').getByText('Viewer').waitFor();
    // The error says where to change the password, not that a role is missing.
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByLabel('Current password').fill('any-password');
    await page.getByLabel('New password').fill('many-bells-in-a-tower');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').getByText('Change the password at your identity provider.').waitFor();
    assert.equal(await page.getByRole('alert').getByText('Your role').count(), 0);
    assert.deepEqual(errors, []);
    await page.context().close();

    const [refused] = await openPage(browser);
    provider.signedInAs = 'nils';
    await refused.goto(urlOf(stage(), 'app/news/tasks'));
    await refused.getByRole('link', { name: 'Sign in with Example SSO' }).click();
    await refused.getByText('None of your groups has a role in Carillon.').waitFor();
    await refused.context().close();
  });

  test('hides the form and the buttons from a viewer, whom the API also rejects', async () => {
    const viewer = await createOperator(stage(), 'Vic', 'viewer', 'news');
    const [page, errors] = await openAs(stage(), viewer, 'app/news/tasks');
    await page.getByRole('row').nth(1).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Compose', exact: true }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Operators', exact: true }).count(), 0);
    await page.goto(urlOf(stage(), 'app/news/compose'));
    await page.getByText('Your role in this app does not allow this.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Send/ }).count(), 0);
    const body = { audience: 'all', message: { title: 'From a viewer' } };
    assert.equal(await page.evaluate(callApi, { path: '/push/notify', body }), 10010);
    // The same call with the same cookie reads the tasks.
    assert.equal(await page.evaluate(callApi, { path: '/push/task/list', body: {} }), 200);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

/** Runs in a page: calls the API with the cookie of the operator. Returns the code. */
async function callApi({ path, body }: { readonly path: string; readonly body: object }): Promise<number> {
  const call = async (csrf: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'carillon-csrf': csrf, app_id: 'news' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { code: number; data: { csrf_token: string } };
  };
  const { data } = await call('', '/operator/session', {});
  return (await call(data.csrf_token, path, body)).code;
}
