/** Faults of a service under load, each in a separate run. These are the names of the tests in `under-load.test.ts`. */
export const scenarios = [
  'a worker is killed every two seconds',
  'workers pause for longer than their leases',
  'PostgreSQL is killed',
  'all NATS nodes are down',
  'a NATS node freezes',
  'every wake-up signal is sent ten times',
  'the clocks of workers are wrong by days',
] as const;

export type Scenario = (typeof scenarios)[number];

/** Faults that affect sessions. These are the names of the tests in `gateway.test.ts`. */
export const gatewayScenarios = [
  'a gateway is killed',
  'a gateway pauses',
  'the presence tables are emptied',
  'a PostgreSQL backend is killed',
  'presence is wrong for a tenth of the devices',
  'offline devices are listed as online',
  'all devices reconnect at the same time',
  'a tenth of the devices do not read',
] as const;

export type GatewayScenario = (typeof gatewayScenarios)[number];
