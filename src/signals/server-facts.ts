import { connect } from '@nats-io/transport-node';
import { credentialsOf, type MotionSettings } from './signals.ts';

/** What an operator must know of a NATS server. */
export interface NatsFacts {
  readonly version: string;
  readonly serverId: string;
  /** The name of its cluster; undefined if it stands alone. */
  readonly cluster: string | undefined;
  /** Servers of the cluster that it knows of, itself included. */
  readonly servers: number;
  /** How long a message of ours took to come back. */
  readonly roundMs: number;
}

const CONNECT_MS_MAX = 3_000;
const ROUND_MS_MAX = 2_000;

/** Connects to one server, without trying again, and sends a message round under our prefix. */
export async function examineNats(url: string, settings: MotionSettings): Promise<NatsFacts> {
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
      connect_urls: known = [],
    } = connection.info ?? {
      version: '',
      server_id: '',
    };
    const subject = `${settings.CARILLON_NATS_PREFIX}.doctor.${crypto.randomUUID()}`;
    const come = connection.subscribe(subject, { max: 1, timeout: ROUND_MS_MAX });
    const begun = performance.now();
    connection.publish(subject);
    for await (const _message of come) break;
    const roundMs = performance.now() - begun;
    return { version, serverId, cluster, servers: Math.max(1, known.length), roundMs };
  } finally {
    await connection.close();
  }
}
