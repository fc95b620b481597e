/** Credentials of a device connection: the response of a login, and the `device_guid` of that login. */
export interface DeviceCredentials {
  /** Access token. */
  readonly token: string;
  /** Identifies the device as a push target. */
  readonly push_token: string;
  /** Identifies the installation, as sent at login. */
  readonly device_guid: string;
}
