import assert from 'node:assert/strict';
import { eventually } from '../test/support/eventually.ts';
import type { SendCommand } from './bare-vendors.ts';
import { cpuSecondsOf, postgresCpuSeconds } from './cpu-seconds.ts';
import type { Bench, Result } from './result.ts';
import { type BareSender, startBareSender } from './vendors/bare-sender-process.ts';
import { startVendorService, type VendorService } from './vendors/service.ts';

const DEVICES = 20_000;
/** One request to Huawei contains many vendor tokens, so a run of the same length needs more devices. */
const HUAWEI_TIMES = 4;
/** The first pass is not measured, because it includes Node's compilation. */
const PASSES = 4;
const RATIO_GOAL = 0.7;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };

type MeasuredVendor = SendCommand['vendor'];

/**
 * Measures a notification to a tag whose devices are all reached through one vendor. The time runs from the call until
 * the vendor has received the last notification. The results are notifications per second, and per CPU second of the
 * only worker. The baseline sends the same requests with the same client library in a loop, to the same simulator.
 */
export const vendors: Bench = async ({ size = DEVICES, say }) => {
  await using resources = new AsyncDisposableStack();
  const fleet = { apns: size, fcm: size, huawei: size * HUAWEI_TIMES } as const;
  const service = await startVendorService(resources, say, fleet);
  await service.carillon.start('worker');
  const bareSender = resources.use(await startBareSender(service.simulators.settings));
  const results: Result[] = [];
  let first = 1;
  for (const vendor of ['apns', 'fcm', 'huawei'] as const) {
    const count = fleet[vendor];
    const last = first + count - 1;
    const passes: { ours: Pass; bare: Pass }[] = [];
    for (let i = 0; i < PASSES; i++) {
      const run = () => sendOurs(service, vendor, count);
      const countsOf = () => ({ push: 1, device: count });
      const ours = await (i === PASSES - 1 ? service.meter.measure(vendor, countsOf, run) : run());
      const bare = await sendBare(service, bareSender, vendor, first, last);
      passes.push({ ours, bare });
      say(`${vendor}: ours ${describePass(ours)}; bare ${describePass(bare)}`);
    }
    results.push(...compare(vendor, passes.slice(1)));
    first = last + 1;
  }
  assert.deepEqual(service.carillon.warningLines, []);
  return { results, work: service.meter.measured };
};

/**
 * Notifications per second, per CPU second of the sending process, and per CPU second of all Carillon processes and
 * PostgreSQL.
 */
interface Pass {
  readonly perSecond: number;
  readonly perCpu: number;
  readonly perCpuOfAll: number;
}

const describePass = ({ perSecond, perCpu, perCpuOfAll }: Pass): string =>
  `${Math.round(perSecond)}/s, ${Math.round(perCpu)} (all processes: ${Math.round(perCpuOfAll)}) per CPU second`;

async function sendOurs(service: VendorService, vendor: MeasuredVendor, count: number): Promise<Pass> {
  const { carillon, caller, meter, simulators } = service;
  await simulators.clearArrivals(vendor);
  const cpuBefore = await ourCpuSeconds(service);
  const beganAt = Date.now();
  const { task_id: taskId } = await caller.post<{ task_id: number }>('/push/notify', {
    audience: { tag: [vendor] },
    message: MESSAGE,
    setting: { distribution_strategy: 'ospush_only' },
  });
  const endedAt = await simulators.allArrivedAt(vendor, count);
  // Waits until all results are recorded, because the measured CPU time includes the recording.
  await eventually(async () => assert.equal(await countSent(meter, taskId), count));
  const cpuAfter = await ourCpuSeconds(service);
  assert.equal((await simulators.arrived(vendor, 1)).total, count, 'each phone receives the notification once');
  assert.equal(carillon.workers.length, 1);
  return {
    perSecond: (count * 1_000) / (endedAt - beganAt),
    perCpu: count / (cpuAfter.worker - cpuBefore.worker),
    perCpuOfAll: count / (cpuAfter.all - cpuBefore.all),
  };
}

async function countSent({ storage }: VendorService['meter'], taskId: number): Promise<number> {
  const rows = await Promise.all(
    storage.shards.all.map((db) =>
      db.query<{ sent: number }>(
        'select coalesce(sum(bit_count(sent)), 0)::float8 as sent from slices where task_id = $1',
        [taskId],
      ),
    ),
  );
  return rows.flat().reduce((sum, { sent }) => sum + sent, 0);
}

/** Returns the CPU seconds of the worker, and of the API, the worker and PostgreSQL together. */
async function ourCpuSeconds({ carillon, meter }: VendorService): Promise<{ worker: number; all: number }> {
  const [worker = 0, api = 0] = await Promise.all(
    [...carillon.workers, ...carillon.apis].map(({ pid }) => cpuSecondsOf(pid)),
  );
  return { worker, all: worker + api + (await postgresCpuSeconds(meter.storage)) };
}

async function sendBare(
  { carillon, simulators }: VendorService,
  sender: BareSender,
  vendor: MeasuredVendor,
  first: number,
  last: number,
): Promise<Pass> {
  await simulators.clearArrivals(vendor);
  const { certificate, production_url, send_url, token_url } = simulators.facts[vendor];
  const count = last - first + 1;
  const cpuBefore = await cpuSecondsOf(sender.pid);
  const beganAt = Date.now();
  await sender.send({
    vendor,
    account: {
      ...{ appId: carillon.appId, environment: 1, version: 1, vendorAppId: certificate.app_id },
      ...{ appKey: certificate.app_key, appSecret: certificate.app_secret, certificate: certificate.certificate },
    },
    sendUrl: production_url ?? (send_url as string),
    tokenUrl: token_url ?? '',
    message: { type: 'text', badge: '+1', ...MESSAGE },
    ...{ first, last },
  });
  const endedAt = await simulators.allArrivedAt(vendor, count);
  const perCpu = count / ((await cpuSecondsOf(sender.pid)) - cpuBefore);
  return { perSecond: (count * 1_000) / (endedAt - beganAt), perCpu, perCpuOfAll: perCpu };
}

function compare(vendor: MeasuredVendor, passes: readonly { ours: Pass; bare: Pass }[]): Result[] {
  const figures = [
    ['', 'perSecond', 'notifications/s'],
    [' per CPU second', 'perCpu', 'notifications/CPU s'],
  ] as const;
  return figures.map(([suffix, figure, unit]) => {
    const [ours, bare] = [
      median(passes.map((pass) => pass.ours[figure])),
      median(passes.map((pass) => pass.bare[figure])),
    ];
    const reached = ours / bare >= RATIO_GOAL;
    const all = median(passes.map((pass) => pass.ours.perCpuOfAll));
    const extras = figure === 'perCpu' ? { extras: { 'with the API and PostgreSQL': all } } : {};
    return { name: `${vendor}${suffix}`, ours, bare, unit, goal: `ratio ≥ ${RATIO_GOAL}`, reached, ...extras };
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
