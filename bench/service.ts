import { type Stack, startStack } from '../scripts/stack/stack.ts';
import { type Carillon, type CarillonOptions, startCarillon } from '../test/support/carillon.ts';
import { ApiClient } from './caller.ts';
import { startWorkMeter, type WorkMeter } from './work/work-meter.ts';

export interface Service {
  readonly stack: Stack;
  readonly carillon: Carillon;
  readonly caller: ApiClient;
  readonly meter: WorkMeter;
}

/** The work meter counts statements with this extension. Creating partitions alone needs a thousand entries. */
const METER_SETTINGS = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' };

/**
 * Starts a service on its own stack, an API client, and a meter of the service's work. The service has no gateways or
 * workers unless the options request them.
 */
export async function startService(
  resources: AsyncDisposableStack,
  say: (line: string) => void,
  {
    postgresSettings,
    ...options
  }: Omit<CarillonOptions, 'stack'> & { postgresSettings?: Readonly<Record<string, string>> } = {},
): Promise<Service> {
  say('starting …');
  const stack = await startStack({ postgresSettings: { ...METER_SETTINGS, ...postgresSettings } });
  resources.defer(() => stack.stop());
  // The connect rate is practically unlimited, because connecting the phones is not measured.
  const settings = { CARILLON_GATEWAY_CONNECTS_PER_SECOND: '100000', ...options.settings };
  const carillon = resources.use(
    await startCarillon({ gateways: 0, workers: 0, checksLaws: false, ...options, settings, stack }),
  );
  const meter = resources.use(await startWorkMeter(carillon));
  return { stack, carillon, caller: resources.use(new ApiClient(carillon)), meter };
}
