import { startApnsSimulator } from './apns/simulator.ts';
import { startFcmSimulator } from './fcm/simulator.ts';
import { startFlymeSimulator } from './flyme/simulator.ts';
import { startHarmonySimulator } from './harmony/simulator.ts';
import { startHonorSimulator } from './honor/simulator.ts';
import { startHuaweiSimulator } from './huawei/simulator.ts';
import type { Screen } from './kit/page.ts';
import type { ServerIdentity } from './kit/server-identity.ts';
import type { Service } from './kit/service.ts';
import { startOppoSimulator } from './oppo/simulator.ts';
import { startVivoSimulator } from './vivo/simulator.ts';
import { demoKeys, startWebPushSimulator } from './webpush/simulator.ts';
import { startXiaomiSimulator } from './xiaomi/simulator.ts';

/** Credentials of the demo app, as an operator saves them. */
export type Certificate = {
  readonly name: string;
  readonly app_id: string;
  readonly app_key: string;
  readonly app_secret: string;
  readonly certificate: string;
};

export type RunningSimulator = {
  /** URLs by name, as in the JSON output. */
  readonly urls: Readonly<Record<string, string>>;
  readonly certificate: Certificate;
  screen(): Screen;
  stop(): Promise<void>;
};

export type StartOptions = {
  readonly identity: ServerIdentity;
  readonly slowMs: number;
  /** Ports by name. 0 selects a free port. */
  readonly ports: Readonly<Record<string, number>>;
};

type VendorSimulator = {
  /** Displayed name and color of the vendor's phone. */
  readonly phone: string;
  readonly colour: string;
  readonly ports: readonly string[];
  readonly start: (options: StartOptions) => Promise<RunningSimulator>;
};

const servicePorts = ['send', 'token', 'control'];
/** Ports of vendors with one server. */
const singleAddressPorts = ['send', 'control'];

