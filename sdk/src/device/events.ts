export type DeviceState = 'offline' | 'connecting' | 'online';

/** Why a connection ended. */
export interface DisconnectInfo {
  readonly reason: string;
  /** Of a CONNACK or DISCONNECT, if the gateway said anything. */
  readonly reasonCode: number | undefined;
}

/** What a device tells of itself. */
export interface DeviceEvents {
  readonly connecting: { readonly gateway: string };
  readonly online: { readonly gateway: string };
  /** `retryMs`: how long until it tries again; undefined: not by itself. */
  readonly offline: DisconnectInfo & { readonly retryMs: number | undefined };
  /** The credentials are refused, or were revoked: somebody must log in. */
  readonly 'signed-out': DisconnectInfo;
  /** Another connection of the same device is up, such as a second tab. This one stays away until told otherwise. */
  readonly 'taken-over': DisconnectInfo;
  /** The number on the app's icon has changed. */
  readonly badge: number;
  /**
   * Something went wrong that the device lives with: a handler that threw, a storage that is full, a refused receipt. If
   * nobody listens it is written to the console.
   */
  readonly problem: Error;
}
