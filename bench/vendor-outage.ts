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
/** A vendor that does not answer is only known to be away when the first calls have waited for the whole deadline. */
const STALL_SECONDS = 10;
/** Calls are counted at the end of a trouble, when the gate has been closed for a while. */
const COUNT_SECONDS = 10;
const RECOVER_SECONDS_MAX = 120;
const P99_RATIO_GOAL = 1.5;
const CALLS_RATIO_GOAL = 0.01;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };

/**
 * One vendor's trouble and what the others notice of it: single notifications at a steady rate to four vendors, from the
 * call until each is with its vendor. Bare is the same without trouble, just before. And how often the troubled vendor is
 * still called once its gate is closed. In the end everything arrives.
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
  for (const faultKind of FAULTS) {
    const quiet = await load.run(size);
    const durationSeconds = size + (faultKind === 'stall' ? STALL_SECONDS : 0);
    const fault = { kind: faultKind, duration_ms: 3_600_000 };
    await service.simulators.control(FAILING_VENDOR, 'POST', '/faults', fault);
    const during = await load.run(durationSeconds);
    await service.simulators.control(FAILING_VENDOR, 'DELETE', '/faults');
    const recoveredIn = await load.recover();
    say(
      `quiet: ${describePhase(quiet)}; ${faultKind}: ${describePhase(during)}; all had arrived ${recoveredIn.toFixed(1)} s after it`,
    );
    results.push(...compare(faultKind, quiet, during, recoveredIn));
  }
  return results;
};

interface Phase {
  /** Of those that have no trouble. */
  readonly others: Percentiles;
  /** To the troubled one, at the end. */
  readonly calls: number;
}

const describePhase = ({ others: { p50, p99 }, calls }: Phase): string =>
  `others p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${calls} calls to ${FAILING_VENDOR} in ${COUNT_SECONDS} s`;

interface Call {
  readonly vendor: BenchVendor;
  readonly token: string;
  readonly beganAt: number;
}

/** One notification after the other, to the vendors in turn, and to each device once. */
class Load {
  readonly #service: VendorService;
  readonly #caller: ApiClient;
  /** Devices of each vendor, one vendor after the other. */
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

  /** Seconds until everything has arrived. */
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
      // One that arrived twice, because the first answer was lost, counts when it arrived first.
      const instants = new Map(
        arrivals.flatMap((vendorArrivals) => vendorArrivals.toReversed().map(({ token, at }) => [token, at])),
      );
      const missing = calls.filter(({ token }) => !instants.has(token));
      assert.equal(missing.length, 0, `${missing.length} have not arrived, such as ${missing[0]?.vendor}`);
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

/** What a device is called depends on its number alone. */
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