/** All simulators, by vendor name. */
export const vendors: Readonly<Record<string, VendorSimulator>> = {
  apns: {
    phone: 'iPhone',
    colour: '#5b6573',
    ports: ['production', 'sandbox', 'control'],
    start: async ({ identity, slowMs, ports: { production = 0, sandbox = 0, control = 0 } }) => {
      const ports = { productionPort: production, sandboxPort: sandbox, controlPort: control };
      const simulator = await startApnsSimulator({ identity, slowMs, ...ports });
      const { keyId, teamId, topic, p8Pem } = simulator.credentials;
      return {
        urls: {
          production_url: simulator.productionUrl,
          sandbox_url: simulator.sandboxUrl,
          control_url: simulator.controlUrl,
        },
        certificate: { name: 'APNs', app_id: topic, app_key: keyId, app_secret: teamId, certificate: p8Pem },
        screen: simulator.screen,
        stop: simulator.stop,
      };
    },
  },
  fcm: {
    phone: 'Android',
    colour: '#82600a',
    ports: servicePorts,
    start: async (options) => {
      const simulator = await startFcmSimulator(toServiceOptions(options));
      return toRunningSimulator(simulator, { name: 'FCM', ...simulator.certificate });
    },
  },
  webpush: {
    phone: 'Browser',
    colour: '#2f6fb0',
    ports: singleAddressPorts,
    start: async (options) => {
      const simulator = await startWebPushSimulator(toServiceOptions(options));
      const { publicKey, privateKey } = demoKeys;
      const certificate = JSON.stringify({ navigate: 'https://shop.example.com/' });
      const record = {
        name: 'Web Push',
        app_id: 'mailto:push@example.com',
        app_key: publicKey,
        app_secret: privateKey,
      };
      return toRunningSimulator(simulator, { ...record, certificate });
    },
  },
  huawei: {
    phone: 'Huawei',
    colour: '#b3121d',
    ports: servicePorts,
    start: async (options) => {
      const simulator = await startHuaweiSimulator(toServiceOptions(options));
      const { appId, appSecret } = simulator.app;
      // Without a project id and a service account, senders use client credentials and the older path.
      const record = { name: 'Huawei', app_id: appId, app_key: '', app_secret: appSecret, certificate: '' };
      return toRunningSimulator(simulator, record);
    },
  },
  harmony: {
    phone: 'HarmonyOS',
    colour: '#8a1c5b',
    ports: singleAddressPorts,
    start: async (options) => {
      const simulator = await startHarmonySimulator(toServiceOptions(options));
      const { projectId, clientId } = simulator.app;
      // A class other than marketing, because a phone receives only two marketing messages a day.
      const certificate = JSON.stringify({ ...JSON.parse(simulator.serviceAccountJson), category: 'WORK' });
      const record = { name: 'HarmonyOS', app_id: projectId, app_key: clientId, app_secret: '', certificate };
      return toRunningSimulator(simulator, record);
    },
  },
  honor: {
    phone: 'Honor',
    colour: '#0b6f78',
    ports: servicePorts,
    start: async (options) => {
      const simulator = await startHonorSimulator(toServiceOptions(options));
      const { appId, clientId, clientSecret } = simulator.app;
      const record = { name: 'Honor', app_id: appId, app_key: clientId, app_secret: clientSecret, certificate: '' };
      return toRunningSimulator(simulator, record);
    },
  },
  xiaomi: {
    phone: 'Xiaomi',
    colour: '#b04a06',
    ports: singleAddressPorts,
    start: async (options) => {
      const simulator = await startXiaomiSimulator(toServiceOptions(options));
      const { appId, appKey, appSecret, packageNames } = simulator.app;
      const certificate = JSON.stringify({ package_names: packageNames.slice(0, 1), channel_id: '100123' });
      const record = { name: 'Xiaomi', app_id: appId, app_key: appKey, app_secret: appSecret, certificate };
      return toRunningSimulator(simulator, record);
    },
  },
  oppo: {
    phone: 'OPPO',
    colour: '#14804a',
    ports: singleAddressPorts,
    start: async (options) => {
      const simulator = await startOppoSimulator(toServiceOptions(options));
      const { appId, appKey, masterSecret } = simulator.app;
      const record = { name: 'OPPO', app_id: appId, app_key: appKey, app_secret: masterSecret, certificate: '' };
      return toRunningSimulator(simulator, record);
    },
  },
  vivo: {
    phone: 'vivo',
    colour: '#3f57d8',
    ports: singleAddressPorts,
    start: async (options) => {
      const simulator = await startVivoSimulator(toServiceOptions(options));
      const { appId, appKey, appSecret } = simulator.app;
      const record = { name: 'vivo', app_id: appId, app_key: appKey, app_secret: appSecret, certificate: '' };
      return toRunningSimulator(simulator, record);
    },
  },
  flyme: {
    phone: 'Meizu',
    colour: '#7a4fb5',
    ports: singleAddressPorts,
    start: async (options) => {
      const simulator = await startFlymeSimulator(toServiceOptions(options));
      const { appId, appKey, appSecret } = simulator.app;
      const record = { name: 'Meizu', app_id: appId, app_key: appKey, app_secret: appSecret, certificate: '' };
      return toRunningSimulator(simulator, record);
    },
  },
};

/** Names of the flags that choose the ports of the simulators. */
export const portFlags: readonly string[] = Object.entries(vendors).flatMap(([vendor, { ports }]) =>
  ports.map((port) => `${vendor}-${port}-port`),
);

function toServiceOptions({ identity, slowMs, ports: { send = 0, token = 0, control = 0 } }: StartOptions) {
  return { identity, slowMs, sendPort: send, tokenPort: token, controlPort: control };
}

type ServiceHandle = Pick<Service<unknown>, 'sendUrl' | 'tokenUrl' | 'controlUrl' | 'screen' | 'stop'>;

function toRunningSimulator(
  { sendUrl, tokenUrl, controlUrl, screen, stop }: ServiceHandle,
  certificate: Certificate,
): RunningSimulator {
  const tokens = tokenUrl === sendUrl ? {} : { token_url: tokenUrl };
  return { urls: { send_url: sendUrl, ...tokens, control_url: controlUrl }, certificate, screen, stop };
}
