/**
 * The native module, written in Kotlin. It exchanges only simple values, so that it works with the old and the new
 * architecture of React Native, and JSON keeps all digits of IDs.
 */
export interface NativeCarillon {
  /** `config` is a `CarillonConfig` as JSON. */
  start(config: string): Promise<void>;
  isStarted(): Promise<boolean>;
  withdrawConsent(): Promise<void>;
  deviceGuid(): Promise<string>;
  isLoggedIn(): Promise<boolean>;
  /** Resolves with true if the previous user, if there was one, is another one. */
  use(accessToken: string, pushToken: string): Promise<boolean>;
  /** Resolves with the credentials as JSON. `is_other_user` is the result of `use`. */
  login(loginName: string, password: string): Promise<string>;
  logout(): Promise<void>;
  /** Starts to emit events. Taps that arrived earlier are emitted now. */
  listen(): Promise<void>;
  notificationPermission(): Promise<string>;
  onNotificationPermissionResult(): Promise<void>;
  setBadge(badge: number): Promise<void>;
  vendorToken(vendor: string, token: string): Promise<void>;
  /** `data` is a JSON object with string values. */
  vendorMessage(data: string, title: string | null, body: string | null): Promise<boolean>;
  vendorTap(data: string): Promise<boolean>;
}

/** The names of the events that the native module emits. Their payload is JSON. */
export const nativeEvents = {
  /** A notification that the phone displays. */
  notification: 'carillonNotification',
  /** A notification that the phone does not display: it is data-only, or the app displays it in the foreground. */
  undisplayed: 'carillonUndisplayed',
  tap: 'carillonTap',
  recall: 'carillonRecall',
  badge: 'carillonBadge',
  /** `vendor` and `token`. */
  token: 'carillonToken',
  loggedOut: 'carillonLoggedOut',
} as const;

/** The parts of React Native that this package needs. */
export interface Runtime {
  readonly platform: string;
  /** Undefined if the app was built without the native module. */
  readonly native: NativeCarillon | undefined;
  addListener(event: string, listener: (payload: string) => void): void;
  /** Resolves with a result of `PermissionsAndroid.request`. */
  requestPermission(): Promise<string>;
}
