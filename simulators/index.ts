import { createServerIdentity } from './kit/certificate.ts';
import { type RunningSimulator, type StartOptions, vendors } from './vendors.ts';

export type { Screen } from './kit/page.ts';
export type { Certificate, RunningSimulator } from './vendors.ts';

/** The names of the vendors that have a simulator. */
export const vendorNames: readonly string[] = Object.keys(vendors);

export interface SimulatorOptions extends Partial<Pick<StartOptions, 'slowMs' | 'ports'>> {
  /** Host name through which other machines connect. Without it, only local clients can connect. */
  readonly name?: string | undefined;
}

export interface StartedSimulator extends RunningSimulator {
  /** The certificate authority that clients of this simulator must trust, as PEM. */
  readonly caPem: string;
}

/** The same as the default of the command. */
const SLOW_MS_DEFAULT = 2_000;

/** Starts the simulator of one vendor inside this process, on free ports unless `ports` contains others. */
export async function startSimulator(
  vendor: string,
  { slowMs = SLOW_MS_DEFAULT, ports = {}, name }: SimulatorOptions = {},
): Promise<StartedSimulator> {
  const simulator = vendors[vendor];
  if (simulator === undefined)
    throw new RangeError(`${vendor} is not the name of a simulator. Use one of ${vendorNames.join(', ')}.`);
  const identity = createServerIdentity(Date.now(), name);
  return { ...(await simulator.start({ identity, slowMs, ports })), caPem: identity.caPem };
}
