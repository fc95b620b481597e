export type DeviceState = 'offline' | 'connecting' | 'online';

/** The reason why a connection ended. */
export interface DisconnectInfo {
  readonly reason: string;
  /** Reason code of the CONNACK or DISCONNECT, if the gateway sent one. */
  readonly reasonCode: number | undefined;
}

/** Events of a device. */
export interface DeviceEvents {
  readonly connecting: { readonly gateway: string };
  readonly online: { readonly gateway: string };
  /** `retryMs` is the time until the next attempt, or undefined if the device does not reconnect automatically. */
  readonly offline: DisconnectInfo & { readonly retryMs: number | undefined };
  /** The credentials were rejected or revoked. The user must log in again. */
  readonly 'signed-out': DisconnectInfo;
  /**
   * Another connection of the same device is open, for example in a second tab. This connection stays closed until
   * `connect` is called.
   */
  readonly 'taken-over': DisconnectInfo;
  /** The sender has recalled a notification. Remove it if it is still displayed. */
  readonly recall: { readonly task_id: bigint; readonly message_id: bigint };
  /** The number on the app's icon has changed. */
  readonly badge: number;
  /**
   * An error that does not stop the device: a handler that threw, a full storage or a rejected receipt. Without a
   * listener it is written to the console.
   */
  readonly problem: Error;
}
