import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../test/support/eventually.ts';
import { ApiClient } from './caller.ts';
import { deviceOf } from './fill-devices.ts';
import { type Percentiles, percentilesOf, runAtRate } from './latency.ts';
import type { Bench, Result } from './result.ts';
import { startVendorService, type VendorService } from './vendors/service.ts';
import type { BenchVendor } from './vendors/simulators.ts';

const VENDORS = ['apns', 'fcm', 'huawei', 'honor'] as const satisfies readonly BenchVendor[];
const FAILING_VENDOR = 'fcm';
const FAULTS = ['outage', 'stall', 'goaway'] as const;
const CALLS_PER_SECOND = 40;
const SECONDS = 20;
const WARM_UP_SECONDS = 5;
/**
 * Additional seconds for a vendor that does not respond. Its circuit breaker opens only when the first calls have
 * waited for the whole deadline.
 */
const STALL_SECONDS = 10;
/** Length of the counting period at the end of a fault, when the circuit breaker has been open for a while. */
const COUNT_SECONDS = 10;
const RECOVER_SECONDS_MAX = 120;
const P99_RATIO_GOAL = 1.5;
const CALLS_RATIO_GOAL = 0.01;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };

/**
 * Measures how a fault at one vendor affects the other vendors. Single notifications are sent to four vendors at a
 * steady rate and timed from the call until the vendor has received them. The baseline is the same load just before the
 * fault. Also counts the calls to the failing vendor once its circuit breaker is open. At the end, all notifications
 * must have been received.
 */
export const outage: Bench = async ({ size = SECONDS, say }) => {
  await using resources = new AsyncDisposableStack();
  const seconds = WARM_UP_SECONDS + FAULTS.length * 2 * size + STALL_SECONDS;
  const devicesPerVendor = (seconds * CALLS_PER_SECOND) / VENDORS.length;
  const fleet = Object.fromEntries(VENDORS.map((vendor) => [vendor, devicesPerVendor])) as Record<BenchVendor, number>;
  const service = await startVendorService(resources, say, fleet);
  await service.carillon.start('worker');
  const load = new Load(service, resources.use(new ApiClient(service.carillon, 64)), devicesPerVendor);
  await load.run(WARM_UP_SECONDS);

  const results: Result[] = [];
  for (const [i, faultKind] of FAULTS.entries()) {
    const runQuiet = () => load.run(size);
    const countsOf = () => ({ push: CALLS_PER_SECOND * size });
    const quiet = await (i === 0 ? service.meter.measure('without a fault', countsOf, runQuiet) : runQuiet());
    const durationSeconds = size + (faultKind === 'stall' ? STALL_SECONDS : 0);
    const fault = { kind: faultKind, duration_ms: 3_600_000 };
    await service.simulators.control(FAILING_VENDOR, 'POST', '/faults', fault);
    const during = await load.run(durationSeconds);
    await service.simulators.control(FAILING_VENDOR, 'DELETE', '/faults');
    const recoveredIn = await load.recover();
    say(
      `quiet: ${describePhase(quiet)}; ${faultKind}: ${describePhase(during)}; all received ${recoveredIn.toFixed(1)} s after the fault`,
    );
    results.push(...compare(faultKind, quiet, during, recoveredIn));
  }
  return { results, work: service.meter.measured };
};

interface Phase {
  /** Latency of the vendors without a fault. */
  readonly others: Percentiles;
  /** Calls to the failing vendor at the end of the phase. */
  readonly calls: number;
}

const describePhase = ({ others: { p50, p99 }, calls }: Phase): string =>
  `others p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${calls} calls to ${FAILING_VENDOR} in ${COUNT_SECONDS} s`;

interface Call {
  readonly vendor: BenchVendor;
  readonly token: string;
  readonly beganAt: number;
}

/** Sends single notifications to the vendors in turn, and to each device once. */
class Load {
  readonly #service: VendorService;
  readonly #caller: ApiClient;
  /** Number of devices of each vendor. The devices of a vendor have consecutive numbers. */
  readonly #devicesPerVendor: number;
  readonly #calls: Call[] = [];

