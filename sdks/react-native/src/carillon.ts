import type { DeviceCredentials } from '../../../sdk/src/device/credentials.ts';
import { Emitter } from '../../../sdk/src/device/emitter.ts';
import { parseNotification, parseRecall, type ReceivedNotification } from '../../../sdk/src/device/notification.ts';
import type { VendorTexts } from '../../../sdk/src/device/vendor-message.ts';
import { type NativeCarillon, nativeEvents, type Runtime } from './native.ts';

/** Settings of the SDK. They are stored on the phone, so that later processes start the SDK without JavaScript. */
export interface CarillonConfig {
  /** URL of the API, such as `https://push.example.com`. */
  readonly apiUrl: string;
  /** URL of the gateway, such as `mqtts://push.example.com`. */
  readonly gatewayUrl: string;
  readonly appId: string;
  /** Name of a drawable resource, for the status bar. By default, the icon of the config plugin, or of the app. */
  readonly smallIcon?: string | undefined;
  /** ID of the notification channel for notifications that name no channel of the app; `carillon` by default. */
  readonly channelId?: string | undefined;
  /** Name of this channel in the settings of the phone; `Notifications` by default. */
  readonly channelName?: string | undefined;
  /** Environment of the vendor tokens: 1 for production, which is the default, or 0 for test messages. */
  readonly environment?: 0 | 1 | undefined;
  /**
   * Whether the phone displays notifications while the app is in the foreground; true by default. If false, only
   * `onNotification` receives them. The newest 20 are kept in memory while there is no listener.
   */
  readonly displaysInForeground?: boolean | undefined;
}

/**
 * `granted`, `required` if the app must request it, or `denied` if only the settings of the phone can change it. On
 * Android 13 and later, only `requestNotificationPermission` returns `denied`, because only a request shows whether
 * Android still asks the user.
 */
export type NotificationPermission = 'granted' | 'required' | 'denied';

/** The vendors, by their names in the Android SDK. */
export type Vendor = 'huawei' | 'xiaomi' | 'meizu' | 'vivo' | 'oppo' | 'fcm' | 'honor' | 'unifiedpush';

/** A message of a vendor that the app received with another library. */
export interface VendorMessage {
  readonly data: Readonly<Record<string, string>>;
  /** The texts outside the data, such as `notification` of FCM. Absent for a data-only message. */
  readonly texts?: VendorTexts | undefined;
}

/** A vendor token that was registered at Carillon. */
export interface RegisteredToken {
  readonly vendor: Vendor;
  readonly token: string;
}

type Unsubscribe = () => void;

interface Events {
  readonly notification: ReceivedNotification;
  readonly tap: ReceivedNotification;
  readonly recall: { readonly message_id: bigint };
  readonly badge: number;
  readonly token: RegisteredToken;
  readonly loggedOut: undefined;
}

/** The Android SDK keeps the same number of taps and of data-only notifications. */
const WAITING_MAX = 20;

/** The SDK in an app. It does nothing before `start`. */
export class CarillonApp {
  readonly #runtime: Runtime;
  readonly #emitter = new Emitter<Events>();
  #isListening = false;
  /** Taps, and notifications that the phone does not display, for which there is no listener yet. */
  readonly #waiting: Record<'tap' | 'notification', ReceivedNotification[]> = { tap: [], notification: [] };
  /** The login has ended while there was no listener for it. */
  #isLogoutUnseen = false;
  /** The push token of the user, if JavaScript has passed it. It names the user to whom `#waiting` belongs. */
  #pushToken: string | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Whether this platform is supported. All other members throw an error if it is not. */
  get isSupported(): boolean {
    return this.#runtime.platform === 'android';
  }

  /**
   * Starts the SDK. Call it after the user has given consent, and at each start of the app. Further calls have no effect
   * until the process ends, but store the settings for the next process.
   */
  start(config: CarillonConfig): Promise<void> {
    return this.#native().start(JSON.stringify(config));
  }

  isStarted(): Promise<boolean> {
    return this.#native().isStarted();
  }

