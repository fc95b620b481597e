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

/** What happens to sessions: the names of the tests in `gateway.test.ts`. */
export const gatewayScenarios = [
  'a gateway is killed',
  'a gateway stands still',
  'presence is emptied',
  'a backend of PostgreSQL is killed',
  'presence is wrong for a tenth of the devices',
  'devices that are away are said to be here',
  'everybody connects again at once',
  'a tenth of the devices does not read',
] as const;

export type GatewayScenario = (typeof gatewayScenarios)[number];
