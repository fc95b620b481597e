import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { vendorNames } from '#src/domain/channel.ts';
import type { Demo } from '../../../scripts/dev/show-demo.ts';
import { type Page, startChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The minimum of WCAG 2.2, success criterion 1.4.3. */
const CONTRAST_MIN = 4.5;
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 375, height: 800 };

// test/guides/first-push.test.ts checks that the page also shows the device on the Carillon channel.
describe('the page with the phones of npm run dev', () => {
  const resources = new AsyncDisposableStack();
  let url: string;
  let page: Page;

  before(async () => {
    const dev = spawn(process.execPath, ['scripts/dev.ts', '--json', '--temporary'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    resources.defer(async () => {
      dev.kill('SIGTERM');
      await once(dev, 'exit');
    });
    const [line] = (await once(createInterface({ input: dev.stdout }), 'line')) as [string];
    url = (JSON.parse(line) as Demo).phones_url;
    page = await resources.use(await startChromium()).openPage(url);
  });
  after(() => resources.disposeAsync());

  test('sends a notification to every phone, and announces it to screen readers', async () => {
    assert.equal(await page.evaluate('document.querySelectorAll(".phone").length'), vendorNames.length);
    assert.match(await page.evaluate('document.querySelector("link[rel=icon]").href'), /^data:image\/svg\+xml,/);
    await page.type('form.send input', 'Dinner');
    await page.click('form.send button');
    await eventually(async () => assert.equal(await page.text('form.send [role=status]'), 'Sent to all devices.'));
    await eventually(async () => {
      const titles = '[...document.querySelectorAll(".phone h3")].map((title) => title.textContent)';
      assert.deepEqual(await page.evaluate(titles), Array(vendorNames.length).fill('Dinner'));
      assert.match(await page.evaluate('document.querySelector(".announcement[role=status]").textContent'), /: Dinner/);
    });
    assert.deepEqual(page.errors, []);
  });

  test('rejects a notification that a page of another site sends', async () => {
    const body = JSON.stringify({ title: 'Spam' });
    for (const headers of [{}, { origin: 'https://example.com' }]) {
      const { status } = await fetch(`${url}/send`, { method: 'POST', headers, body });
      assert.equal(status, 403);
    }
  });

  for (const dark of [false, true])
    test(`has a contrast of at least ${CONTRAST_MIN}:1 for all texts in the ${dark ? 'dark' : 'light'} theme`, async () => {
      for (const size of [DESKTOP, PHONE]) {
        await page.screenshot({ ...size, dark });
        const texts = await page.evaluate<TextColours[]>(TEXT_COLOURS);
        assert.ok(texts.length > vendorNames.length * 5);
        const low = texts.filter((text) => contrastOf(text) < CONTRAST_MIN);
        assert.deepEqual(
          low.map((text) => [text.text, contrastOf(text)]),
          [],
        );
      }
    });

  test('fits the width of a phone, with a compact layout', async () => {
    await page.screenshot(PHONE);
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= PHONE.width);
    const heights = '[...document.querySelectorAll(".phone")].map((phone) => phone.offsetHeight)';
    assert.ok((await page.evaluate<number[]>(heights)).every((height) => height < 200));
  });
});

interface TextColours {
  readonly text: string;
  readonly colour: string;
  /** Backgrounds from the text to the root of the page. */
  readonly backgrounds: readonly string[];
}

/** An expression in the page: the computed colours of all visible texts. */
const TEXT_COLOURS = `[...document.querySelectorAll('body *:not(script)')]
  .filter((element) => element.checkVisibility() &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== ''))
  .map((element) => {
    const backgrounds = [];
    for (let each = element; each; each = each.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      backgrounds.push(backgroundImage === 'none' ? backgroundColor : backgroundImage);
    }
    const text = element.tagName + ' ' + element.textContent.trim().slice(0, 30);
    return { text, colour: getComputedStyle(element).color, backgrounds };
  })`;

/** Red, green and blue from 0 to 1, and the opacity. */
type Colour = readonly [number, number, number, number];

/** Returns the contrast of a text. For a gradient, this is the lowest contrast with one of its colours. */
function contrastOf({ colour, backgrounds }: TextColours): number {
  let behind: Colour[] = [[1, 1, 1, 1]];
  for (const background of backgrounds.toReversed())
    behind = behind.flatMap((under) => parseColours(background).map((over) => blend(over, under)));
  const [ink] = parseColours(colour) as [Colour];
  const contrasts = behind.map((background) => {
    const [a, b] = [luminanceOf(blend(ink, background)), luminanceOf(background)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
  return Math.min(...contrasts);
}

/** Reads colours such as `rgb(1, 2, 3)`, `rgba(…)` and `color(srgb 0.1 0.2 0.3 / 0.5)`. */
function parseColours(text: string): Colour[] {
  return [...text.matchAll(/(rgba?|color)\((?:srgb )?([^)]+)\)/g)].map(([, kind, list = '']) => {
    const [r = 0, g = 0, b = 0, opacity = 1] = list.split(/[ ,/]+/).map(Number);
    const max = kind === 'color' ? 1 : 255;
    return [r / max, g / max, b / max, opacity];
  });
}

const blend = ([r, g, b, opacity]: Colour, under: Colour): Colour => [
  r * opacity + under[0] * (1 - opacity),
  g * opacity + under[1] * (1 - opacity),
  b * opacity + under[2] * (1 - opacity),
  1,
];

/** The relative luminance of WCAG. */
function luminanceOf([r, g, b]: Colour): number {
  const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
