import type { VendorName } from '#src/domain/channel.ts';
import { createLog } from '#src/foundation/log.ts';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { portFlags } from '../../simulators/vendors.ts';
import { buildConsole } from '../console/build-console.ts';
import { keyringsOf } from '../stack/master-keys.ts';
import { roleSettings } from '../stack/role-settings.ts';
import type { DemoData } from './demo-data.ts';
import { createHistory, pauseAndExpire } from './history/create-history.ts';
import { createTeam } from './history/create-team.ts';
import { PhonesServer } from './phones-server.ts';
import { type Role, type RoleProcess, startRole } from './role-process.ts';
import { seedAdminToken, seedApp, seedCertificate, seedOperator, seedUser } from './seed.ts';
import type { Demo } from './show-demo.ts';
import { startSimulators, type VendorFacts } from './simulator-process.ts';
import type { StartupLog } from './startup-log.ts';
import { bindVendorPhones } from './vendor-phones.ts';

const APP_ID = 'demo';
/** A user with one phone per vendor, so that one notification reaches all vendors. */
const VENDOR_USER = { name: 'bo', password: 'bo-password', mobile: '+8613800000002', email: 'bo@example.com' };
/** A user with a device on the Carillon channel. */
export const MQTT_USER = { name: 'ada', password: 'ada-password', mobile: '+8613800000001', email: 'ada@example.com' };

/** A platform operator, who signs in to the console. */
const OPERATOR = { name: 'Cleo', email: 'cleo@example.com', password: 'cleo-password' };

interface DemoOptions {
  readonly data: DemoData;
  /** Whether to add two apps with 50,000 devices and two weeks of tasks. */
  readonly withHistory: boolean;
  /** Limit of the devices of each app with history. */
  readonly devicesMax: number;
  /** Role that starts with Node's debugger. */
  readonly inspect: string | undefined;
  /** Address on which the API, the gateway and the page with all phones listen. */
  readonly host: string;
  /** Ports that the user has chosen, by name. */
  readonly ports: Readonly<Record<string, number>>;
  readonly log: StartupLog;
}

/** Starts the parts of the demo in order, and creates the demo app unless the data contains it. */
export async function startDemo(
  resources: AsyncDisposableStack,
  options: DemoOptions,
): Promise<{ demo: Demo; phones: PhonesServer }> {
  const { data, withHistory, log } = options;
  log.progress('starting PostgreSQL, NATS and the simulators …');
  // The API reads the console when it starts.
  const consoleBuild = buildConsole({ ifChanged: true, log: (line) => log.progress(line) });
  const ports = await simulatorPorts(data);
  const use = <T extends AsyncDisposable>(resource: T): T => resources.use(resource);
  const [stack, simulators] = await Promise.all([data.startStack().then(use), startSimulators({ ports }).then(use)]);
  const url = stack.databaseUrl('postgres');
  await migrateHome(url, ['home']);
  await migrateShard(url);
  await consoleBuild;

  log.progress('starting every role …');
  const settings = {
    CARILLON_DATABASE_URL: url,
    CARILLON_NATS_URLS: stack.natsUrls.join(','),
    ...data.masterKeys,
    // All requests come from one address, and some tools make many that are rejected.
    CARILLON_API_REJECTIONS_PER_ADDRESS_PER_SECOND: '0',
    ...simulators.settings,
  };
  const start = (role: Exclude<Role, 'all'>) => startDemoRole(role, settings, options).then(use);
  const vendors = Object.entries(simulators.vendors) as [VendorName, VendorFacts][];
  const createsHistory = withHistory && !data.seeded?.historyApps?.length;
  if (createsHistory) log.progress('creating 50,000 devices and two weeks of tasks …');
  const [api, gateway, worker, seeded] = await Promise.all([
    start('api'),
    start('gateway'),
    start('worker'),
    seedDemo(url, data, vendors, createsHistory ? options.devicesMax : undefined),
  ]);
  const demoApi = { base_url: api.apiUrl, app_id: APP_ID };
  await Promise.all([api, gateway, worker].map(({ healthUrl }) => waitUntilReady(healthUrl)));
  if (!data.seeded) {
    const names = vendors.map(([vendor]) => vendor);
    await bindVendorPhones(demoApi, VENDOR_USER, names);
  }
  const [historyApp] = seeded.historyApps;
  if (createsHistory && historyApp) await createTeam(api.apiUrl, historyApp.app_id, OPERATOR);
  const server = new PhonesServer(demoApi, seeded.adminToken, simulators.pageUrl);
  const phones = resources.use(await server.listen(await portOf('phones', options), options.host));
  data.complete(seeded);
  const demo = {
    ...demoApi,
    mqtt_url: gateway.mqttUrl,
    websocket_url: gateway.webSocketUrl,
    admin_token: seeded.adminToken,
    users: seeded.users,
    history_apps: seeded.historyApps,
    phones_url: phones.url,
    console_url: `${api.apiUrl}/console/`,
    operator: { email: OPERATOR.email, password: OPERATOR.password },
    simulators: Object.fromEntries(vendors.map(([vendor, { control_url }]) => [vendor, control_url])),
  };
  return { demo, phones };
}

