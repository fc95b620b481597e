import { parseArgs } from 'node:util';
import type { VendorName } from '#src/domain/channel.ts';
import { createLog } from '#src/foundation/log.ts';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { writeEnvironment } from './dev/environment-file.ts';
import { connectMqttDevice } from './dev/mqtt-device.ts';
import { type Role, startRole } from './dev/role-process.ts';
import { seedAdminToken, seedApp, seedCertificate, seedUser } from './dev/seed.ts';
import { type Demo, showDemo } from './dev/show-demo.ts';
import { startSimulators, type VendorFacts } from './dev/simulator-process.ts';
import { bindVendorPhones } from './dev/vendor-phones.ts';
import { keyringsOf, newMasterKeys } from './stack/master-keys.ts';
import { roleSettings } from './stack/role-settings.ts';
import { startStack } from './stack/stack.ts';

// `npm run dev`: starts all of Carillon on this machine, on free ports. Ctrl-C stops it and removes its data.

const APP_ID = 'demo';
/** A user with one phone per vendor, so that one notification reaches all vendors. */
const VENDOR_USER = { name: 'bo', password: 'bo-password', mobile: '+8613800000002', email: 'bo@example.com' };
/** A user with a device on the Carillon channel. */
const MQTT_USER = { name: 'ada', password: 'ada-password', mobile: '+8613800000001', email: 'ada@example.com' };

// `--inspect worker` starts that role with Node's debugger on a free port of the loopback address.

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, inspect: { type: 'string' } } });
const stopSignal = new Promise<void>((resolve) => {
  // A second signal is ignored, because an interrupted shutdown would leave the roles running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
});
const printLine = (line: string) => process.stderr.write(`${line}\n`);

await using resources = new AsyncDisposableStack();
const starting = startEverything();
const demo = await Promise.race([starting, stopSignal]);
if (!demo) await starting.catch(() => undefined); // processes that are starting can be stopped only after they have started
if (demo) {
  if (values.json) process.stdout.write(`${JSON.stringify(demo)}\n`);
  else await printInstructions(demo);
  await stopSignal;
  printLine('stopping …');
}

/** Connects a device over MQTT, writes variables for another terminal, and prints commands to paste. */
async function printInstructions(demo: Demo): Promise<void> {
  const phone = resources.use(await connectMqttDevice(demo, demo.mqtt_url, MQTT_USER, printLine));
  resources.use(
    await writeEnvironment({
      CARILLON_URL: demo.base_url,
      CARILLON_APP_ID: demo.app_id,
      CARILLON_ADMIN_TOKEN: demo.admin_token,
      MQTT_PORT: new URL(demo.mqtt_url).port,
    }),
  );
  process.stdout.write(showDemo(demo, phone.credentials));
}

async function startEverything(): Promise<Demo> {
  printLine('starting PostgreSQL, NATS and the simulators …');
  const stack = resources.use(await startStack());
  const simulators = resources.use(await startSimulators());
  const vendors = Object.entries(simulators.vendors) as [VendorName, VendorFacts][];
  const url = stack.databaseUrl('postgres');
  await migrateHome(url, ['home']);
  await migrateShard(url);

  const masterKeys = newMasterKeys('dev');
  const settings = {
    CARILLON_DATABASE_URL: url,
    CARILLON_NATS_URLS: stack.natsUrls.join(','),
    ...masterKeys,
    // All requests come from one address, and some tools make many that are rejected.
    CARILLON_API_REJECTIONS_PER_ADDRESS_PER_SECOND: '0',
    ...simulators.settings,
  };
  printLine('starting every role …');
  const start = async (role: Exclude<Role, 'all'>) =>
    resources.use(
      await startRole(
        role,
        { ...roleSettings(settings, role), CARILLON_API_PORT: '0' },
        (line) => printLine(`${role} ${line}`),
        {
          nodeArguments: values.inspect === role ? ['--inspect=127.0.0.1:0'] : [],
        },
      ),
    );
  const [api, gateway, worker] = await Promise.all([start('api'), start('gateway'), start('worker')]);

  const storage = await openStorage({
    settings: { CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '', CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 },
    connections: 1,
    log: createLog({ level: 'error', fields: {} }),
  });
  const keyrings = keyringsOf(masterKeys);
  await seedApp(storage.home, keyrings, APP_ID);
  const adminToken = await seedAdminToken(storage.home, APP_ID);
  for (const [vendor, { certificate }] of vendors) {
    await seedCertificate(storage.home, keyrings, APP_ID, vendor, certificate);
  }
  const users = [];
  for (const user of [MQTT_USER, VENDOR_USER]) {
    const userId = await seedUser(storage.home, APP_ID, user);
    users.push({ user_id: Number(userId), name: user.name, password: user.password });
  }
  await storage.close();
  await Promise.all([api, gateway, worker].map(({ healthUrl }) => waitUntilReady(healthUrl)));
  const demoApi = { base_url: api.apiUrl, app_id: APP_ID };
  await bindVendorPhones(
    demoApi,
    VENDOR_USER,
    vendors.map(([vendor]) => vendor),
  );
  return {
    ...demoApi,
    mqtt_url: gateway.mqttUrl,
    websocket_url: gateway.webSocketUrl,
    admin_token: adminToken,
    users,
    phones_url: simulators.pageUrl,
    simulators: Object.fromEntries(vendors.map(([vendor, { control_url }]) => [vendor, control_url])),
  };
}

async function waitUntilReady(healthUrl: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { ok } = await fetch(`${healthUrl}/readyz`);
    if (ok) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${healthUrl}/readyz did not return 200 within 100 attempts.`);
}
