/** What a device connects with: the answer of a login, and the name it logged in with. */
export interface DeviceCredentials {
  /** Access token. */
  readonly token: string;
  /** Address of the device. */
  readonly push_token: string;
  /** The device's own name, as it was sent at login. */
  readonly device_guid: string;
}
