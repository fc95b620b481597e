import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, startDemoProcess } from '../../scripts/dev/demo-process.ts';
import type { Demo } from '../../scripts/dev/show-demo.ts';
import { Carillon } from '../../sdk/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { OperatorBrowser } from '../support/operator.ts';

/**
 * Ends transitions, because changing colors and places would fail the checks. The checks do not wait for their end:
 * Chromium without a window sometimes draws no further frame, and a transition then never ends.
 */
const END_TRANSITIONS = `document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition)
  .forEach((transition) => transition.finish())`;

/** Time within which a page has its final colors and content. */
const RENDER_SECONDS_MAX = 5;

/** Devices of each app with history. */
export const DEVICES = 2_000;
export const DEVICES_TEXT = '2,000 devices';

/** The running demo, a browser, and a provider of single sign-on. */
export interface Stage {
  readonly demo: Demo;
  readonly browser: Browser;
  readonly provider: IdentityProvider;
  /** A session of the platform operator, for calls of the API. */
  readonly platform: OperatorBrowser;
}

/** Starts the demo with its simulators and two apps with history, and a browser. */
export async function startConsole(resources: AsyncDisposableStack): Promise<Stage> {
  const provider = resources.use(await startIdentityProvider());
  const env = {
    CARILLON_OIDC_ISSUER: provider.issuer,
    CARILLON_OIDC_CLIENT_ID: provider.clientId,
    CARILLON_OIDC_CLIENT_SECRET: provider.clientSecret,
    CARILLON_OIDC_NAME: 'Example SSO',
    CARILLON_OIDC_ROLE_MAPPING: 'readers=viewer@news',
  };
  const options = ['--demo', '--devices', String(DEVICES)];
  const demo = await startDemoProcess(resources, options, { env, stderr: 'ignore' });
  await provider.register(`${demo.base_url}/operator/oidc/callback`);
  const browser = await startBrowser(resources);
  const platform = new OperatorBrowser(demo.base_url);
  await platform.signIn(demo.operator.email, demo.operator.password);
  return { demo, browser, provider, platform };
}

/** Opens a page that collects its errors, including violations of the content security policy. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<[Page, string[]]> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // Chromium also logs every response with an error status, such as that of a wrong password.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  return [page, errors];
}

export const urlOf = ({ demo }: Stage, path: string): string => new URL(path, demo.console_url).href;

/** Opens a page of the console as an operator, in a new browser context. */
export async function openAs(
  stage: Stage,
  operator: Demo['operator'],
  path: string,
  options?: BrowserContextOptions,
): Promise<[Page, string[]]> {
  const [page, errors] = await openPage(stage.browser, options);
  await page.goto(urlOf(stage, path));
  await signIn(page, operator);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForURL(urlOf(stage, path));
  return [page, errors];
}

export async function signIn(page: Page, { email, password }: Demo['operator']): Promise<void> {
  await page.getByLabel(/^(Email|邮箱)/).fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

/** Creates an operator with a role in an app, and returns the values for the sign-in. */
export async function createOperator(
  { platform }: Stage,
  name: string,
  role: 'viewer' | 'sender' | 'admin',
  appId: string,
): Promise<Demo['operator']> {
  const operator = { email: `${name.toLowerCase()}@example.com`, password: 'many-bells-in-a-tower' };
  const { operator_id } = await call<{ operator_id: number }>(platform, '/operator/create', { ...operator, name });
  await call(platform, '/operator/role/set', { operator_id, app_id: appId, role });
  return operator;
}

/** Calls the API with the session of an operator. */
export async function call<Data>(
  session: OperatorBrowser,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Data> {
  const { code, data, message } = await session.post(path, body, headers);
  assert.equal(code, 200, `${path}: ${message}`);
  return data as Data;
}

/** Returns a client with an admin token of one of the apps. */
export function clientOf({ demo }: Stage, appId: string): Carillon {
  const tokens = new Map(demo.history_apps.map(({ app_id, admin_token }) => [app_id, admin_token]));
  return new Carillon({ url: demo.base_url, appId, token: tokens.get(appId) ?? demo.admin_token });
}

/** Widths of a phone, a laptop and a large screen. */
const WIDTHS = [375, 1280, 1920];

/** Checks that a page does not scroll sideways at any width. */
export async function checkWidths(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  assert.ok(size);
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...size, width });
    // The frame of the page moves to its new place in a transition, and charts are drawn again in their new size.
    await eventually(async () => {
      await page.evaluate(END_TRANSITIONS);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      assert.equal(overflow, 0, `${name} scrolls sideways at ${width} pixels`);
    }, RENDER_SECONDS_MAX);
  }
  await page.setViewportSize(size);
}

/** Checks the accessibility of a page in both themes, and that it does not scroll sideways. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const analyze = async (theme: 'light' | 'dark', axe: AxeBuilder) => {
    await page.emulateMedia({ colorScheme: theme });
    // A page that is still being rendered is checked again.
    await eventually(async () => {
      await page.evaluate(END_TRANSITIONS);
      const { violations } = await axe.analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(
          ({ id, nodes }) => `${name}, ${theme}: ${id} ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`,
        ),
        [],
      );
    }, RENDER_SECONDS_MAX);
  };
  // The legacy mode opens no further page for the results. Its results differ only for frames, which the console lacks.
  // In the dark theme, only the colors differ, so the other rules are not checked again.
  await analyze('dark', new AxeBuilder({ page }).setLegacyMode().withRules(['color-contrast']));
  await analyze('light', new AxeBuilder({ page }).setLegacyMode());
  await checkWidths(page, name);
}
