import type { VendorName } from '../channel.ts';

/** Whether a phone lets the app display notifications. */
export const notificationPermissions = ['allowed', 'denied'] as const;
export type NotificationPermission = (typeof notificationPermissions)[number];

/** The reason why a vendor issued no vendor token, as the app reported it. */
export interface VendorError {
  readonly vendor: VendorName;
  readonly error: string;
}

/** The state that the app on a device reported last. */
export interface ReportedState {
  /** Name and version of the SDK. */
  readonly client: string | null;
  readonly notifications: NotificationPermission | null;
  readonly vendorErrors: readonly VendorError[];
  /** Unix epoch milliseconds. */
  readonly reportedMs: number;
}
