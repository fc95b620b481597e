import { deviceState } from '#src/contract/device/state.ts';
import { isBlank } from '#src/domain/blank.ts';
import { type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { saveReportedState } from '#src/storage/devices/reported-states.ts';
import type { Route } from '../../context.ts';
import { loggedOutProblem, resolveDevice } from '../../http/resolve-device.ts';

export const deviceStateRoute: Route<typeof deviceState> = {
  operation: deviceState,
  handle: async ({ storage }, { caller, body }) => {
    const { client = null, notifications = null, vendor_errors: vendorErrors = [], push_token: pushToken } = body;
    if (vendorErrors.some(({ error }) => isBlank(error)))
      throw new Problem('bad-parameter', 'vendor_errors.error must not be blank.');
    const device = await resolveDevice(storage, caller, pushToken);
    const isStored = await saveReportedState(storage.shards.dbFor(device.bucket), device, {
      client,
      notifications,
      vendorErrors: vendorErrors.map(({ provider, error }) => ({
        vendor: vendorByProvider[provider] as VendorName,
        error,
      })),
    });
    if (!isStored) throw loggedOutProblem();
    return {};
  },
};