  /** Logs out, and deletes the stored settings. The SDK does not start in later processes until `start` is called. */
  withdrawConsent(): Promise<void> {
    const native = this.#native();
    this.#forgetUser();
    return native.withdrawConsent();
  }

  /** Returns the random ID of this installation, which a login needs. */
  deviceGuid(): Promise<string> {
    return this.#native().deviceGuid();
  }

  /** Whether this device has a login. It is kept when the process ends. */
  isLoggedIn(): Promise<boolean> {
    return this.#native().isLoggedIn();
  }

  /** Uses a login: the access token and the push token that your backend got with `/admin/user/token`. */
  use({ token, push_token }: Pick<DeviceCredentials, 'token' | 'push_token'>): Promise<void> {
    const native = this.#native();
    const isKnown = this.#pushToken !== undefined;
    this.#setUser(push_token);
    return native.use(token, push_token).then((isOtherUser) => {
      if (isOtherUser && !isKnown) this.#forgetWaiting();
    });
  }

  /** Logs in with a name and a password. */
  async login(user: { readonly login_name: string; readonly password: string }): Promise<DeviceCredentials> {
    const { is_other_user, ...credentials } = JSON.parse(
      await this.#native().login(user.login_name, user.password),
    ) as DeviceCredentials & { is_other_user: boolean };
    if (is_other_user) this.#forgetWaiting();
    this.#setUser(credentials.push_token);
    return credentials;
  }

  /** Ends the login, and removes the displayed notifications of the user. */
  logout(): Promise<void> {
    const native = this.#native();
    this.#forgetUser();
    return native.logout();
  }

  /**
   * Receives the notifications that arrive while JavaScript runs. The Android SDK displays them without JavaScript.
   * Notifications that the phone does not display are kept until the first listener. Returns a function that removes the
   * listener.
   */
  onNotification(listener: (notification: ReceivedNotification) => void): Unsubscribe {
    return this.#onWaiting('notification', listener);
  }

  /**
   * Receives taps on notifications. Taps are kept until the first listener, also those that started the app. Returns a
   * function that removes the listener.
   */
  onTap(listener: (notification: ReceivedNotification) => void): Unsubscribe {
    return this.#onWaiting('tap', listener);
  }

  /** Receives recalls. The Android SDK has already removed the notification. Returns a function that removes the listener. */
  onRecall(listener: (recall: { readonly message_id: bigint }) => void): Unsubscribe {
    return this.#on('recall', listener);
  }

  /** Receives the badge when a notification has changed it. Returns a function that removes the listener. */
  onBadge(listener: (badge: number) => void): Unsubscribe {
    return this.#on('badge', listener);
  }

  /**
   * Receives each vendor token when it is registered at Carillon: after a login, after the vendor has issued another one,
   * and every seven days. Earlier tokens are not delivered. Returns a function that removes the listener.
   */
  onToken(listener: (registered: RegisteredToken) => void): Unsubscribe {
    return this.#on('token', listener);
  }

