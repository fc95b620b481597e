import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorBrowser } from '../../support/operator.ts';
import { call, checkPage, createOperator, DEVICES, DEVICES_TEXT, openAs, type Stage, urlOf } from '../start-console.ts';

/** The mobile number of a user with one phone. */
const MOBILE = '+8613900200012';

export function testApproval(stage: () => Stage): void {
  test('sends a large notification only after a second operator has approved it', async () => {
    const { platform, demo } = stage();
    await call(platform, '/admin/app/update', { approval_above: 1_000 }, { app_id: 'shop' });
    const sender = await createOperator(stage(), 'Sam', 'sender', 'shop');
    const [page, errors] = await openAs(stage(), sender, 'app/shop/compose');
    await page.getByLabel('Title').fill('Lantern test');
    await page.getByLabel('Text', { exact: true }).fill('Half price until Sunday.');
    await page.getByText(DEVICES_TEXT, { exact: true }).waitFor();
    await page.getByRole('row', { name: /^OPPO\s*Paused: notifications for these devices wait/ }).waitFor();
    // A test reaches fewer devices than need an approval.
    await page.getByRole('button', { name: 'Test …' }).click();
    const test = page.getByRole('dialog', { name: 'Send a test' });
    await test.getByLabel('mobile number').fill(MOBILE);
    // The response of the first attempt is lost. The second attempt continues with the same draft.
    await page.route(
      '**/push/draft/create',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await test.getByRole('button', { name: 'Send the test' }).click();
    await test.getByRole('alert').getByText('It is unknown whether the notification was accepted').waitFor();
    await test.getByRole('button', { name: 'Send the test' }).click();
    await test.getByText('The test was sent.').waitFor();
    assert.equal((await draftsOf(stage(), 'Lantern test')).length, 1);
    await page.keyboard.press('Escape');
    await page.getByLabel('Title').fill('Lantern sale');
    await page.getByRole('button', { name: 'Show as code' }).click();
    const code = page.getByRole('dialog', { name: 'Show as code' });
    await code.getByText('/push/draft/create').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send …' }).click();
    const dialog = page.getByRole('dialog', { name: `Send to ${DEVICES_TEXT}?` });
    await dialog.getByLabel(`Type ${DEVICES} to confirm`).fill(String(DEVICES));
    assert.equal(await dialog.getByText('Sending starts immediately.').count(), 0);
    await dialog.getByLabel('Note for the approver').fill('The lanterns are in stock.');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    const own = page.getByRole('article', { name: 'Lantern sale' });
    await own.getByText('You created this draft, so another operator must approve it.').waitFor();
    assert.equal(await own.getByRole('button', { name: 'Approve and send' }).count(), 0);
    const session = new OperatorBrowser(demo.base_url);
    await session.signIn(sender.email, sender.password);
    const { draft_id } = await draftOf(stage(), 'Lantern sale');
    const refused = await session.post('/push/draft/approve', { draft_id }, { app_id: 'shop' });
    assert.match(`${refused.code} ${refused.message}`, /^(?!200 ).*approv/i);

    const [other, otherErrors] = await openAs(stage(), demo.operator, 'app/shop/drafts');
    const draft = other.getByRole('article', { name: 'Lantern sale' });
    await draft.getByText('Half price until Sunday.', { exact: true }).waitFor();
    await draft.getByText('Note: The lanterns are in stock.').waitFor();
    await draft.getByRole('button', { name: 'Approve and send' }).click();
    await other.getByRole('heading', { name: 'Lantern sale', level: 1 }).waitFor();
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByRole('list', { name: 'Timeline' }).getByText('Cancelled', { exact: true }).waitFor();
    await own.waitFor({ state: 'detached' });
    await page.getByText('Approved', { exact: true }).click();
    await own.getByText(/^Decided by cleo@example\.com/).waitFor();
    assert.equal(page.url(), urlOf(stage(), 'app/shop/drafts?state=approved'));
    await own.getByRole('link', { name: 'Open the task' }).click();
    await page.getByRole('heading', { name: 'Lantern sale', level: 1 }).waitFor();

    await other.getByRole('link', { name: 'Audit log' }).click();
    await other
      .getByRole('row', { name: /^\/push\/draft\/approve .*Cleo/ })
      .first()
      .waitFor();
    await other
      .getByRole('row', { name: /^\/push\/draft\/create .*Sam/ })
      .first()
      .waitFor();
    await other.getByRole('combobox', { name: 'Who' }).fill('Sam');
    await other.getByRole('option', { name: 'Sam', exact: true }).click();
    await other.getByRole('button', { name: 'Search' }).last().click();
    await other.waitForURL(/audit\?by=operator/);
    await other.getByRole('row', { name: /Cleo/ }).first().waitFor({ state: 'detached' });
    await other
      .getByRole('row', { name: /^\/push\/draft\/create .*Sam/ })
      .first()
      .waitFor();

    // A sender cannot list operators, but can select the own name and those on the page.
    await page.goto(urlOf(stage(), 'app/shop/tasks'));
    await page.getByRole('row', { name: /^Lantern sale .*Cleo/ }).waitFor();
    const sentBy = page.getByRole('combobox', { name: 'Sent by' });
    await sentBy.click();
    await page.getByRole('option', { name: 'Cleo' }).waitFor();
    await page.getByRole('option', { name: 'You', exact: true }).click();
    await page.getByRole('link', { name: 'Lantern sale' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^Lantern test .*You/ }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /^Lantern test .*You/ }).waitFor();
    assert.equal(await sentBy.inputValue(), 'You');
    assert.equal(await page.getByRole('link', { name: 'Lantern sale' }).count(), 0);
    assert.deepEqual([...errors, ...otherErrors], []);
    await page.context().close();
    await other.context().close();
  });

  test('shows the audience of a draft to the person who approves it', async () => {
    const { platform, demo } = stage();
    const title = 'For a few';
    const user_id = Array.from({ length: 120 }, (_, index) => 200_000 + index);
    const message = { title, body: 'Come at eight.' };
    await call(platform, '/push/draft/create', { audience: { user_id }, message }, { app_id: 'shop' });
    const [page, errors] = await openAs(stage(), demo.operator, 'app/shop/drafts');
    const draft = page.getByRole('article', { name: title });
    await draft.getByText('Users (120)').waitFor();
    assert.equal(await draft.getByRole('listitem').count(), 10);
    await draft.getByRole('button', { name: 'Show the first 100' }).click();
    await draft.getByText('and 20 more').waitFor();
    await draft.getByText('Previews', { exact: true }).click();
    await draft.getByRole('article', { name: 'Huawei' }).getByText('Come at eight.', { exact: true }).waitFor();
    await checkPage(page, 'a draft with many recipients');
    await draft.getByRole('link', { name: '200000', exact: true }).click();
    await page.getByRole('region', { name: 'User' }).getByRole('link', { name: 'user-200000' }).waitFor();
    await call(
      platform,
      '/push/draft/reject',
      { draft_id: (await draftOf(stage(), title)).draft_id },
      { app_id: 'shop' },
    );
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('rejects a draft with a reason', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop');
    await page.getByText('1 notification waits for approval').waitFor();
    await page.getByRole('link', { name: 'Open the approvals' }).click();
    const title = 'New lanterns for spring';
    const draft = page.getByRole('article', { name: title });
    await draft.getByText('Note: Agreed with marketing.').waitFor();
    await draft.getByRole('button', { name: 'Reject …' }).click();
    await draft.getByLabel('Reason for the rejection').fill('It is still winter.');
    await page.keyboard.press('Enter');
    await draft.waitFor({ state: 'detached' });
    const { state, reason } = await draftOf(stage(), title);
    assert.deepEqual({ state, reason }, { state: 'rejected', reason: 'It is still winter.' });
    await page.getByText('Rejected', { exact: true }).click();
    await draft.getByText(/^Decided by cleo@example\.com.* Reason: It is still winter\.$/).waitFor();
    await page.getByRole('article', { name: 'Flash sale tonight!!!' }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

interface Draft {
  readonly draft_id: number;
  readonly title: string;
  readonly state: string;
  readonly reason: string | null;
}

async function draftsOf({ platform }: Stage, title: string): Promise<Draft[]> {
  const { list } = await call<{ list: Draft[] }>(platform, '/push/draft/list', {}, { app_id: 'shop' });
  return list.filter((candidate) => candidate.title === title);
}

async function draftOf(stage: Stage, title: string): Promise<Draft> {
  const [draft] = await draftsOf(stage, title);
  assert.ok(draft, `there is no draft "${title}"`);
  return draft;
}