async function startDemoRole(
  role: Exclude<Role, 'all'>,
  settings: Readonly<Record<string, string>>,
  options: DemoOptions,
): Promise<RoleProcess> {
  const { inspect, host, log } = options;
  const ports = {
    CARILLON_HEALTH_PORT: await portOf(`${role}-health`, options),
    ...(role === 'api' && { CARILLON_API_PORT: await portOf('api', options) }),
    ...(role === 'gateway' && {
      CARILLON_MQTT_PORT: await portOf('mqtt', options),
      CARILLON_MQTT_WEBSOCKET_PORT: await portOf('websocket', options),
    }),
  };
  const hosts = { CARILLON_API_HOST: host, CARILLON_MQTT_HOST: host };
  const portSettings = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const nodeArguments = inspect === role ? ['--inspect=127.0.0.1:0'] : [];
  const onLine = (line: string) => log.add(`${role} ${line}`);
  return startRole(role, { ...roleSettings(settings, role), ...hosts, ...portSettings }, onLine, { nodeArguments });
}

async function portOf(name: string, { data, ports }: DemoOptions): Promise<number> {
  return ports[name] ?? data.port(name);
}

async function simulatorPorts(data: DemoData): Promise<Record<string, number>> {
  const ports: Record<string, number> = {};
  for (const flag of ['page-port', ...portFlags]) ports[flag] = await data.port(flag);
  return ports;
}

/** Saves the credentials of the simulators, which are new at each start. Creates the app once. */
async function seedDemo(
  url: string,
  data: DemoData,
  vendors: readonly [VendorName, VendorFacts][],
  historyDevicesMax: number | undefined,
) {
  const storage = await openStorage({
    settings: { CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '', CARILLON_DATABASE_QUERY_SECONDS_MAX: 60 },
    connections: 2,
    log: createLog({ level: 'error', fields: {} }),
  });
  const keyrings = keyringsOf(data.masterKeys);
  if (!data.seeded) await seedApp(storage.home, keyrings, APP_ID);
  const historyApps =
    historyDevicesMax === undefined
      ? (data.seeded?.historyApps ?? [])
      : await createHistory(storage, keyrings, { devicesMax: historyDevicesMax });
  for (const appId of [APP_ID, ...historyApps.map(({ app_id }) => app_id)])
    for (const [vendor, { certificate }] of vendors)
      await seedCertificate(storage.home, keyrings, appId, vendor, certificate);
  if (historyApps.length > 0) await pauseAndExpire(storage.home);
  const { adminToken, users } = data.seeded ?? {
    adminToken: await seedAdminToken(storage.home, APP_ID),
    users: [await seedDemoUser(MQTT_USER), await seedDemoUser(VENDOR_USER)],
  };
  await seedOperator(storage.home, OPERATOR);
  await storage.close();
  return { adminToken, users, historyApps };

  async function seedDemoUser(user: typeof MQTT_USER) {
    const userId = await seedUser(storage.home, APP_ID, user);
    return { user_id: Number(userId), name: user.name, password: user.password };
  }
}

async function waitUntilReady(healthUrl: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { ok } = await fetch(`${healthUrl}/readyz`);
    if (ok) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${healthUrl}/readyz did not return 200 within 100 attempts.`);
}