  /**
   * Called when the login has ended, for example after a new password. If there is no listener, the first one is called
   * later, unless the app logs in again before. Returns a function that removes the listener.
   */
  onLoggedOut(listener: () => void): Unsubscribe {
    const remove = this.#on('loggedOut', listener);
    if (this.#isLogoutUnseen) this.#emitLoggedOut();
    return remove;
  }

  /** Sets the badge to which later notifications add, for example to 0 when the user opens the app. */
  setBadge(badge: number): Promise<void> {
    return this.#native().setBadge(badge);
  }

  async notificationPermission(): Promise<NotificationPermission> {
    return (await this.#native().notificationPermission()) as NotificationPermission;
  }

  /**
   * Asks the user for the permission if Android requires it, and returns the result. It is `denied` if Android does not
   * ask any more.
   */
  async requestNotificationPermission(): Promise<NotificationPermission> {
    const native = this.#native();
    if ((await this.notificationPermission()) === 'required') {
      const answer = await this.#runtime.requestPermission();
      // Carillon shows the result to support staff who search for a missing notification.
      await native.onNotificationPermissionResult();
      if (answer === 'never_ask_again') return 'denied';
    }
    return this.notificationPermission();
  }

  /** Registers the token of a vendor whose SDK the app integrates itself. */
  vendorToken(vendor: Vendor, token: string): Promise<void> {
    return this.#native().vendorToken(vendor, token);
  }

  /** Handles a message of such a vendor. Resolves with false if the message is not from Carillon. */
  vendorMessage({ data, texts }: VendorMessage): Promise<boolean> {
    // An image without texts has an empty title. Null stands for a data-only message.
    const title = texts ? (texts.title ?? '') : null;
    return this.#native().vendorMessage(JSON.stringify(data), title, texts?.body ?? null);
  }

  /** Handles a tap on a notification of such a vendor. Resolves with false if it is not from Carillon. */
  vendorTap(data: VendorMessage['data']): Promise<boolean> {
    return this.#native().vendorTap(JSON.stringify(data));
  }

  /** After a restart of JavaScript, the push token is unknown. Then only the Android SDK knows the previous user. */
  #setUser(pushToken: string): void {
    if (this.#pushToken !== undefined && this.#pushToken !== pushToken) this.#forgetUser();
    this.#pushToken = pushToken;
    this.#isLogoutUnseen = false;
  }

  #forgetUser(): void {
    this.#pushToken = undefined;
    this.#isLogoutUnseen = false;
    this.#forgetWaiting();
  }

  #forgetWaiting(): void {
    for (const waiting of Object.values(this.#waiting)) waiting.length = 0;
  }

  #onWaiting(name: 'tap' | 'notification', listener: (notification: ReceivedNotification) => void): Unsubscribe {
    const remove = this.#on(name, listener);
    for (const notification of this.#waiting[name].splice(0)) this.#emitter.emit(name, notification);
    return remove;
  }

  #on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): Unsubscribe {
    const native = this.#native();
    const remove = this.#emitter.on(name, listener);
    if (!this.#isListening) this.#listen(native);
    return remove;
  }

  /** Connects the native events, which flow until JavaScript ends. */
  #listen(native: NativeCarillon): void {
    this.#isListening = true;
    const { addListener } = this.#runtime;
    addListener(nativeEvents.notification, (payload) => {
      const notification = parseNotification(payload);
      if (notification) this.#emitter.emit('notification', notification);
    });
    addListener(nativeEvents.undisplayed, (payload) => {
      const notification = parseNotification(payload);
      if (notification) this.#emitOrKeep('notification', notification);
    });
    addListener(nativeEvents.tap, (payload) => {
      const notification = parseNotification(payload);
      if (notification) this.#emitOrKeep('tap', notification);
    });
    addListener(nativeEvents.recall, (payload) => {
      const recall = parseRecall(payload);
      if (!recall) return;
      const { notification } = this.#waiting;
      this.#waiting.notification = notification.filter(({ message_id }) => message_id !== recall.message_id);
      this.#emitter.emit('recall', { message_id: recall.message_id });
    });
    addListener(nativeEvents.badge, (badge) => this.#emitter.emit('badge', Number(badge)));
    addListener(nativeEvents.token, (payload) => this.#emitter.emit('token', JSON.parse(payload) as RegisteredToken));
    addListener(nativeEvents.loggedOut, () => this.#emitLoggedOut());
    native.listen().catch((error: unknown) => {
      setTimeout(() => {
        throw error;
      }, 0);
    });
  }

  #emitLoggedOut(): void {
    this.#isLogoutUnseen = !this.#emitter.emit('loggedOut', undefined);
  }

  #emitOrKeep(name: 'tap' | 'notification', notification: ReceivedNotification): void {
    if (this.#emitter.emit(name, notification)) return;
    const waiting = this.#waiting[name];
    waiting.push(notification);
    waiting.splice(0, Math.max(0, waiting.length - WAITING_MAX));
  }

  #native(): NativeCarillon {
    const { native, platform } = this.#runtime;
    if (!this.isSupported)
      throw new Error(
        `@carillon/react-native supports only Android, not ${platform}. For iOS, see docs/app/ios.md in the repository of Carillon.`,
      );
    if (!native)
      throw new Error(
        'The native module of @carillon/react-native is missing. Rebuild the app. Expo Go is not supported.',
      );
    return native;
  }
}
