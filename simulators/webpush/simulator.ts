import { createECDH, createHash } from 'node:crypto';
import { Arrivals } from '../kit/arrivals.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type Arrival, viewOf } from './arrival.ts';
import { webPushFaults } from './faults.ts';
import { serveSend } from './send-endpoint.ts';

export type WebPushSimulator = Service<Arrival>;

/** VAPID keys of the demo app. Push services need no registration, so every other key pair is accepted too. */
export const demoKeys = (() => {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(createHash('sha256').update('the VAPID key of the demo app').digest());
  return { publicKey: keys.getPublicKey('base64url'), privateKey: keys.getPrivateKey('base64url') };
})();

/** Starts a simulator of all push services of Web Push: one server for their endpoints, and a control API. */
export async function startWebPushSimulator(options: ServiceOptions = {}): Promise<WebPushSimulator> {
  const context = {
    arrivals: new Arrivals<Arrival>(options.arrivedMax),
    tally: new Tally(),
    slowMs: options.slowMs ?? SLOW_MS,
  };
  return startService({
    ...context,
    title: 'Web Push',
    viewOf,
    options,
    faults: webPushFaults,
    serve: { send: (request) => serveSend(request, context) },
    routes: {},
  });
}
