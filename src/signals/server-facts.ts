import { connect } from '@nats-io/transport-node';
import { credentialsOf, type SignalsSettings, tlsOf } from './signals.ts';
import { subjects } from './subjects.ts';

/** The properties of a NATS server that matter to an operator. */
export interface NatsFacts {
  readonly version: string;
  readonly serverId: string;
  /** The name of the server's cluster, or undefined for a single server. */
  readonly cluster: string | undefined;
  /** Number of servers in the cluster, as reported by this server and including it. */
  readonly serverCount: number;
  /** Round-trip time of a message. */
  readonly roundTripMs: number;
}

const CONNECT_MS_MAX = 3_000;
const ROUND_TRIP_MS_MAX = 2_000;

/** Connects to one server, without retries, and sends a message to itself under the configured prefix. */
export async function readNatsFacts(url: string, settings: SignalsSettings): Promise<NatsFacts> {
  const connection = await connect({
    servers: [url],
    ...credentialsOf(settings),
    ...tlsOf(settings),
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
    const subject = `${settings.CARILLON_NATS_PREFIX}.${subjects.doctor(crypto.randomUUID())}`;
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
