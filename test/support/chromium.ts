import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const RESPONSE_MS_MAX = 30_000;
const STOP_MS_MAX = 10_000;

/** A command of the DevTools protocol, its result, or an event. An event has a method and no id. */
interface ProtocolMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly browserContextId?: string;
}

/** Debian's Chromium in headless mode. It is controlled through two pipes, so that it listens on no port. */
export class Chromium implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #commands: Writable;
  readonly #pendingCommands = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Map<string, (event: ProtocolMessage) => void>();
  #lastId = 0;

  constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    this.#commands = child.stdio[3] as Writable;
    this.#commands.on('error', () => undefined); // the process has ended; pending commands are rejected below
    let rest = '';
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() as string;
      for (const message of messages) this.#onMessage(JSON.parse(message) as ProtocolMessage);
    });
    child.once('exit', () => {
      for (const { reject } of this.#pendingCommands.values()) reject(new Error('Chromium has ended.'));
    });
  }

  /** Opens a page in a new context, which shares neither storage nor cache with other pages. */
  async openPage(url: string): Promise<Page> {
    const { browserContextId } = await this.send<{ browserContextId: string }>('Target.createBrowserContext', {});
    return this.openTab(url, browserContextId);
  }

  /** Opens a page in an existing context, which shares storage and cache with its other pages. */
  async openTab(url: string, browserContextId: string): Promise<Page> {
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const attached = { targetId, flatten: true };
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', attached);
    const page = new Page(this, sessionId, browserContextId);
    this.#listeners.set(sessionId, (event) => page.onEvent(event.method as string, event.params));
    for (const domain of ['Page', 'Runtime', 'Log', 'ServiceWorker']) await page.send(`${domain}.enable`);
    await page.goTo(url);
    return page;
  }

  async send<Result>(method: string, params: object, sessionId?: string): Promise<Result> {
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pendingCommands.set(id, pending);
    const timeout = setTimeout(
      () => pending.reject(new Error(`Chromium did not respond to ${method}.`)),
      RESPONSE_MS_MAX,
    );
    this.#commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    try {
      return (await pending.promise) as Result;
    } finally {
      clearTimeout(timeout);
      this.#pendingCommands.delete(id);
    }
  }

  #onMessage(message: ProtocolMessage): void {
    if (message.id === undefined) {
      this.#listeners.get(message.sessionId ?? '')?.(message);
      return;
    }
    const answer = this.#pendingCommands.get(message.id);
    if (message.error) answer?.reject(new Error(message.error.message));
    else answer?.resolve(message.result);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exit = once(this.#child, 'exit');
      const lastResort = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS_MAX);
      await this.send('Browser.close', {}).catch(() => undefined);
      await exit;
      clearTimeout(lastResort);
    }
    // Helper processes of Chromium may still write files for a moment.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** A tab, controlled by expressions that run in the page. */
export class Page {
  readonly browserContextId: string;
  /** Errors of the page: exceptions, and errors in its console. */
  readonly errors: string[] = [];
  /** IDs of the registered service workers, by scope. */
  readonly serviceWorkers = new Map<string, string>();
  readonly #chromium: Chromium;
  readonly #sessionId: string;
  #loaded: (() => void) | undefined;

  constructor(chromium: Chromium, sessionId: string, browserContextId: string) {
    this.#chromium = chromium;
    this.#sessionId = sessionId;
    this.browserContextId = browserContextId;
  }

  async goTo(url: string): Promise<void> {
    await this.#afterLoad(() => this.send('Page.navigate', { url }));
  }

  async reload(): Promise<void> {
    await this.#afterLoad(() => this.send('Page.reload'));
  }

  /** Returns the value of an expression in the page. A promise is awaited. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await this.send<Evaluated>('Runtime.evaluate', params);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Value;
  }

  /** Returns the value of an expression in a service worker of this page's context. A promise is awaited. */
  async evaluateInServiceWorker<Value>(expression: string): Promise<Value> {
    const { targetInfos } = await this.#chromium.send<{ targetInfos: TargetInfo[] }>('Target.getTargets', {});
    const target = targetInfos.find(
      ({ type, browserContextId }) => type === 'service_worker' && browserContextId === this.browserContextId,
    );
    if (!target) throw new Error('No service worker is running.');
    const attached = { targetId: target.targetId, flatten: true };
    const { sessionId } = await this.#chromium.send<{ sessionId: string }>('Target.attachToTarget', attached);
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#chromium.send<Evaluated>('Runtime.evaluate', params, sessionId);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Value;
  }

  /** Returns the visible text of an element, or null if it is not visible. */
  text(selector: string): Promise<string | null> {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    return this.evaluate(`${element}?.checkVisibility() ? ${element}.innerText.trim() : null`);
  }

  async click(selector: string): Promise<void> {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  /** Replaces the content of a field with keyboard input. */
  async type(selector: string, text: string): Promise<void> {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).select()`);
    await this.send('Input.insertText', { text });
  }

  async screenshot(view: { width: number; height: number; dark?: boolean }): Promise<Buffer> {
    const { width, height, dark = false } = view;
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
    await this.send('Emulation.setEmulatedMedia', { features });
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  send<Result>(method: string, params: object = {}): Promise<Result> {
    return this.#chromium.send(method, params, this.#sessionId);
  }

  onEvent(method: string, params: unknown): void {
    if (method === 'Page.loadEventFired') this.#loaded?.();
    if (method === 'ServiceWorker.workerRegistrationUpdated') {
      const { registrations } = params as { registrations: { registrationId: string; scopeURL: string }[] };
      for (const { registrationId, scopeURL } of registrations) this.serviceWorkers.set(scopeURL, registrationId);
    }
    if (method === 'Runtime.exceptionThrown') this.errors.push(JSON.stringify(params));
    if (method === 'Log.entryAdded') {
      const { entry } = params as { entry: { level: string; text: string; url?: string } };
      if (entry.level === 'error') this.errors.push(`${entry.text} ${entry.url ?? ''}`);
    }
  }

  async #afterLoad(act: () => Promise<unknown>): Promise<void> {
    const loaded = Promise.withResolvers<void>();
    this.#loaded = loaded.resolve;
    await act();
    await loaded.promise;
  }
}

export async function startChromium(): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'carillon-chromium-'));
  const args = [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-gpu',
    '--disable-dev-shm-usage', // containers have little shared memory
    '--disable-background-networking',
    '--disable-component-update',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), // the sandbox does not work as root
  ];
  const child = spawn('chromium', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const chromium = new Chromium(child, profile);
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  try {
    await Promise.race([chromium.send('Browser.getVersion', {}), failed]);
    return chromium;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