  constructor(service: VendorService, caller: ApiClient, each: number) {
    this.#service = service;
    this.#caller = caller;
    this.#devicesPerVendor = each;
  }

  async run(seconds: number): Promise<Phase> {
    const before = this.#calls.length;
    const counted = this.#countAtTheEndOf(seconds);
    await runAtRate(CALLS_PER_SECOND, seconds, () => this.#call());
    const calls = await counted;
    const others = this.#calls.slice(before).filter(({ vendor }) => vendor !== FAILING_VENDOR);
    return { others: percentilesOf(await this.#latencies(others, STALL_SECONDS * 2)), calls };
  }

  /** Returns the seconds until all notifications are received. */
  async recover(): Promise<number> {
    const began = performance.now();
    await this.#latencies(this.#calls, RECOVER_SECONDS_MAX);
    return (performance.now() - began) / 1_000;
  }

  async #call(): Promise<void> {
    const n = this.#calls.length;
    const vendorIndex = n % VENDORS.length;
    const device = vendorIndex * this.#devicesPerVendor + Math.floor(n / VENDORS.length) + 1;
    const { guid, pushToken } = deviceOf(this.#service.carillon.appId, device, NO_TRAITS);
    this.#calls.push({ vendor: VENDORS[vendorIndex] as BenchVendor, token: `live-${guid}`, beganAt: Date.now() });
    await this.#caller.post('/push/notify', {
      audience: { push_token: [pushToken] },
      message: MESSAGE,
      setting: { distribution_strategy: 'ospush_only' },
    });
  }

  async #latencies(calls: readonly Call[], secondsMax: number): Promise<number[]> {
    return eventually(async () => {
      const arrivals = await Promise.all(
        VENDORS.map(
          async (vendor) => (await this.#service.simulators.arrived(vendor, this.#devicesPerVendor * 2)).arrived,
        ),
      );
      // A notification can be received twice if the first response was lost. The first time counts.
      const instants = new Map(
        arrivals.flatMap((vendorArrivals) => vendorArrivals.toReversed().map(({ token, at }) => [token, at])),
      );
      const missing = calls.filter(({ token }) => !instants.has(token));
      assert.equal(
        missing.length,
        0,
        `${missing.length} notifications were not received, the first of them by ${missing[0]?.vendor}`,
      );
      return calls.map(({ token, beganAt }) => (instants.get(token) as number) - beganAt);
    }, secondsMax);
  }

  async #countAtTheEndOf(seconds: number): Promise<number> {
    await sleep(Math.max(seconds - COUNT_SECONDS, 0) * 1_000);
    const before = await this.#count();
    await sleep(Math.min(seconds, COUNT_SECONDS) * 1_000);
    return (await this.#count()) - before;
  }

  async #count(): Promise<number> {
    type Counts = { readonly send: { readonly requests: Readonly<Record<string, number>> } };
    const { send } = await this.#service.simulators.control<Counts>(FAILING_VENDOR, 'GET', '/counts');
    return Object.values(send.requests).reduce((sum, count) => sum + count, 0);
  }
}

/** Placeholder traits. The identifiers of a device depend only on its number. */
const NO_TRAITS = { vendors: [], latestDomestic: null, generation: 1, seenDaysAgo: 0, gateway: null } as const;

function compare(faultKind: string, quiet: Phase, during: Phase, recoveredIn: number): Result[] {
  const [ours, bare] = [during.others.p99, quiet.others.p99];
  const extras = { p50: during.others.p50, 'quiet p50': quiet.others.p50, 'recovered s': recoveredIn };
  return [
    {
      ...{ name: `${faultKind}, others`, ours, bare, unit: 'ms p99', goal: `ratio ≤ ${P99_RATIO_GOAL}`, extras },
      reached: ours <= P99_RATIO_GOAL * bare,
    },
    {
      ...{ name: `${faultKind}, calls`, ours: during.calls, bare: quiet.calls, unit: `calls in ${COUNT_SECONDS} s` },
      goal: `ratio ≤ ${CALLS_RATIO_GOAL}`,
      reached: during.calls <= CALLS_RATIO_GOAL * quiet.calls,
    },
  ];
}
