// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

import type { OperationResult } from '../operation.ts';
import type {
  AdminAppCreateRequest,
  AdminAppCreateResponse,
  AdminAppDisableRequest,
  AdminAppEnableRequest,
  AdminAppUpdateRequest,
  AdminAuditListRequest,
  AdminAuditListResponse,
  AdminCertificateCallbackRequest,
  AdminCertificateCallbackResponse,
  AdminCertificateCheckRequest,
  AdminCertificateCheckResponse,
  AdminCertificateDeleteRequest,
  AdminCertificateSaveRequest,
  AdminDeviceDeleteRequest,
  AdminDeviceFindRequest,
  AdminDeviceFindResponse,
  AdminGroupAddRequest,
  AdminGroupCreateRequest,
  AdminGroupCreateResponse,
  AdminGroupDeleteRequest,
  AdminGroupListRequest,
  AdminGroupListResponse,
  AdminGroupMembersRequest,
  AdminGroupMembersResponse,
  AdminGroupRemoveRequest,
  AdminLedgerVerifyRequest,
  AdminLedgerVerifyResponse,
  AdminToken,
  AdminTokenCreateRequest,
  AdminTokenCreateResponse,
  AdminTokenRevokeRequest,
  AdminUserCreateRequest,
  AdminUserCreateResponse,
  AdminUserDeleteRequest,
  AdminUserDisableRequest,
  AdminUserEnableRequest,
  AdminUserFindRequest,
  AdminUserKickRequest,
  AdminUserListRequest,
  AdminUserListResponse,
  AdminUserPasswordRequest,
  AdminUserTokenRequest,
  AdminUserUpdateRequest,
  App,
  Certificate,
  Channel,
  Device,
  DeviceAliasRequest,
  DeviceAliasResponse,
  DeviceBadgeRequest,
  DeviceBadgeResponse,
  DeviceBindRequest,
  DeviceReceiptRequest,
  DeviceReceiptResponse,
  DeviceTagRequest,
  DeviceTagResponse,
  DeviceUnbindRequest,
  EmptyObject,
  OperationPath,
  PushCertificate,
  PushCertificateRequest,
  PushNotifyRequest,
  PushNotifyResponse,
  PushStatistics,
  PushTaskCancelRequest,
  PushTaskCancelResponse,
  PushTaskDetailRequest,
  PushTaskListRequest,
  PushTaskListResponse,
  PushTaskTraceRequest,
  PushTaskTraceResponse,
  PushValidateRequest,
  PushValidateResponse,
  Requests,
  Responses,
  TokenIdRequest,
  TokenLoginRequest,
  TokenRecord,
  TokenUserRequest,
  User,
  UserRegisterRequest,
} from './types.ts';

/** Every operation as a method that returns its data, grouped like the paths. */
export abstract class Calls {
  abstract call<Path extends OperationPath>(
    path: Path,
    request: Requests[Path],
  ): Promise<OperationResult<Responses[Path]>>;

