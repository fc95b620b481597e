import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { natsPermissions, natsUsers } from '#src/signals/permissions.ts';
import { findNats } from './programs.ts';
import type { Server } from './server.ts';
import { createServerDirectory, writeServerFile } from './server-files.ts';
import type { NatsNode, StackState } from './state.ts';

const INFO_SECONDS_MAX = 2;

/**
 * Maximum time for the nodes to form a cluster. Nodes that fail to connect to each other at startup retry after a
 * second.
 */
const MESH_SECONDS_MAX = 30;

const MESH_POLL_MILLISECONDS = 50;

export function natsServers(directory: string, state: StackState): Server[] {
  return state.nats.map((node, index) => {
    const part = partName(index);
    const args = ['-c', join(directory, part, 'nats.conf')];
    return {
      part,
      directory: join(directory, part),
      logFile: join(directory, `${part}.log`),
      program: findNats,
      args,
      prepare: async () => {},
      mark: { args },
      endSignal: 'SIGTERM',
      check: async () => {
        const { server_name } = await readInfo(node);
        if (server_name !== serverName(state, part)) throw new Error(`${server_name} responds on the port of ${part}.`);
      },
    };
  });
}

export function natsUrl(node: NatsNode): string {
  return `nats://127.0.0.1:${node.clientPort}`;
}

/** Writes the configuration of every node. Called again when the ports change. NATS accepts JSON as configuration. */
export async function configureNats(directory: string, state: StackState, tls?: object): Promise<void> {
  const cluster = (node: NatsNode) => ({
    name: state.name,
    listen: `127.0.0.1:${node.clusterPort}`,
    routes: state.nats.map((other) => `nats://127.0.0.1:${other.clusterPort}`),
  });
  for (const [index, node] of state.nats.entries()) {
    const part = partName(index);
    const own = {
      server_name: serverName(state, part),
      listen: `127.0.0.1:${node.clientPort}`,
      authorization: { users: users() },
      // Tests and benchmarks connect without credentials.
      no_auth_user: 'all',
      ...(tls && { tls }),
    };
    const settings = state.nats.length === 1 ? own : { ...own, cluster: cluster(node) };
    if (!existsSync(join(directory, part))) await createServerDirectory(join(directory, part));
    await writeServerFile(join(directory, part, 'nats.conf'), JSON.stringify(settings, null, 2));
  }
}

/** The password of all users. The servers of a stack can be reached only from this machine. */
export const NATS_PASSWORD = 'stack';

/** The users of Carillon's processes, for any subject prefix, and one without restrictions. */
function users(): object[] {
  const permissions = natsPermissions('*');
  const password = NATS_PASSWORD;
  return [...natsUsers.map((user) => ({ user, password, permissions: permissions[user] })), { user: 'all', password }];
}

/** Waits until the running nodes are connected to each other, because a node without routes loses messages. */
export async function waitForMesh(running: readonly Server[], state: StackState): Promise<void> {
  const nodes = state.nats.filter((_, index) => running.some((server) => server.part === partName(index)));
  if (nodes.length < 2) return;
  const deadline = Date.now() + MESH_SECONDS_MAX * 1000;
  while (true) {
    const infos = await Promise.all(nodes.map(readInfo));
    if (infos.every((info) => (info.connect_urls ?? []).length >= nodes.length)) return;
    if (Date.now() > deadline) throw new Error(`The NATS nodes did not form a cluster within ${MESH_SECONDS_MAX} s.`);
    await sleep(MESH_POLL_MILLISECONDS);
  }
}

type Info = { server_name: string; connect_urls?: string[] };

/** Reads the INFO line, which contains JSON and is the first line that NATS sends on every connection. */
async function readInfo(node: NatsNode): Promise<Info> {
  const socket = connect({ host: '127.0.0.1', port: node.clientPort });
  socket.setTimeout(INFO_SECONDS_MAX * 1000, () =>
    socket.destroy(new Error('NATS did not send its INFO line within 2 s.')),
  );
  try {
    let greeting = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      greeting += chunk;
      if (!greeting.includes('\r\n')) continue;
      return JSON.parse(greeting.slice('INFO '.length, greeting.indexOf('\r\n'))) as Info;
    }
    throw new Error('NATS closed the connection before sending its INFO line.');
  } finally {
    socket.destroy();
  }
}

function partName(index: number): string {
  return `nats-${index + 1}`;
}

function serverName(state: StackState, part: string): string {
  return `${state.name}-${part}`;
}
