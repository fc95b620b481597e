/** Size of a run under load. `CARILLON_FAULTS=full`, set by `npm run faults -- --full`, selects the full size. */
interface RunSize {
  readonly name: 'short' | 'full';
  /** Phones with an APNs token. */
  readonly devices: number;
  /** Phones with an MQTT connection. */
  readonly connected: number;
  /** Interval between notifications to everyone during the fault. */
  readonly everyoneEveryMs: number;
  /** Number of workers that are killed, one every two seconds. */
  readonly kills: number;
  /** Number of times that workers are paused, and number of times that PostgreSQL is killed. */
  readonly pauses: number;
  readonly postgresKills: number;
  readonly postgresAwayMs: number;
  readonly natsAwayMs: number;
  readonly natsFrozenMs: number;
  /** Duration for which wake-up signals are repeated or clocks are wrong. */
  readonly faultDurationMs: number;
  /** Duration of each form of an outage of a shard database, and of the time before it. */
  readonly outageMs: number;
  readonly leaseSeconds: number;
  readonly vendorDeadlineSeconds: number;
  readonly drainSecondsMax: number;
}

const runSizes: Readonly<Record<RunSize['name'], RunSize>> = {
  short: {
    name: 'short',
    devices: 5_000,
    connected: 60,
    everyoneEveryMs: 3_000,
    kills: 4,
    pauses: 1,
    postgresKills: 1,
    postgresAwayMs: 2_000,
    natsAwayMs: 4_000,
    natsFrozenMs: 6_000,
    faultDurationMs: 4_000,
    outageMs: 30_000,
    leaseSeconds: 8,
    vendorDeadlineSeconds: 4,
    drainSecondsMax: 90,
  },
  full: {
    name: 'full',
    devices: 50_000,
    connected: 300,
    everyoneEveryMs: 20_000,
    kills: 30,
    pauses: 3,
    postgresKills: 3,
    postgresAwayMs: 5_000,
    natsAwayMs: 30_000,
    natsFrozenMs: 20_000,
    faultDurationMs: 45_000,
    outageMs: 300_000,
    leaseSeconds: 14,
    vendorDeadlineSeconds: 10,
    drainSecondsMax: 360,
  },
};

export const runSize: RunSize = runSizes[process.env.CARILLON_FAULTS === 'full' ? 'full' : 'short'];
