import { DeviceEventEmitter, NativeModules, PermissionsAndroid, Platform } from 'react-native';
import { CarillonApp } from './carillon.ts';
import type { NativeCarillon } from './native.ts';

export type { DeviceCredentials } from '../../../sdk/src/device/credentials.ts';
export { type DeepLink, parseDeepLink } from '../../../sdk/src/device/deep-link.ts';
export type { ReceivedNotification } from '../../../sdk/src/device/notification.ts';
export { pageOf, parseVendorMessage, type VendorTexts } from '../../../sdk/src/device/vendor-message.ts';
export {
  CarillonApp,
  type CarillonConfig,
  type NotificationPermission,
  type RegisteredToken,
  type Vendor,
  type VendorMessage,
} from './carillon.ts';

/** The SDK of this app. */
export const Carillon: CarillonApp = new CarillonApp({
  platform: Platform.OS,
  native: NativeModules.Carillon as NativeCarillon | undefined,
  addListener: (event, listener) => void DeviceEventEmitter.addListener(event, listener),
  requestPermission: () => PermissionsAndroid.request('android.permission.POST_NOTIFICATIONS'),
});
