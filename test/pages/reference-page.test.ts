import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { operations } from '#src/contract/operations.ts';
import { referencePage } from '#src/contract/pages/reference-page.ts';
import { startPage } from '#src/contract/pages/start-page.ts';
import { findViolations } from '../support/axe.ts';
import { type Chromium, type Page, startChromium } from '../support/chromium.ts';

const pages = {
  '/reference': referencePage('0.0.0'),
  '/': startPage('0.0.0', true),
  '/unavailable': startPage('0.0.0', false),
};

describe('the pages of the API in a browser', () => {
  const server = createServer(({ url }, response) => {
    const { html, policy } = pages[url as keyof typeof pages];
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      .end(html);
  });
  let origin: string;
  let chromium: Chromium;
  let page: Page;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    chromium = await startChromium();
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    page = await chromium.openPage(`${origin}/reference`);
    await page.screenshot({ width: 1280, height: 800 });
  });
  after(async () => {
    await chromium?.[Symbol.asyncDispose]();
    server.close();
  });

  const visible = (selector: string): Promise<number> =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((e) => e.checkVisibility()).length`,
    );

  test('the policy allows the style and the script, and every block has a copy button', async () => {
    assert.equal(await page.evaluate('getComputedStyle(document.querySelector("header")).position'), 'sticky');
    const [blocks, buttons] = await Promise.all([visible('pre'), visible('.block button')]);
    assert.ok(blocks > operations.length, `${blocks} blocks`);
    assert.equal(buttons, blocks);
  });

  test('the search shows only operations with all words, and Escape ends it', async () => {
    const press = (key: string) =>
      page.evaluate(`document.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}' })), undefined`);
    await press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'search');
    await page.type('#search', 'show_begin_time collapse');
    assert.equal(await visible('.operation'), 3);
    assert.equal(await visible('.menu li'), 3);
    assert.equal(await page.evaluate('matches.textContent'), `3 of ${operations.length} operations`);
    await press('Escape');
    assert.equal(await visible('.operation'), operations.length);
  });

  for (const path of Object.keys(pages))
    for (const width of [1280, 375])
      test(`${path} needs no horizontal scrolling at ${width} pixels, and is accessible in both themes`, async () => {
        await page.goTo(`${origin}${path}`);
        await page.screenshot({ width, height: 800 });
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        assert.equal(await page.evaluate(overflow), 0);
        await page.evaluate(KEEP_ONE_PER_GROUP);
        for (const dark of [false, true]) {
          await page.screenshot({ width, height: 800, dark });
          assert.deepEqual(await findViolations(page), []);
        }
      });
});

/** Operations have the same structure. With all of them, the check of the accessibility takes several times as long. */
const KEEP_ONE_PER_GROUP =
  'document.querySelectorAll(".operation ~ .operation").forEach((operation) => operation.remove())';
