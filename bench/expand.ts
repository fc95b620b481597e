import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type VendorName, vendorNames } from '#src/domain/channel.ts';
import { NATIVE_TARGET_DAYS } from '#src/domain/device.ts';
import { saveCertificate } from '#src/storage/accounts/certificates.ts';
import { LIVE_SESSION_JOIN } from '#src/storage/devices/presence.ts';
import type { RoleProcess } from '../scripts/dev/role-process.ts';
import type { Carillon } from '../test/support/carillon.ts';
import type { ApiClient } from './caller.ts';
import { fillDevices, type Traits } from './fill-devices.ts';
import { LOOP_MONITOR, type LoopDelay, readLoopDelay } from './loop-delay.ts';
import { createManyPartitions } from './partitions.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const DEVICES = 1_000_000;
/** The first pass is not measured, because it includes Node's compilation and PostgreSQL's first reads. */
const PASSES = 4;
const GATEWAYS = ['g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7', 'g8'] as const;
const DEVICES_PER_FETCH = 5_000;
const POLL_MS = 10;
const EXPAND_SECONDS_MAX = 300;
const RATIO_GOAL = 0.4;
const LOOP_MS_GOAL = 50;
const RSS_MB_GOAL = 300;

/**
 * Measures how many devices per second one worker expands into slices. The time runs from the acceptance of a
 * notification to all devices until the last slice is recorded. The baseline reads the same rows with the driver alone,
 * without routing or writing.
 */
export const expand: Bench = async ({ size = DEVICES, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, caller, meter } = await startService(resources, say);
  await createManyPartitions(carillon.storage);
  await saveAllCertificates(carillon);
  await fillDevices(carillon, { size, say, traitsOf, gateways: GATEWAYS });
  await deferSlices(carillon);
  const worker = await carillon.start('worker', { NODE_OPTIONS: LOOP_MONITOR });

  const passes: ({ ours: number; bare: number } & LoopDelay)[] = [];
  for (let i = 0; i < PASSES; i++) {
    await readLoopDelay(carillon, worker);
    const ours = size / (await expandAll(carillon, caller, size));
    const delay = await readLoopDelay(carillon, worker);
    const bare = size / (await readBare(carillon, size));
    passes.push({ ours, bare, ...delay });
    say(`ours ${Math.round(ours)}, bare ${Math.round(bare)} devices/s, loop ${Math.round(delay.maxMs)} ms`);
  }
  await meter.measure(
    'all',
    () => ({ push: 1, device: size }),
    () => expandAll(meter, caller, size),
  );
  assert.deepEqual(carillon.warningLines, []);
  const measured = passes.slice(1);
  const ours = median(measured.map((pass) => pass.ours));
  const bare = median(measured.map((pass) => pass.bare));
  const loopMs = Math.max(...measured.map(({ maxMs }) => maxMs));
  const ownMs = Math.max(...measured.map((pass) => pass.ownMs));
  const rssMb = await rssMbMax(worker);
  const reached = ours / bare >= RATIO_GOAL && loopMs < LOOP_MS_GOAL && rssMb < RSS_MB_GOAL;
  const goal = `ratio ≥ ${RATIO_GOAL}, loop < ${LOOP_MS_GOAL} ms, RSS < ${RSS_MB_GOAL} MB`;
  const extras = { 'loop ms': loopMs, 'loop CPU ms': ownMs, 'RSS MB': rssMb };
  return {
    results: [{ name: 'all', ours, bare, unit: 'devices/s', goal, reached, extras }],
    work: meter.measured,
  };
};

/**
 * Device models and their shares, in twentieths. A phone without vendor push is reached over the Carillon channel only.
 */
const modelShares: readonly (readonly [
  twentieths: number,
  vendors: readonly VendorName[],
  latestDomestic: VendorName | null,
])[] = [
  [6, ['apns'], null],
  [4, ['fcm'], null],
  [2, ['xiaomi', 'fcm'], 'xiaomi'],
  [2, ['huawei'], 'huawei'],
  [2, ['oppo', 'fcm'], 'oppo'],
  [1, ['vivo'], 'vivo'],
  [1, ['honor'], 'honor'],
  [2, [], null],
];
const deviceModels = modelShares.flatMap(([twentieths, ...model]) => Array<typeof model>(twentieths).fill(model));

/**
 * One device in three is connected, and one in fifteen has generation 2. Some devices that are not connected were last
 * seen more than `NATIVE_TARGET_DAYS` days ago.
 */
