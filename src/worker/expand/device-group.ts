import type { Device, DeviceGroup } from '#src/storage/devices/devices.ts';

/** Returns a group that has only this device. */
export const toSingleDeviceGroup = (device: Device): DeviceGroup => ({
  ...device,
  placeCount: 1,
  deviceIds: device.deviceId.toString(),
  generations: device.generation.toString(),
});
