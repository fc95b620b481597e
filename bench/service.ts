import { startStack } from '../scripts/stack/stack.ts';
import { type Carillon, type CarillonOptions, startCarillon } from '../test/support/carillon.ts';
import { ApiClient } from './caller.ts';

export interface Service {
  readonly carillon: Carillon;
  readonly caller: ApiClient;
}

/**
 * Starts a service on its own stack, and an API client. The service has no gateways or workers unless the options
 * request them.
 */
export async function startService(
  resources: AsyncDisposableStack,
  say: (line: string) => void,
  options: Omit<CarillonOptions, 'stack'> = {},
): Promise<Service> {
  say('starting …');
  const stack = await startStack();
  resources.defer(() => stack.stop());
  // The connect rate is practically unlimited, because connecting the phones is not measured.
  const settings = { CARILLON_GATEWAY_CONNECTS_PER_SECOND: '100000', ...options.settings };
  const carillon = resources.use(await startCarillon({ gateways: 0, workers: 0, ...options, settings, stack }));
  return { carillon, caller: resources.use(new ApiClient(carillon)) };
}
