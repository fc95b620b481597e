import { connect } from '@nats-io/transport-node';
import { credentialsOf, type SignalsSettings } from './signals.ts';

/** What an operator must know of a NATS server. */
export interface NatsFacts {
  readonly version: string;
  readonly serverId: string;
  /** The name of its cluster; undefined if it stands alone. */
  readonly cluster: string | undefined;
  /** Servers of the cluster that it knows of, itself included. */
  readonly serverCount: number;
  /** How long a message of ours took to come back. */
  readonly roundTripMs: number;
}

const CONNECT_MS_MAX = 3_000;
const ROUND_TRIP_MS_MAX = 2_000;

/** Connects to one server, without trying again, and sends a message round under our prefix. */
export async function readNatsFacts(url: string, settings: SignalsSettings): Promise<NatsFacts> {
  const connection = await connect({
    servers: [url],
    ...credentialsOf(settings),
    name: 'carillon-doctor',
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: CONNECT_MS_MAX,
  });
  try {
    const {
      version,
      cluster,
      server_id: serverId,
      connect_urls: connectUrls = [],
    } = connection.info ?? {
      version: '',
      server_id: '',
    };
    const subject = `${settings.CARILLON_NATS_PREFIX}.doctor.${crypto.randomUUID()}`;
    const subscription = connection.subscribe(subject, { max: 1, timeout: ROUND_TRIP_MS_MAX });
    const startedMs = performance.now();
    connection.publish(subject);
    for await (const _message of subscription) break;
    const roundTripMs = performance.now() - startedMs;
    return { version, serverId, cluster, serverCount: Math.max(1, connectUrls.length), roundTripMs };
  } finally {
    await connection.close();
  }
}