  async #ask<Path extends OperationPath>(path: Path, request: Requests[Path]): Promise<Responses[Path]> {
    return (await this.call(path, request)).data;
  }

  readonly token = {
    /**
     * Get a token by user ID and password. Issues an access token to an ordinary user. The header
     * `access-token` is not required, and `user_id` and `group_id` are ignored. An unknown user and a wrong
     * password return the same error.
     */
    id: (request: TokenIdRequest): Promise<TokenRecord> => this.#ask('/token/id', request),
    /**
     * Get a token by login name and password. Issues an access token to an ordinary user. The header
     * `access-token` is not required, and `user_id` and `group_id` are ignored. An unknown user and a wrong
     * password return the same error. A login name that contains `@` is an email address, one without letters
     * is a mobile number, and any other is a user name. Mobile numbers and email addresses match in any
     * notation.
     */
    login: (request: TokenLoginRequest): Promise<TokenRecord> => this.#ask('/token/login', request),
    /**
     * Get a token by user name and password. Issues an access token to an ordinary user. The header
     * `access-token` is not required, and `user_id` and `group_id` are ignored. An unknown user and a wrong
     * password return the same error.
     */
    user: (request: TokenUserRequest): Promise<TokenRecord> => this.#ask('/token/user', request),
    /**
     * Log out. Revokes this access token. If it was issued with a device, the device is logged out: its
     * session ends, and its push token, vendor tokens, tags, alias and waiting notifications are deleted.
     * Nothing is delivered to the device until a user logs in on it again.
     */
    logout: (): Promise<EmptyObject> => this.#ask('/token/logout', {}),
  };

  readonly user = {
    /**
     * Register a user. Creates a user and logs them in, in apps that allow it (`registration`); other apps
     * reject the request. At least one of `name`, `mobile` and `email` is required. Mobile numbers and email
     * addresses are not verified.
     */
    register: (request: UserRegisterRequest): Promise<TokenRecord> => this.#ask('/user/register', request),
  };

  readonly push = {
    /**
     * Get a push certificate. Returns the app's credentials for a vendor. An admin token gets all of them; a
     * user token gets the same fields with the server's secrets empty. An admin token needs the scope
     * `secrets`.
     */
    certificate: (request: PushCertificateRequest): Promise<PushCertificate> => this.#ask('/push/certificate', request),
    /**
     * Send a push notification. Accepts a notification for an audience and returns a task ID. The task is then
     * stored durably and retried until it is delivered, rejected or expires. `audience` and `message` must not
     * be blank; an audience that matches no devices is accepted too. An admin token can reach all devices, or
     * with `group_id` those of the group members. A user token can reach only its own user, unless the app
     * allows more. An admin token needs the scope `push`.
     */
    notify: (request: PushNotifyRequest): Promise<PushNotifyResponse> => this.#ask('/push/notify', request),
    task: {
      /**
       * Query push statistics. Returns the 27 counters of each task, exact at the time of the request. If the
       * data of a task is no longer kept (`CARILLON_RETENTION_DAYS`), its final counters are returned (for
       * `CARILLON_COUNTS_DAYS`). Unknown task IDs and those that this caller may not see are omitted. The order
       * of the request is kept, and duplicates are returned once. An admin token needs the scope `push`.
       */
      detail: (request: PushTaskDetailRequest): Promise<readonly PushStatistics[]> =>
        this.#ask('/push/task/detail', request),
      /**
       * List push tasks. Returns the tasks that this caller may see, latest first, in pages. An admin sees all
       * tasks of the app, a group admin those of the group, and a user those they created. Only tasks that are
       * still kept are listed (`CARILLON_RETENTION_DAYS`); `/push/task/detail` also returns the counters of
       * older tasks. An admin token needs the scope `push`.
       */
      list: (request: PushTaskListRequest = {}): Promise<PushTaskListResponse> => this.#ask('/push/task/list', request),
      /**
       * Trace a push task to a device. Explains for one task why a notification did or did not reach a device,
       * or each device of a user. Returns every attempt in order, with the channel's own code and a plain
       * sentence. Tasks are visible as in `/push/task/detail`. An admin can trace every device, a group admin
       * the devices of group members, and a user their own devices. Send exactly one of `push_token` and
       * `user_id`. An admin token needs the scope `push`.
       */
      trace: (request: PushTaskTraceRequest): Promise<PushTaskTraceResponse> => this.#ask('/push/task/trace', request),
      /**
       * Cancel a push task. Cancels deliveries that are not sent yet: devices that were not tried, that wait for
       * a retry, or that have the notification in their inbox. Deliveries in progress may still be received, and
       * received notifications cannot be recalled. Cancelling twice is harmless, and a finished task stays
       * unchanged. The response is sent after the cancellation is committed; every worker applies it from its
       * next step on. An admin token needs the scope `push`.
       */
      cancel: (request: PushTaskCancelRequest): Promise<PushTaskCancelResponse> =>
        this.#ask('/push/task/cancel', request),
    },
    /**
     * Check a notification without sending it. Accepts the request of `/push/notify` and checks it in the same
     * way, but sends nothing. Returns the number of devices that the notification would reach now, the content
     * that would be cut, and the demotions and caps that vendors would apply. `request_id` is not used up. An
     * admin token needs the scope `push`.
     */
    validate: (request: PushValidateRequest): Promise<PushValidateResponse> => this.#ask('/push/validate', request),
  };

  readonly device = {
    /**
     * Bind a vendor token to a device. Registers the token that a vendor issued for a device. A vendor token
     * belongs to the device that bound it last, and a device has one active token per vendor. An admin token
     * needs the scope `manage`.
     */
    bind: (request: DeviceBindRequest): Promise<EmptyObject> => this.#ask('/device/bind', request),
    /**
     * Unbind a vendor token from a device. The device is no longer reached through this vendor. The response
     * is the same if the device has no token of this vendor. An admin token needs the scope `manage`.
     */
    unbind: (request: DeviceUnbindRequest): Promise<EmptyObject> => this.#ask('/device/unbind', request),
    /**
     * List the devices of a user. Returns the devices on which this user is logged in, latest first, at most
     * 20. With an admin token, set the header `user_id` to choose the user. An admin token needs the scope
     * `manage`.
     */
    list: (): Promise<readonly Device[]> => this.#ask('/device/list', {}),
    /**
     * Change the tags of a device. Changes the tags of a device: first `clear`, then `remove`, then `add`. A
     * device has at most 100 tags of 64 bytes; a request that exceeds this limit is rejected and changes
     * nothing. A request without any of the three fields only returns the tags. An admin token needs the scope
     * `manage`.
     */
    tag: (request: DeviceTagRequest = {}): Promise<DeviceTagResponse> => this.#ask('/device/tag', request),
    /**
     * Set the alias of a device. Sets the alias of a device; a blank alias removes it. Devices of one user can
     * share an alias. An alias that is used by a device of another user is rejected. An admin token needs the
     * scope `manage`.
     */
    alias: (request: DeviceAliasRequest = {}): Promise<DeviceAliasResponse> => this.#ask('/device/alias', request),
    /**
     * Set the badge number of a device. Reports the badge number that the device shows now, so that the next
     * notification counts from that number. Apps usually send 0 when they are opened. An admin token needs the
     * scope `manage`.
     */
    badge: (request: DeviceBadgeRequest = {}): Promise<DeviceBadgeResponse> => this.#ask('/device/badge', request),
    /**
     * Report received notifications. For vendors that do not report delivery: the app reports the
     * notifications that it displayed, by the `reference` of each. A notification that is reported twice
     * counts once. References of other devices and of notifications that were never sent to this device are
     * ignored. An admin token needs the scope `manage`.
     */
    receipt: (request: DeviceReceiptRequest): Promise<DeviceReceiptResponse> => this.#ask('/device/receipt', request),
  };

  readonly admin = {
    app: {
      /**
       * Get this app. Returns the app of the token, with its settings. Requires an admin token with the scope
       * `manage`.
       */
      get: (): Promise<App> => this.#ask('/admin/app/get', {}),
      /**
       * Change this app's settings. Sets the given fields and leaves the others unchanged. Every process uses
       * the new settings within three seconds. Requires an admin token with the scope `manage`.
       */
      update: (request: AdminAppUpdateRequest = {}): Promise<App> => this.#ask('/admin/app/update', request),
      /**
       * Create an app. Creates an app with its own key pair and an admin token for it, which is returned only
       * once. For operators of the whole installation: the scope `*` does not include `platform`. Requires an
       * admin token with the scope `platform`.
       */
      create: (request: AdminAppCreateRequest): Promise<AdminAppCreateResponse> =>
        this.#ask('/admin/app/create', request),
      /**
       * List all apps of the installation. Returns at most 1,000 apps, ordered by ID. For operators of the whole
       * installation. Requires an admin token with the scope `platform`.
       */
      list: (): Promise<readonly App[]> => this.#ask('/admin/app/list', {}),
      /**
       * Disable an app. Rejects every request for this app and closes every session of its devices within five
       * seconds. Cancels its open tasks, including scheduled ones, as `/push/task/cancel` does; this takes
       * several seconds if there are thousands of tasks. The data of the app is kept. Requires an admin token
       * with the scope `platform`.
       */
      disable: (request: AdminAppDisableRequest): Promise<EmptyObject> => this.#ask('/admin/app/disable', request),
      /**
       * Enable an app. Requests are accepted and devices can connect again. Tasks that were cancelled because
       * the app was disabled stay cancelled. Requires an admin token with the scope `platform`.
       */
      enable: (request: AdminAppEnableRequest): Promise<EmptyObject> => this.#ask('/admin/app/enable', request),
    },
    token: {
      /**
       * Create an admin token. Creates an admin token of this app. It cannot have more scopes or a longer
       * lifetime than the token that creates it. The token is returned only once; only its hash is stored.
       * Requires an admin token with the scope `manage`.
       */
      create: (request: AdminTokenCreateRequest): Promise<AdminTokenCreateResponse> =>
        this.#ask('/admin/token/create', request),
      /**
       * List the admin tokens of this app. Returns at most 1,000 tokens that are not revoked, ordered by
       * creation. The tokens themselves are not stored, so they are not returned. Requires an admin token with
       * the scope `manage`.
       */
      list: (): Promise<readonly AdminToken[]> => this.#ask('/admin/token/list', {}),
      /**
       * Revoke an admin token. The token is rejected within five seconds. A token can revoke itself. Requires an
       * admin token with the scope `manage`.
       */
      revoke: (request: AdminTokenRevokeRequest): Promise<EmptyObject> => this.#ask('/admin/token/revoke', request),
    },
    user: {
      /**
       * Create a user. Creates a user with an ID that you choose or a generated one. If your app has its own
       * accounts, omit login names and password, and get tokens with `/admin/user/token`. The ID of a deleted
       * user cannot be used again. Requires an admin token with the scope `manage`.
       */
      create: (request: AdminUserCreateRequest = {}): Promise<AdminUserCreateResponse> =>
        this.#ask('/admin/user/create', request),
      /**
       * Find a user. Returns the user that matches exactly one of the fields. Mobile numbers and email addresses
       * match in any notation. Requires an admin token with the scope `manage`.
       */
      find: (request: AdminUserFindRequest = {}): Promise<User> => this.#ask('/admin/user/find', request),
      /**
       * List the users of the app. Returns the users, ordered by ID, in pages. Requires an admin token with the
       * scope `manage`.
       */
      list: (request: AdminUserListRequest = {}): Promise<AdminUserListResponse> =>
        this.#ask('/admin/user/list', request),
      /**
       * Change a user's login names. Sets the given login names and leaves the others unchanged. Existing logins
       * stay valid. Use `remove` to delete a login name. Requires an admin token with the scope `manage`.
       */
      update: (request: AdminUserUpdateRequest): Promise<User> => this.#ask('/admin/user/update', request),
      /**
       * Set a user's password. Sets the password and logs the user out everywhere, as `/admin/user/kick` does. A
       * blank password removes it: the user can then log in only with tokens from `/admin/user/token`. Requires
       * an admin token with the scope `manage`.
       */
      password: (request: AdminUserPasswordRequest): Promise<EmptyObject> => this.#ask('/admin/user/password', request),
      /**
       * Log a user out everywhere. Ends every login of the user. Tokens are rejected and sessions are closed
       * within five seconds. Nothing is delivered to the devices until the user logs in on them again. Requires
       * an admin token with the scope `manage`.
       */
      kick: (request: AdminUserKickRequest): Promise<EmptyObject> => this.#ask('/admin/user/kick', request),
      /**
       * Disable a user. The user can no longer log in, and every login ends. Tokens are rejected and sessions
       * are closed within five seconds. Nothing more is delivered to the devices on which the user was logged
       * in. Requires an admin token with the scope `manage`.
       */
      disable: (request: AdminUserDisableRequest): Promise<EmptyObject> => this.#ask('/admin/user/disable', request),
      /**
       * Enable a user. The user can log in again. Logins that ended when the user was disabled stay ended.
       * Requires an admin token with the scope `manage`.
       */
      enable: (request: AdminUserEnableRequest): Promise<EmptyObject> => this.#ask('/admin/user/enable', request),
      /**
       * Log a user in without a password. For an app that has its own accounts: after its backend has
       * authenticated a user, it gets a token for that user, as a login does. A disabled user gets no token.
       * Requires an admin token with the scope `manage`.
       */
      token: (request: AdminUserTokenRequest): Promise<TokenRecord> => this.#ask('/admin/user/token', request),
      /**
       * Delete a user. Erases the user: login names, password, tokens, group memberships, and devices with their
       * vendor tokens, tags, alias and waiting notifications. Accepted tasks keep only the user ID until their
       * data is dropped. The ID cannot be used again. If the call fails, repeat it. Requires an admin token with
       * the scope `manage`.
       */
      delete: (request: AdminUserDeleteRequest): Promise<EmptyObject> => this.#ask('/admin/user/delete', request),
    },
    group: {
      /**
       * Create a group. Creates a group without members. An admin token with the header `group_id` then reaches
       * only its members. Requires an admin token with the scope `manage`.
       */
      create: (request: AdminGroupCreateRequest): Promise<AdminGroupCreateResponse> =>
        this.#ask('/admin/group/create', request),
      /**
       * List the groups of the app. Returns the groups, ordered by ID, in pages. Requires an admin token with
       * the scope `manage`.
       */
      list: (request: AdminGroupListRequest = {}): Promise<AdminGroupListResponse> =>
        this.#ask('/admin/group/list', request),
      /**
       * Add members to a group. Users who are already members stay members. If one of the users does not exist,
       * no members are added. Requires an admin token with the scope `manage`.
       */
      add: (request: AdminGroupAddRequest): Promise<EmptyObject> => this.#ask('/admin/group/add', request),
      /**
       * List the members of a group. Returns the user IDs of the members in ascending order, in pages. Requires
       * an admin token with the scope `manage`.
       */
      members: (request: AdminGroupMembersRequest): Promise<AdminGroupMembersResponse> =>
        this.#ask('/admin/group/members', request),
      /**
       * Remove members from a group. Users who are not members are ignored. Requires an admin token with the
       * scope `manage`.
       */
      remove: (request: AdminGroupRemoveRequest): Promise<EmptyObject> => this.#ask('/admin/group/remove', request),
      /**
       * Delete a group. Deletes a group, but not the users in it. Scheduled tasks of the group reach no devices.
       * The ID cannot be used again. Requires an admin token with the scope `manage`.
       */
      delete: (request: AdminGroupDeleteRequest): Promise<EmptyObject> => this.#ask('/admin/group/delete', request),
    },
    certificate: {
      /**
       * Save the credentials for a vendor. Checks the credentials and replaces those for the same vendor and
       * environment. `docs/vendors/credentials.md` describes the fields that each vendor requires. APNs accepts
       * a p8 key or a p12 file exported from Keychain. Requires an admin token with the scope `manage`.
       */
      save: (request: AdminCertificateSaveRequest): Promise<Certificate> =>
        this.#ask('/admin/certificate/save', request),
      /**
       * List the credentials of the app. Returns all vendor credentials without their secrets, ordered by
       * expiry, soonest first. Requires an admin token with the scope `manage`.
       */
      list: (): Promise<readonly Certificate[]> => this.#ask('/admin/certificate/list', {}),
      /**
       * Check credentials with the vendor. Authenticates at the vendor with the saved credentials, as for a
       * notification, but reaches no device. Takes as long as the vendor needs to respond, at most ten seconds.
       * Requires an admin token with the scope `manage`.
       */
      check: (request: AdminCertificateCheckRequest): Promise<AdminCertificateCheckResponse> =>
        this.#ask('/admin/certificate/check', request),
      /**
       * Get the callback address for a vendor. Returns the path of the callback address. Configure the public
       * address of this API, followed by this path, at the vendor. The path is generated by the first call and
       * stays the same until you set `renew`. APNs and FCM do not send callbacks, so requests for these vendors
       * are rejected; apps report receipts with `/device/receipt` instead. Requires an admin token with the
       * scope `secrets`.
       */
      callback: (request: AdminCertificateCallbackRequest): Promise<AdminCertificateCallbackResponse> =>
        this.#ask('/admin/certificate/callback', request),
      /**
       * Delete the credentials for a vendor. Notifications are no longer sent through this vendor in this
       * environment. Every worker applies the change within three seconds. Requires an admin token with the
       * scope `manage`.
       */
      delete: (request: AdminCertificateDeleteRequest): Promise<EmptyObject> =>
        this.#ask('/admin/certificate/delete', request),
    },
    channel: {
      /**
       * List the status of vendor channels. Returns the status of each of the app's credentials: whether the
       * vendor accepts notifications, which daily quotas are used up and until when, and the current rate limit.
       * Requires an admin token with the scope `manage`.
       */
      list: (): Promise<readonly Channel[]> => this.#ask('/admin/channel/list', {}),
    },
    device: {
      /**
       * Find devices. Returns the devices that match exactly one of `push_token`, `device_guid`, `user_id`,
       * `alias` and `tag`, in pages. A device on which no user is logged in can be found only by `device_guid`.
       * Requires an admin token with the scope `manage`.
       */
      find: (request: AdminDeviceFindRequest = {}): Promise<AdminDeviceFindResponse> =>
        this.#ask('/admin/device/find', request),
      /**
       * Delete a device. Erases a device, identified by exactly one of `push_token` and `device_guid`. Its
       * tokens are rejected and its session is closed within five seconds, and nothing more is delivered to it.
       * A later login on it registers a new device. Requires an admin token with the scope `manage`.
       */
      delete: (request: AdminDeviceDeleteRequest = {}): Promise<EmptyObject> =>
        this.#ask('/admin/device/delete', request),
    },
    audit: {
      /**
       * List audit entries. Returns every read of a secret and every change made with an admin token of this
       * app, latest first, in pages. Entries are kept for 400 days. Requires an admin token with the scope
       * `manage`.
       */
      list: (request: AdminAuditListRequest = {}): Promise<AdminAuditListResponse> =>
        this.#ask('/admin/audit/list', request),
    },
    ledger: {
      /**
       * Check the invariants of the ledger. Checks a part of this app's tasks and counters with each call and
       * changes nothing. Examples of invariants: every received notification was sent, a device has one place
       * per task and channel, and a finished task has no open deliveries. The counters must equal the sums of
       * the bits in the ledger. Repeat the call with `next` until it is null. Requires an admin token with the
       * scope `manage`.
       */
      verify: (request: AdminLedgerVerifyRequest = {}): Promise<AdminLedgerVerifyResponse> =>
        this.#ask('/admin/ledger/verify', request),
    },
  };
}
