export type { DeviceCredentials } from './credentials.ts';
export { type DeepLink, parseDeepLink } from './deep-link.ts';
export { CarillonDevice, type DeviceOptions, type VendorArrival } from './device.ts';
export type { DeviceEvents, DeviceState, DisconnectInfo } from './events.ts';
export type { ReceivedNotification } from './notification.ts';
export type { NotificationHandler } from './notification-receiver.ts';
export type { DeviceStorage } from './persisted-state.ts';
export { pageOf, parseVendorMessage, type VendorTexts } from './vendor-message.ts';
