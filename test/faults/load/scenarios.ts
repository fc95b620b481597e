/** What happens to a service under load, each in a run of its own: the names of the tests in `under-load.test.ts`. */
export const scenarios = [
  'a worker is killed every two seconds',
  'workers stand still for longer than their leases',
  'PostgreSQL is killed',
  'all of NATS is away',
  'a node of NATS freezes',
  'every doorbell rings ten times',
  'the clocks of workers are days wrong',
] as const;

export type Scenario = (typeof scenarios)[number];
