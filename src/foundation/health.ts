import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, register } from 'prom-client';
import { EventLoopDelays, processMetrics } from './process-metrics.ts';
import { listenWithSetting } from './settings.ts';

/** The checks that decide whether a role is ready. A check that throws counts as failed. */
export type ReadyChecks = Readonly<Record<string, () => Promise<boolean>>>;

export interface HealthServer {
  readonly port: number;
  /** Makes `/readyz` return 503 from now on, so that load balancers use other processes while this one drains. */
  drain(): void;
  stop(): Promise<void>;
}

const CHECK_DEADLINE_MS = 2_000;

/** Starts a separate server for `/healthz` (the process is running), `/readyz` (all checks pass) and `/metrics`. */
export async function startHealth(options: { host: string; port: number; checks: ReadyChecks }): Promise<HealthServer> {
  collectDefaultMetrics();
  const delays = EventLoopDelays.start();
  let draining = false;

  const server = createServer((request, response) => {
    const respond = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    const respondError = () => respond(500, 'text/plain', 'error\n');
    switch (request.url) {
      case '/healthz':
        return respond(200, 'text/plain', 'ok\n');
      case '/readyz':
        return void runChecks(options.checks, draining).then(
          ({ ready, checks }) => respond(ready ? 200 : 503, 'application/json', `${JSON.stringify(checks)}\n`),
          respondError,
        );
      case '/metrics':
        return void readMetrics(options.checks, draining, delays).then(
          (text) => respond(200, register.contentType, text),
          respondError,
        );
      default:
        return respond(404, 'text/plain', 'Not found. Available paths: /healthz, /readyz, /metrics.\n');
    }
  });
  server.requestTimeout = 5_000;
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, options.host, resolve);
    });
  await listenWithSetting('CARILLON_HEALTH_PORT', options.port, listen);
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
    },
    stop: () => close(server),
  };
}

async function readMetrics(checks: ReadyChecks, draining: boolean, delays: EventLoopDelays): Promise<string> {
  const { ready } = await runChecks(checks, draining);
  processMetrics.ready.set(ready ? 1 : 0);
  processMetrics.eventLoopDelay.set(delays.report());
  return register.metrics();
}

async function runChecks(checks: ReadyChecks, draining: boolean) {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await withinDeadline(check)] as const),
  );
  const ready = !draining && results.every(([, passed]) => passed);
  return { ready, checks: { ...Object.fromEntries(results), draining } };
}

async function withinDeadline(check: () => Promise<boolean>): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, CHECK_DEADLINE_MS, false).unref());
  const runCheck = async () => check();
  return Promise.race([runCheck().catch(() => false), timeout]);
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
