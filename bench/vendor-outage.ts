import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../test/support/eventually.ts';
import { Caller } from './caller.ts';
import { deviceOf } from './fill-devices.ts';
import { steadily, type Times, timesOf } from './latency.ts';
import type { Bench, Result } from './result.ts';
import { startVendorService, type VendorService } from './vendors/service.ts';
import type { BenchVendor } from './vendors/simulators.ts';

const VENDORS = ['apns', 'fcm', 'huawei', 'honor'] as const satisfies readonly BenchVendor[];
const TROUBLED = 'fcm';
const TROUBLES = ['outage', 'stall', 'goaway'] as const;
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
  await using parts = new AsyncDisposableStack();
  const seconds = WARM_UP_SECONDS + TROUBLES.length * 2 * size + STALL_SECONDS;
  const each = (seconds * CALLS_PER_SECOND) / VENDORS.length;
  const fleet = Object.fromEntries(VENDORS.map((vendor) => [vendor, each])) as Record<BenchVendor, number>;
  const service = await startVendorService(parts, say, fleet);
  await service.carillon.start('worker');
  const load = new Load(service, parts.use(new Caller(service.carillon, 64)), each);
  await load.run(WARM_UP_SECONDS);

  const results: Result[] = [];
  for (const trouble of TROUBLES) {
    const quiet = await load.run(size);
    const lasting = size + (trouble === 'stall' ? STALL_SECONDS : 0);
    const fault = { kind: trouble, duration_ms: 3_600_000 };
    await service.simulators.control(TROUBLED, 'POST', '/faults', fault);
    const during = await load.run(lasting);
    await service.simulators.control(TROUBLED, 'DELETE', '/faults');
    const recoveredIn = await load.recover();
    say(`quiet: ${told(quiet)}; ${trouble}: ${told(during)}; all had arrived ${recoveredIn.toFixed(1)} s after it`);
    results.push(...compare(trouble, quiet, during, recoveredIn));
  }
  return results;
};

interface Phase {
  /** Of those that have no trouble. */
  readonly others: Times;
  /** To the troubled one, at the end. */
  readonly calls: number;
}

const told = ({ others: { p50, p99 }, calls }: Phase): string =>
  `others p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${calls} calls to ${TROUBLED} in ${COUNT_SECONDS} s`;

interface Call {
  readonly vendor: BenchVendor;
  readonly token: string;
  readonly beganAt: number;
}

/** One notification after the other, to the vendors in turn, and to each device once. */
class Load {
  readonly #service: VendorService;
  readonly #caller: Caller;
  /** Devices of each vendor, one vendor after the other. */
  readonly #each: number;
  readonly #calls: Call[] = [];

  constructor(service: VendorService, caller: Caller, each: number) {
    this.#service = service;
    this.#caller = caller;
    this.#each = each;
  }

  async run(seconds: number): Promise<Phase> {
    const before = this.#calls.length;
    const counted = this.#countAtTheEndOf(seconds);
    await steadily(CALLS_PER_SECOND, seconds, () => this.#call());
    const calls = await counted;
    const others = this.#calls.slice(before).filter(({ vendor }) => vendor !== TROUBLED);
    return { others: timesOf(await this.#latencies(others, STALL_SECONDS * 2)), calls };
  }

  /** Seconds until everything has arrived. */
  async recover(): Promise<number> {
    const began = performance.now();
    await this.#latencies(this.#calls, RECOVER_SECONDS_MAX);
    return (performance.now() - began) / 1_000;
  }

  async #call(): Promise<void> {
    const n = this.#calls.length;
    const place = n % VENDORS.length;
    const device = place * this.#each + Math.floor(n / VENDORS.length) + 1;
    const { guid, pushToken } = deviceOf(this.#service.carillon.appId, device, NO_TRAITS);
    this.#calls.push({ vendor: VENDORS[place] as BenchVendor, token: `live-${guid}`, beganAt: Date.now() });
    await this.#caller.post('/push/notify', {
      audience: { push_token: [pushToken] },
      message: MESSAGE,
      setting: { distribution_strategy: 'ospush_only' },
    });
  }

  async #latencies(calls: readonly Call[], secondsMax: number): Promise<number[]> {
    return eventually(async () => {
      const arrivals = await Promise.all(
        VENDORS.map(async (vendor) => (await this.#service.simulators.arrived(vendor, this.#each * 2)).arrived),
      );
      // One that arrived twice, because the first answer was lost, counts when it arrived first.
      const instants = new Map(arrivals.flatMap((some) => some.toReversed().map(({ token, at }) => [token, at])));
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
    const { send } = await this.#service.simulators.control<Counts>(TROUBLED, 'GET', '/counts');
    return Object.values(send.requests).reduce((sum, count) => sum + count, 0);
  }
}

/** What a device is called depends on its number alone. */
const NO_TRAITS = { vendors: [], latestDomestic: null, generation: 1, seenDaysAgo: 0, gateway: null } as const;

function compare(trouble: string, quiet: Phase, during: Phase, recoveredIn: number): Result[] {
  const [ours, bare] = [during.others.p99, quiet.others.p99];
  const more = { p50: during.others.p50, 'quiet p50': quiet.others.p50, 'recovered s': recoveredIn };
  return [
    {
      ...{ what: `${trouble}, others`, ours, bare, unit: 'ms p99', goal: `ratio ≤ ${P99_RATIO_GOAL}`, more },
      reached: ours <= P99_RATIO_GOAL * bare,
    },
    {
      ...{ what: `${trouble}, calls`, ours: during.calls, bare: quiet.calls, unit: `calls in ${COUNT_SECONDS} s` },
      goal: `ratio ≤ ${CALLS_RATIO_GOAL}`,
      reached: during.calls <= CALLS_RATIO_GOAL * quiet.calls,
    },
  ];
}
