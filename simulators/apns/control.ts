import type { Arrivals } from '../kit/arrivals.ts';
import { commonRoutes } from '../kit/common-routes.ts';
import type { Routes } from '../kit/control.ts';
import type { Counts } from '../kit/counts.ts';
import type { Faults } from '../kit/faults.ts';
import { BadControlRequest } from '../kit/parse-input.ts';
import type { Tally } from '../kit/tally.ts';
import { type Arrival, viewOf } from './arrival.ts';
import type { ClientAuthority } from './client-authority.ts';
import { parseDevice, parseEnvironment, parseKey, parseP12Options } from './control-input.ts';
import type { Devices } from './devices.ts';
import type { FaultKind } from './faults.ts';
import type { ProviderKey } from './provider-token-authenticator.ts';
import type { Environment } from './responses.ts';

export type ApnsState = {
  readonly keys: Map<string, ProviderKey>;
  readonly authority: ClientAuthority;
  /** Topic of the demo key. */
  readonly topic: string;
  readonly devices: Devices;
  readonly faults: Faults<FaultKind>;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly counts: Counts<Environment>;
};

/** Displayed as the title of the control API page. */
export const TITLE = 'APNs';
const KEYS_MAX = 1000;

/** Returns the routes of the control API: those that all simulators share, and those that only APNs has. */
export function apnsRoutes(state: ApnsState): Routes {
  const { keys, authority, topic, devices } = state;
  return {
    ...commonRoutes({
      ...state,
      title: TITLE,
      viewOf,
      endpointOfFault: (_kind, { environment }) =>
        environment === undefined ? undefined : parseEnvironment(environment),
    }),
    'POST /keys': ({ body }) => {
      const key = parseKey(body);
      if (keys.size >= KEYS_MAX && !keys.has(key.keyId))
        throw new BadControlRequest(`the simulator has reached its limit of ${KEYS_MAX} keys`);
      keys.set(key.keyId, key);
      return { status: 204 };
    },
    'GET /p12': ({ query }) => {
      const identity = authority.issue(parseP12Options(query, topic), Date.now());
      const { p12Base64, passphrase, expiresAtMs } = identity;
      return { status: 200, json: { p12: p12Base64, passphrase, topic: identity.topic, expires_at: expiresAtMs } };
    },
    'POST /devices': ({ body }) => {
      devices.register(parseDevice(body));
      return { status: 204 };
    },
  };
}