function traitsOf(n: number): Traits {
  const [boundVendors, latestDomestic] = deviceModels[(n * 7) % deviceModels.length] as (typeof deviceModels)[number];
  const isOnline = n % 3 === 0;
  return {
    vendors: boundVendors,
    latestDomestic,
    generation: n % 15 === 4 ? 2 : 1,
    seenDaysAgo: isOnline ? 0 : n % 47,
    gateway: isOnline ? (GATEWAYS[(n / 3) % GATEWAYS.length] as string) : null,
  };
}

/** Saves placeholder credentials. No vendor is called with them. */
async function saveAllCertificates({ storage, appId }: Carillon): Promise<void> {
  for (const channel of vendorNames)
    await saveCertificate(storage.home, {
      ...{ appId, channel, environment: 1, name: channel, vendorAppId: 'app', appKey: 'key', expiresAt: null },
      ...{ perSecond: null, appSecret: Buffer.alloc(1), certificate: Buffer.alloc(1) },
    });
}

/**
 * Delays every new slice until tomorrow. Otherwise the worker would start sending while it still expands, and the
 * result would include both.
 */
async function deferSlices({ storage }: Carillon): Promise<void> {
  for (const db of storage.shards.all) {
    await db.query(
      `create function hold_slice() returns trigger language plpgsql as
       $$ begin new.next_at := now() + interval '1 day'; return new; end $$`,
    );
    await db.query('create trigger hold before insert on slices for each row execute function hold_slice()');
  }
}

/** Returns the seconds until all expansions are recorded. */
async function expandAll({ storage }: Pick<Carillon, 'storage'>, caller: ApiClient, size: number): Promise<number> {
  const began = performance.now();
  const body = { audience: 'all', message: { body: 'to everyone' } };
  const { task_id: taskId } = await caller.post<{ task_id: number }>('/push/notify', body);
  for (;;) {
    const counts = await Promise.all(
      storage.shards.all.map((db) =>
        db.query<{ all: bigint; open: bigint }>(
          `select count(*) as all, count(*) filter (where state <> 'done') as open from expansions where task_id = $1`,
          [taskId],
        ),
      ),
    );
    const seconds = (performance.now() - began) / 1_000;
    // Every database has at least one expansion, and they are planned together.
    if (counts.flat().every(({ all, open }) => all > 0n && open === 0n)) {
      await assertAllExpanded(storage, taskId, size);
      return seconds;
    }
    if (seconds > EXPAND_SECONDS_MAX) throw new Error(`The task was not expanded within ${EXPAND_SECONDS_MAX} s.`);
    await sleep(POLL_MS);
  }
}

async function assertAllExpanded({ shards }: Carillon['storage'], taskId: number, size: number): Promise<void> {
  const sums = await Promise.all(
    shards.all.map((db) =>
      db.query<{ places: bigint }>(
        `select coalesce(sum(n), 0)::bigint as places from slices
          where task_id = $1`,
        [taskId],
      ),
    ),
  );
  assert.equal(
    sums.flat().reduce((sum, { places }) => sum + places, 0n),
    BigInt(size),
  );
}

/** Returns the seconds taken to read the rows that routing needs, database by database. */
async function readBare({ shardUrls, appId }: Carillon, size: number): Promise<number> {
  const clients = shardUrls.map((url) => new Client({ connectionString: url }));
  await using open = new AsyncDisposableStack();
  for (const client of clients) {
    await client.connect();
    open.defer(() => client.end());
  }
  const began = performance.now();
  let rows = 0;
  for (const client of clients) {
    await client.query('begin');
    await client.query(
      `declare bare no scroll cursor for
       select d.device_id, d.generation, d.reach, d.latest_domestic, d.seen_on > current_date - ${NATIVE_TARGET_DAYS},
              s.gateway
         from devices d ${LIVE_SESSION_JOIN}
        where d.app_id = $1 and d.registered_at <= now() and d.user_id is not null`,
      [appId],
    );
    for (let fetched = DEVICES_PER_FETCH; fetched === DEVICES_PER_FETCH; rows += fetched)
      fetched = (await client.query(`fetch ${DEVICES_PER_FETCH} from bare`)).rows.length;
    await client.query('commit');
  }
  assert.equal(rows, size);
  return (performance.now() - began) / 1_000;
}

/** Returns the peak resident memory of a process. */
async function rssMbMax({ pid }: RoleProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
