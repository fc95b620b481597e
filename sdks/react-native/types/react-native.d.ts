/**
 * The part of `react-native` that this package uses, written by hand, because the real package would add 176 MB to
 * every checkout. `test/packages/react-native.test.ts` also compiles this package against the real types.
 */
declare module 'react-native' {
  export const Platform: { readonly OS: string };
  export const NativeModules: Readonly<Record<string, unknown>>;
  export const DeviceEventEmitter: {
    addListener(event: string, listener: (payload: string) => void): { remove(): void };
  };
  export const PermissionsAndroid: {
    request(permission: 'android.permission.POST_NOTIFICATIONS'): Promise<string>;
  };
}
