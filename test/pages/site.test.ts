import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMarkdownRenderer } from 'vitepress';
import { asInTheRepository } from '../../docs/.vitepress/markdown.ts';
import { addressOf } from '../../docs/.vitepress/pages.ts';
import { chineseGroups, groups } from '../../docs/.vitepress/sidebar.ts';
import { type BuiltSite, buildSite } from '../support/built-site.ts';
import { type Chromium, type Page, startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Maximum duration of a search in seconds. The first search loads the index and the scripts, which is slow on a busy
 * machine.
 */
const SEARCH_SECONDS_MAX = 60;

/** Pages with long lines of code and wide tables. */
const WIDE_PAGES = [
  '/reference/http/push.html',
  '/reference/configuration.html',
  '/operate/compose.html',
  '/reference/mqtt.html',
];

/** A reader sees this number of search results without scrolling. */
const RANK_MAX = 5;

describe('the site', () => {
  const parts = new AsyncDisposableStack();
  let site: BuiltSite;
  let chromium: Chromium;
  let searchPage: Page | undefined;
  before(async () => {
    site = parts.use(await buildSite());
    chromium = parts.use(await startChromium());
  });
  after(() => parts.disposeAsync());

  const listed = [...groups, ...chineseGroups].flatMap(({ pages }) =>
    pages.map((page) => (typeof page === 'string' ? page : page[0])),
  );

  test('lists every page in its sidebar, and no page that does not exist', () => {
    const addresses = listed.map((page) => `/${addressOf(page).replace(/\.md$/, '.html')}`);
    const alone = ['/404.html', '/index.html', '/zh-cn/index.html'];
    assert.ok(site.pages.size > 60, `${site.pages.size} pages`);
    assert.deepEqual(
      [...site.pages.keys()].filter((page) => !addresses.includes(page) && !alone.includes(page)),
      [],
    );
    assert.deepEqual(
      listed.filter((page) => !existsSync(join(root, page))),
      [],
    );
  });

  test('has no dead links to pages or headings', () => {
    const links = [...site.pages].flatMap(([page, html]) =>
      attributesOf(html, 'a', 'href').map((href) => ({ page, href })),
    );
    const inside = links.filter(({ page, href }) => page !== '/404.html' && !/^[a-z]+:/.test(href));
    assert.ok(inside.length > 1_000, `${inside.length} links`);
    const dead = inside.filter(({ page, href }) => {
      const { pathname, hash } = new URL(href, `http://site${page}`);
      if (/\.json$/.test(pathname)) return !existsSync(join(root, 'docs', pathname));
      const html = site.pages.get(pathname.replace(/\/$/, '/index.html'));
      return html === undefined || (hash !== '' && !html.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
    });
    assert.deepEqual(
      dead.map(({ page, href }) => `${page}: ${href}`),
      [],
    );
  });

  test('loads nothing from another host', () => {
    const resources = [...site.pages.values()].flatMap((html) => [
      ...attributesOf(html, 'link', 'href'),
      ...['script', 'img', 'iframe', 'source'].flatMap((tag) => attributesOf(html, tag, 'src')),
    ]);
    const fetched = site.styles.flatMap((css) =>
      [...css.matchAll(/(?:url\(|@import )["']?([^"')]+)/g)].map(([, url]) => url),
    );
    assert.ok(resources.length > 100 && fetched.length > 5, `${resources.length} and ${fetched.length}`);
    assert.deepEqual(
      [...resources, ...fetched].filter((url) => /^(?:[a-z]+:)?\/\//.test(url as string)),
      [],
    );
  });

  /**
   * Searches for words, and checks that the wanted page is one of the first `rankMax` results. Without a wanted page,
   * there must be no results.
   */
  async function find(page: Page, words: string, wanted?: string, rankMax = Number.POSITIVE_INFINITY): Promise<void> {
    const isOpen = () => page.evaluate<boolean>('document.querySelector("#localsearch-input") !== null');
    if (!(await isOpen())) {
      await eventually(async () => assert.ok(await page.text('.DocSearch-Button')));
      await page.click('.DocSearch-Button');
      await eventually(async () => assert.ok(await isOpen()));
    }
    await page.type('#localsearch-input', words);
    await eventually(async () => {
      const results = '[...document.querySelectorAll(".VPLocalSearchBox .result")].map(({ href }) => decodeURI(href))';
      const searchResults = await page.evaluate<string[]>(results);
      if (wanted === undefined) return assert.deepEqual(searchResults, []);
      const isFound = searchResults.slice(0, rankMax).some((result) => {
        const [withoutAnchor] = result.split('#');
        return [result, withoutAnchor].includes(`${site.url}${wanted}`);
      });
      assert.ok(isFound, `${searchResults.join('\n')}\n${page.errors.join('\n')}`);
    }, SEARCH_SECONDS_MAX);
  }

  test('finds words without a request to another host', async () => {
    const page = await chromium.openPage(`${site.url}/`);
    await find(page, 'apns_collapse_id', '/reference/http/push.html#pushnotify');
    await page.click('.VPLocalSearchBox .result');
    await eventually(async () => assert.match(await page.evaluate<string>('location.pathname'), /\.html$/));
    assert.deepEqual(page.errors, []);
  });

  test('finds Chinese words, which have no spaces between them, and English words from the Chinese part', async () => {
    const page = await chromium.openPage(`${site.url}/zh-cn/`);
    await find(page, '查找', '/zh-cn/#如何阅读');
    await page.reload();
    await find(page, 'apns_collapse_id', '/reference/http/push.html#pushnotify');
    assert.deepEqual(page.errors, []);
  });

  for (const [words, wanted, rankMax] of [
    ['schedule', '/backend/schedule-expire-cancel.html', RANK_MAX],
    ['retry', '/backend/idempotency.html', RANK_MAX],
    ['docker', '/operate/compose.html', RANK_MAX],
    ['webhook', '/reference/http/vendors.html', RANK_MAX],
    ['回调', '/reference/http/vendors.html', RANK_MAX],
    ['container', '/operate/compose.html', RANK_MAX],
    ['定时', '/backend/schedule-expire-cancel.html', RANK_MAX],
    ['定时', '/zh-cn/start/concepts.html'],
    ['角标', '/zh-cn/start/concepts.html'],
    ['huawei_received 0', '/reference/counters.html'],
    ['rotate master keys', '/operate/keys.html'],
  ] as const)
    test(`finds ${wanted} by the words ${words}`, async () => {
      // One page for all words, because a page loads the index for its first search.
      searchPage ??= await chromium.openPage(`${site.url}/`);
      await find(searchPage, 'xyzzyx', undefined);
      await find(searchPage, words, wanted, rankMax);
    });

  for (const [width, elements] of [
    [1280, 'pre, .vp-doc table'],
    [375, '.vp-doc table'],
  ] as const)
    test(`needs no horizontal scrolling for ${elements} at ${width} pixels`, async () => {
      const page = await chromium.openPage(`${site.url}/`);
      await page.screenshot({ width, height: 800 });
      for (const path of WIDE_PAGES) {
        await page.goTo(`${site.url}${path}`);
        const widths = await page.evaluate<number[][]>(
          `[document.documentElement, ...document.querySelectorAll("${elements}")]
            .map(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])`,
        );
        assert.ok(widths.length > 1, path);
        const scrolled = widths.filter(([content = 0, visible = 0]) => content > visible);
        assert.deepEqual(scrolled, [], path);
      }
    });
});

describe('a page of the site', () => {
  const render = async (text: string) => {
    const md = await createMarkdownRenderer(root, {
      html: false,
      config: (renderer) => asInTheRepository(renderer, root),
    });
    return md.render(text, {
      path: join(root, 'docs/glossary.md'),
      relativePath: 'docs/glossary.md',
      cleanUrls: false,
    });
  };

  test('shows text that Vue would parse as a tag or an expression, and hides test markers', async () => {
    const html = await render('Send <push_token> with {{ mustache }}.\n<!-- run: first-push -->\nA smile: 8)\n');
    assert.match(html, /Send &lt;push_token&gt; with &#123;&#123; mustache \}\}\.<\/p>/);
    assert.doesNotMatch(html, /first-push/);
    assert.match(html, /A smile: 8\)/);
  });

  test('joins lines of Chinese text without a space, also at a link, but not lines of other text', async () => {
    assert.match(await render('先读\n[概念](glossary.md)和\n用法：\n再试'), />先读<a .*>概念<\/a>和用法：再试</);
    assert.match(await render('魅族、\n`token`\n和 README'), />魅族、<code.*?>token<\/code>\n和 README</);
    assert.match(await render('先读\nREADME\nnext'), /先读\nREADME\nnext/);
  });

  test('links only to pages and files of the site, and rejects a link to a missing page', async () => {
    assert.match(await render('[how](../ARCHITECTURE.md#time)'), /href="\/architecture\.html#time"/);
    assert.match(await render('[vendors](vendors)'), /href="\/vendors\/"/);
    assert.match(await render('[schema](openapi.json)'), /href="\/openapi\.json"/);
    assert.match(await render('[licence](../LICENSE)'), /<a>licence<\/a>/);
    await assert.rejects(render('[gone](gone.md)'), /docs\/glossary\.md: the link target gone\.md does not exist/);
  });
});

/** Returns the values of an attribute in all elements with this tag. VitePress quotes all attribute values. */
function attributesOf(html: string, tag: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<${tag} [^>]*?\\b${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    (value as string).replaceAll('&amp;', '&'),
  );
}
