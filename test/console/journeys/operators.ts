import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { OperatorBrowser } from '../../support/operator.ts';
import { checkPage, createOperator, openAs, type Stage, urlOf } from '../start-console.ts';

const NEW_PASSWORD = 'a kettle of bright tea';

export function testOperators(stage: () => Stage): void {
  test('edits an operator, and shows the change in the audit log of the installation', async () => {
    const { demo } = stage();
    const wim = await createOperator(stage(), 'Wim', 'viewer', 'news');
    const [page, errors] = await openAs(stage(), demo.operator, 'app/news/operators');
    await page.getByRole('button', { name: 'Edit: Wim' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the operator' });
    await dialog.getByLabel('Name').waitFor();
    await checkPage(page, 'the dialog to edit an operator');
    const save = dialog.getByRole('button', { name: 'Save' });
    assert.ok(await save.isDisabled());
    await dialog.getByLabel('Email').fill(demo.operator.email);
    await save.click();
    await dialog.getByRole('alert').getByText('Another operator already has this email.').waitFor();
    await dialog.getByLabel('Email').fill(wim.email);
    await dialog.getByLabel('Name').fill('Wilhelm');
    await dialog.locator('input[type=password]').fill(NEW_PASSWORD);
    await dialog.getByLabel('Platform operator').check();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /^Wilhelm wim@example\.com/ })
      .getByText('Platform operator')
      .filter({ visible: true })
      .waitFor();
    assert.equal((await new OperatorBrowser(demo.base_url).signIn(wim.email, NEW_PASSWORD)).code, 200);

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Installation', { exact: true }).click();
    assert.ok(await page.getByRole('radio', { name: 'Installation' }).isChecked());
    // The unchanged email address was not sent.
    await page
      .getByRole('row', {
        name: /^\/operator\/update operator_id: \d+ · name: Wilhelm · is_platform: true · password_changed: true Cleo/,
      })
      .waitFor();
    assert.equal(page.url(), urlOf(stage(), 'app/news/audit?installation=true'));
    await page.getByText('This app', { exact: true }).click();
    await page.getByText('/operator/update').first().waitFor({ state: 'detached' });
    assert.equal(page.url(), urlOf(stage(), 'app/news/audit'));
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('ends the sessions of another operator one by one or together, and asks in a second dialog', async () => {
    const { demo } = stage();
    const liv = await createOperator(stage(), 'Liv', 'viewer', 'news');
    const browsers = [1, 2, 3].map(() => new OperatorBrowser(demo.base_url));
    for (const browser of browsers) assert.equal((await browser.signIn(liv.email, liv.password)).code, 200);
    const [page, errors] = await openAs(stage(), demo.operator, 'app/news/operators');
    await page.getByRole('button', { name: 'Sessions: Liv' }).click();
    const sessions = page.getByRole('dialog', { name: 'Sessions of Liv' });
    const ends = sessions.getByRole('button', { name: /^End the session from / });
    await ends.nth(2).waitFor();
    await checkPage(page, 'the sessions of an operator');
    await ends.first().click();
    const question = page.getByRole('dialog', { name: 'End this session?' });
    await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await checkPage(page, 'a question above a dialog');
    // Escape closes only the question, and the focus returns to the first dialog.
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await sessions.locator(':focus').waitFor();
    await ends.first().click();
    await question.getByRole('button', { name: 'End the session' }).click();
    await question.waitFor({ state: 'detached' });
    await ends.nth(2).waitFor({ state: 'detached' });
    assert.equal(await ends.count(), 2);
    await sessions.getByRole('button', { name: 'End all sessions' }).click();
    await page
      .getByRole('dialog', { name: 'End all sessions?' })
      .getByRole('button', { name: 'End all sessions' })
      .click();
    await sessions.getByText('No sessions').waitFor();
    await eventually(async () => {
      for (const browser of browsers) assert.equal((await browser.post('/operator/session/list')).code, 10003);
    }, 5);
    await page.keyboard.press('Escape');
    await sessions.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sessions: Cleo' }).click();
    await page.getByRole('dialog', { name: 'Sessions of Cleo' }).getByText('This browser').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('does not offer to remove the own platform role, or the pages and entries of the installation to others', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/news/operators');
    await page.getByRole('button', { name: 'Edit: Cleo' }).click();
    assert.ok(await page.getByRole('dialog').getByLabel('Platform operator').isDisabled());
    const admin = await createOperator(stage(), 'Ada', 'admin', 'news');
    const [other, otherErrors] = await openAs(stage(), admin, 'app/news/audit');
    await other.getByLabel('Operation').waitFor();
    assert.equal(await other.getByRole('radio', { name: 'Installation' }).count(), 0);
    await other.getByLabel('Operation').fill('/admin/');
    await other.keyboard.press('Enter');
    await other.waitForURL(urlOf(stage(), 'app/news/audit?operation=%2Fadmin%2F'));
    await other.getByLabel('Operation').and(other.locator(':focus')).waitFor();
    for (const [path, form] of [
      ['operators', 'Create an operator'],
      ['apps', 'Create an app'],
    ] as const) {
      await other.goto(urlOf(stage(), `app/news/${path}`));
      await other.getByText('Your role in this app does not allow this.').waitFor();
      assert.equal(await other.getByRole('button', { name: form }).count(), 0);
    }
    assert.deepEqual([...errors, ...otherErrors], []);
    await page.context().close();
    await other.context().close();
  });
}
