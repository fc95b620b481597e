import { parseArgs } from 'node:util';
import { DemoData } from './dev/demo-data.ts';
import { forgetEnvironment, writeEnvironment } from './dev/environment-file.ts';
import { connectMqttDevice } from './dev/mqtt-device.ts';
import type { PhonesServer } from './dev/phones-server.ts';
import { type Demo, showDemo } from './dev/show-demo.ts';
import { MQTT_USER, startDemo } from './dev/start-demo.ts';
import { StartupLog } from './dev/startup-log.ts';
import { npmExit } from './stack/npm-exit.ts';

// `npm run dev`: starts all of Carillon on this machine. Ctrl-C stops it. The next start has the same ports and data.

const usage = `Usage: npm run dev -- [OPTIONS]

Starts PostgreSQL, NATS, the vendor simulators and all roles of Carillon with a demo app.
The next start uses the same ports, admin token and data. Ctrl-C stops everything.

  --demo           add two apps with 50,000 devices and two weeks of tasks
  --devices N      limit the devices of each app of --demo
  --fresh          delete the data of earlier starts, and choose new ports and a new admin token
  --temporary      use new data and free ports, and delete the data at the end
  --directory D    keep the data in directory D (default: .dev; for root, see below)
  --host H         listen on this address (default: 127.0.0.1); the passwords of the demo are public
  --ports P        use these ports, such as api=8080,mqtt=1883,websocket=8083,phones=8090
  --inspect ROLE   start the role api, gateway or worker with Node's debugger
  --json           print one line of JSON instead of instructions, and do not write .dev.env
  --help           print this text

If you are root, and PostgreSQL's user cannot open this directory, the data is in /var/lib/carillon-dev.
`;

const printLine = (line: string) => process.stderr.write(`${line}\n`);
// After the terminal was closed, every write fails. The shutdown must continue.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const options = readOptions();
if (options) process.exitCode = await main(options);

async function main(values: NonNullable<ReturnType<typeof readOptions>>): Promise<number> {
  const stopSignal = new Promise<void>((resolve) => {
    // A second signal is ignored, because an interrupted shutdown would leave data that must be recovered. The terminal
    // sends SIGHUP when it is closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    void npmExit().then(resolve);
  });
  forgetEnvironment();
  const log = new StartupLog(printLine);
  const { directory, fresh, temporary, inspect, host, ports, demo: withHistory, devices } = values;
  let data: DemoData | undefined;
  try {
    data = temporary ? DemoData.temporary() : await DemoData.open(directory, { fresh });
    await using resources = new AsyncDisposableStack();
    const starting = startDemo(resources, { data, withHistory, devicesMax: devices, inspect, host, ports, log });
    const started = await Promise.race([starting, stopSignal]);
    if (!started) {
      await starting.catch(() => undefined); // processes that are starting can be stopped only after they have started
      return 0;
    }
    const { demo, phones } = started;
    if (values.json) process.stdout.write(`${JSON.stringify(demo)}\n`);
    else await printInstructions(demo, phones, resources);
    log.release();
    await stopSignal;
    printLine('stopping …');
    return 0;
  } catch (error) {
    log.printAll();
    printLine(error instanceof Error ? error.message : String(error));
    if (data?.seeded) printLine('If the data of the earlier start is damaged, start over: npm run dev -- --fresh');
    return 1;
  }
}

/** Connects a device over MQTT, writes variables for another terminal, and prints commands to paste. */
async function printInstructions(demo: Demo, phones: PhonesServer, resources: AsyncDisposableStack): Promise<void> {
  const phone = resources.use(await connectMqttDevice(demo, demo.mqtt_url, MQTT_USER, printLine));
  phones.addDevice(() => phone.phone());
  resources.use(
    await writeEnvironment({
      CARILLON_URL: demo.base_url,
      CARILLON_APP_ID: demo.app_id,
      CARILLON_ADMIN_TOKEN: demo.admin_token,
      CARILLON_DEV_URL: demo.base_url,
      CARILLON_USER_TOKEN: phone.credentials.token,
      MQTT_PORT: new URL(demo.mqtt_url).port,
      WEBSOCKET_URL: demo.websocket_url,
    }),
  );
  process.stdout.write(showDemo(demo, phone.credentials));
}

/** Returns the options, or undefined if there is nothing to start. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        demo: { type: 'boolean', default: false },
        devices: { type: 'string' },
        directory: { type: 'string' },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        host: { type: 'string', default: '127.0.0.1' },
        inspect: { type: 'string' },
        json: { type: 'boolean', default: false },
        ports: { type: 'string', default: '' },
        temporary: { type: 'boolean', default: false },
      },
    });
    if (!values.help) return { ...values, devices: readDevices(values.devices), ports: readPorts(values.ports) };
    process.stdout.write(usage);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
  }
  return undefined;
}

function readDevices(text = 'Infinity'): number {
  const devices = Number(text);
  if (!(devices >= 1)) throw new Error(`--devices must be a positive number (${text}).`);
  return devices;
}

function readPorts(text: string): Record<string, number> {
  const ports = text.split(',').filter(Boolean);
  const wrong = ports.find((port) => !/^(api|mqtt|websocket|phones)=\d+$/.test(port));
  if (wrong)
    throw new Error(`--ports has an unknown part: ${wrong}. Use api, mqtt, websocket and phones, each with =PORT.`);
  return Object.fromEntries(ports.map((port) => port.split('=')).map(([name, number]) => [name, Number(number)]));
}
