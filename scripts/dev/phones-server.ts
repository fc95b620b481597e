import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Phone, renderPhonesPage } from '../../simulators/kit/phones-page.ts';
import { callApi, type DemoApi } from './call-api.ts';

/**
 * Serves a page with all phones of the demo: those of the simulators, and devices on the Carillon channel. A form on
 * the page sends a notification to all of them. The admin token stays in this process.
 */
export class PhonesServer implements AsyncDisposable {
  readonly #api: DemoApi;
  readonly #adminToken: string;
  readonly #simulatorsUrl: string;
  readonly #devices: (() => Phone)[] = [];
  readonly #server = createServer((request, response) => {
    void this.#respond(request).then(
      ({ status = 200, html, text }) => {
        response.writeHead(status, { 'content-type': `text/${html === undefined ? 'plain' : 'html'}; charset=utf-8` });
        response.end(html ?? text);
      },
      // For example, the simulators or the API have already stopped.
      (error: Error) => response.writeHead(502, { 'content-type': 'text/plain' }).end(error.message),
    );
  });

  constructor(api: DemoApi, adminToken: string, simulatorsUrl: string) {
    this.#api = api;
    this.#adminToken = adminToken;
    this.#simulatorsUrl = simulatorsUrl;
  }

  async listen(port: number, host: string): Promise<this> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds a device that is not simulated. The function returns its current state. */
  addDevice(device: () => Phone): void {
    this.#devices.push(device);
  }

  async #respond(request: IncomingMessage): Promise<{ status?: number; html?: string; text?: string }> {
    const route = `${request.method} ${request.url}`;
    if (route === 'GET /') {
      const simulated = (await (await fetch(`${this.#simulatorsUrl}/phones`)).json()) as Phone[];
      const phones = [...this.#devices.map((device) => device()), ...simulated];
      return { html: renderPhonesPage(phones, { sendPath: '/send' }) };
    }
    if (route !== 'POST /send') return { status: 404, text: 'not found' };
    // Pages of other sites must not be able to send.
    if (request.headers.origin !== `http://${request.headers.host}`)
      return { status: 403, text: 'Send from the page of this address.' };
    const { title, body } = (await json(request)) as { title: string; body: string };
    const notification = { audience: 'all', message: { title, body } };
    await callApi(this.#api, '/push/notify', notification, this.#adminToken);
    return { text: 'Sent to all devices.' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
