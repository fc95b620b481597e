import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { Batch } from '#src/foundation/batch.ts';
import { createLog } from '#src/foundation/log.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { type AcceptedTask, acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';

// The baseline of the accept bench, in a separate process: the framework and the batched insert, without any validation
// of the call. `/echo` also omits the insert, to measure HTTP alone. Prints its port.

interface Body {
  readonly audience: { readonly push_token: string[] };
  readonly message: object;
  readonly setting: { readonly request_id: string };
}

const storage = await openStorage({
  settings: {
    CARILLON_DATABASE_URL: process.env.CARILLON_DATABASE_URL as string,
    CARILLON_SHARD_DATABASES: process.env.CARILLON_SHARD_DATABASES as string,
    CARILLON_DATABASE_QUERY_SECONDS_MAX: 10,
  },
  connections: 8,
  log: createLog({ level: 'error', fields: { role: 'bare' } }),
});
const batch = new Batch<NewTask, AcceptedTask | Error>({
  sizeMax: 200,
  queueMax: 5_000,
  run: (tasks) => acceptTasks(storage.home, tasks),
});

const server = Fastify();
server.post<{ Body: Body }>('/push/notify', async ({ body }) => {
  const accepted = await batch.add({
    appId: 'bells',
    author: 'admin',
    requestId: body.setting.request_id,
    token: { kind: 'admin', tokenId: 1n, parent: null },
    bodyHash: createHash('sha256').update(JSON.stringify(body)).digest(),
    lane: 'prompt',
    bucket: 0,
    byRange: false,
    strategy: 'combined',
    ospushSequence: ['ups', 'fcm'],
    audience: { kind: 'push_token', pushTokens: body.audience.push_token },
    groupId: null,
    messageText: JSON.stringify(body.message),
    dueAt: null,
    notAfter: null,
  });
  if (accepted instanceof Error) throw accepted;
  return { code: 200, data: { task_id: Number(accepted.taskId) }, message: null };
});
server.post('/echo', async ({ body }) => ({ code: 200, data: body, message: null }));
await server.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`);
