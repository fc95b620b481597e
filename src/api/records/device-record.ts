import type { Static } from 'typebox';
import type { deviceRecord } from '#src/contract/schemas/device-record.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import type { ReportedState } from '#src/domain/trace/reported-state.ts';
import type { DeviceRecord } from '#src/storage/devices/device-records.ts';

/** Converts a device to its API record. */
export function toDeviceRecord(device: DeviceRecord): Static<typeof deviceRecord> {
  return {
    push_token: device.pushToken,
    device_guid: device.deviceGuid,
    user_id: device.userId,
    alias: device.alias,
    tags: [...device.tags],
    bindings: device.bindings.map(({ channel, environment, bound_ms }) => ({
      provider: providerByVendor[channel],
      environment,
      bound_at: BigInt(bound_ms),
    })),
    online: device.online,
    seen_on: device.seenOn,
    registered_at: BigInt(device.registeredAt.getTime()),
    state: device.reportedState && toStateRecord(device.reportedState),
  };
}

/** Converts a reported state to its API record. */
export const toStateRecord = ({ client, notifications, vendorErrors, reportedMs }: ReportedState) => ({
  client,
  notifications,
  vendor_errors: vendorErrors.map(({ vendor, error }) => ({ provider: providerByVendor[vendor], error })),
  reported_at: BigInt(reportedMs),
});
