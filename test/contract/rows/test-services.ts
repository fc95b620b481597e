import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppCeilings } from '#src/api/http/app-ceilings.ts';
import { Authenticator } from '#src/api/http/authenticate.ts';
import { RequestLimits } from '#src/api/http/limits.ts';
import { TaskAcceptor } from '#src/api/notify/accept.ts';
import { ImageSizes } from '#src/api/notify/image-sizes.ts';
import { LargeCounts } from '#src/api/notify/large-counts.ts';
import { createServer } from '#src/api/server.ts';
import { apiSettings } from '#src/api/settings.ts';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import { createLog } from '#src/foundation/log.ts';
import { loadSettings } from '#src/foundation/settings.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { signalsSettings } from '#src/signals/settings.ts';
import { Signals } from '#src/signals/signals.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { ceilingDefaultsOf, ceilingSettings } from '#src/storage/settings.ts';
import { vendorSettings } from '#src/vendors/settings.ts';
import { LOOPBACK_SETTINGS } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { testStack } from '../../support/stack.ts';
import { apps } from './fixtures.ts';
import { FAILURES_PER_ADDRESS, FAILURES_PER_NAME, LIMITED_PASSWORD, limitedUsers } from './login-limits.ts';
import { SECRET_READS_PER_MINUTE } from './request-limits.ts';
import type { ServiceName } from './row-groups.ts';
import type { TestService } from './run-case.ts';
import { seedDeviceFixtures } from './seed-devices.ts';
import { seedFixtures } from './seed-fixtures.ts';

export interface TestServices extends AsyncDisposable {
  readonly byName: Readonly<Record<ServiceName, TestService>>;
  readonly services: readonly Carillon[];
}

const toTestService = (apiUrl: string, { storage, apis }: Carillon, imagesUrl = ''): TestService => ({
  apiUrl,
  ...(apis[1] && { otherApiUrl: apis[1].apiUrl }),
  imagesUrl,
  storage,
  taskIds: new Set(),
});
const urlOf = ({ apis }: Carillon) => apis[0]?.apiUrl as string;

/** Starts the services on which the groups of rows run. */
export async function startTestServices(): Promise<TestServices> {
  await using starting = new AsyncDisposableStack();
  const usual = starting.use(await startDefaultService());
  const limited = starting.use(await startLimitedService());
  const images = starting.use(await startImageService(usual));
  const all = starting.move();
  return {
    byName: {
      usual: toTestService(urlOf(usual), usual),
      limited: toTestService(urlOf(limited), limited),
      images: toTestService(images.apiUrl, usual, images.imagesUrl),
    },
    services: [usual, limited],
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Starts a service with very high limits, because its rows have many failed logins and reads of secrets. */
export async function startDefaultService(): Promise<Carillon> {
  const settings = {
    CARILLON_LOGIN_FAILURES_PER_NAME: '100000',
    CARILLON_LOGIN_FAILURES_PER_ADDRESS: '100000',
    CARILLON_REGISTRATIONS_PER_HOUR: '100000',
    CARILLON_SECRET_READS_PER_MINUTE: '100000',
  };
  const carillon = await startCarillon({ gateways: 0, workers: 0, settings });
  await seedFixtures(carillon);
  return carillon;
}

async function startLimitedService(): Promise<Carillon> {
  const settings = {
    CARILLON_LOGIN_FAILURES_PER_NAME: FAILURES_PER_NAME.toString(),
    CARILLON_LOGIN_FAILURES_PER_ADDRESS: FAILURES_PER_ADDRESS.toString(),
    CARILLON_SECRET_READS_PER_MINUTE: SECRET_READS_PER_MINUTE.toString(),
    CARILLON_API_TRUSTED_PROXIES: '127.0.0.1',
  };
  const carillon = await startCarillon({ apis: 2, gateways: 0, workers: 0, settings });
  await carillon.addApp(apps.other);
  await seedDeviceFixtures(carillon);
  const hash = await hashPassword(LIMITED_PASSWORD);
  for (const app of [apps.bells, apps.other])
    for (const { userId, name, mobile, email } of limitedUsers)
      await carillon.storage.home.query(
        'insert into users (app_id, user_id, name, mobile, email, password_hash) values ($1, $2, $3, $4, $5, $6)',
        [app, userId, name, mobile, email, hash],
      );
  return carillon;
}

/**
 * Starts the same API in this process, on the same databases. Unlike in production, it can send requests to an image
 * host on this machine.
 */
async function startImageService({ storage, keyrings }: Carillon) {
  await using starting = new AsyncDisposableStack();
  const host = await listen(createImageHost());
  starting.defer(() => host.close());
  const log = createLog({ level: 'error', fields: { role: 'test' } });
  const natsUrls = (await testStack()).natsUrls.join(',');
  const { signals: natsSettings } = loadSettings(
    { signals: signalsSettings },
    { CARILLON_NATS_URLS: natsUrls, CARILLON_NATS_PREFIX: 'test-images' },
  );
  const signals = new Signals(natsSettings, log);
  starting.defer(() => signals.close());
  const clock = new DatabaseClock();
  clock.observe(await readClock(storage.home));
  const { api, vendors } = loadSettings({ api: apiSettings, vendors: vendorSettings }, LOOPBACK_SETTINGS);
  const acceptor = new TaskAcceptor(storage.home, signals);
  const { ceilings: ceilingValues } = loadSettings({ ceilings: ceilingSettings }, {});
  const defaults = ceilingDefaultsOf(ceilingValues);
  const ceilings = new AppCeilings({ db: storage.home, defaults, clock, log });
  starting.defer(() => ceilings.stop());
  const receipts = new Receipts(storage.shards, log);
  starting.defer(() => receipts.stop());
  const server = createServer(
    {
      settings: { ...api, ...vendors },
      storage,
      keyrings,
      acceptor,
      imageSizes: new ImageSizes(() => true),
      largeCounts: new LargeCounts(),
      clock,
      limits: new RequestLimits(storage.home),
      ceilings,
      receipts,
      clearAuthCache: () => undefined,
      announceRevocation: () => undefined,
      log,
    },
    new Authenticator(storage.home, 0),
  );
  const apiUrl = await server.listen({ host: '127.0.0.1', port: 0 });
  starting.defer(() => server.close());
  const all = starting.move();
  return { apiUrl, imagesUrl: host.url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Returns an image server. The name of an image determines the response to a request for its size. */
function createImageHost(): Server {
  return createHttpServer((request, response) => {
    const [, name = ''] = /^\/([\w-]+)\./.exec(request.url ?? '') ?? [];
    const large = { 'content-length': 2 ** 24 };
    if (/^\d+$/.test(name)) response.writeHead(200, { 'content-length': name }).end();
    else if (name === 'untold') response.writeHead(200).end();
    else if (name === 'missing') response.writeHead(404, large).end();
    else if (name === 'moved') response.writeHead(302, { location: `/${2 ** 24}.png`, ...large }).end();
    else if (name === 'hang-up') request.socket.destroy();
  });
}

async function listen(server: Server): Promise<{ url: string; close: () => void }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
