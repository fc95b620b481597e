// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

import type { OperationResult } from '../operation.ts';
import type {
  AdminAppCeilingsRequest,
  AdminAppCeilingsResponse,
  AdminAppCreateRequest,
  AdminAppCreateResponse,
  AdminAppDisableRequest,
  AdminAppEnableRequest,
  AdminAppUpdateRequest,
  AdminAuditListRequest,
  AdminAuditListResponse,
  AdminAuditVerifyRequest,
  AdminAuditVerifyResponse,
  AdminCertificateCallbackRequest,
  AdminCertificateCallbackResponse,
  AdminCertificateCheckRequest,
  AdminCertificateCheckResponse,
  AdminCertificateDeleteRequest,
  AdminCertificateSaveRequest,
  AdminChannelResumeRequest,
  AdminChannelResumeResponse,
  AdminDeviceDeleteRequest,
  AdminDeviceFindRequest,
  AdminDeviceFindResponse,
  AdminDeviceGetRequest,
  AdminDeviceGetResponse,
  AdminDeviceLogoutRequest,
  AdminDeviceNotificationsRequest,
  AdminDeviceNotificationsResponse,
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
  AdminLookupRequest,
  AdminLookupResponse,
  AdminTaskQuarantinedResponse,
  AdminTaskRetryRequest,
  AdminTaskRetryResponse,
  AdminToken,
  AdminTokenCreateRequest,
  AdminTokenCreateResponse,
  AdminTokenRevokeRequest,
  AdminUserCreateRequest,
  AdminUserCreateResponse,
  AdminUserDeleteRequest,
  AdminUserDisableRequest,
  AdminUserEnableRequest,
  AdminUserEraseRequest,
  AdminUserEraseResponse,
  AdminUserErasuresRequest,
  AdminUserErasuresResponse,
  AdminUserExportRequest,
  AdminUserExportResponse,
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
  DeviceStateRequest,
  DeviceTagRequest,
  DeviceTagResponse,
  DeviceUnbindRequest,
  Draft,
  EmptyObject,
  OperationPath,
  Operator,
  OperatorCreateRequest,
  OperatorDisableRequest,
  OperatorEnableRequest,
  OperatorListRequest,
  OperatorListResponse,
  OperatorLoginRequest,
  OperatorMethodsResponse,
  OperatorPasswordRequest,
  OperatorRoleSetRequest,
  OperatorSession,
  OperatorSessionListRequest,
  OperatorSessionRevokeRequest,
  OperatorUpdateRequest,
  PushCertificate,
  PushCertificateRequest,
  PushDraftApproveRequest,
  PushDraftApproveResponse,
  PushDraftCreateRequest,
  PushDraftGetRequest,
  PushDraftGetResponse,
  PushDraftListRequest,
  PushDraftListResponse,
  PushDraftRejectRequest,
  PushNotifyRequest,
  PushNotifyResponse,
  PushStatistics,
  PushStatisticsDailyRequest,
  PushStatisticsDailyResponse,
  PushTaskCancelRequest,
  PushTaskCancelResponse,
  PushTaskDetailRequest,
  PushTaskListRequest,
  PushTaskListResponse,
  PushTaskReportRequest,
  PushTaskReportResponse,
  PushTaskTraceRequest,
  PushTaskTraceResponse,
  PushValidateRequest,
  PushValidateResponse,
  Requests,
  Responses,
  SignedInOperator,
  TokenIdRequest,
  TokenLoginRequest,
  TokenRecord,
  TokenUserRequest,
  User,
  UserPasswordRequest,
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
     * Get an access token by user ID and password. Returns an access token for a user. Only the header
     * `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong
     * password cause the same error. A user can have at most 100 access tokens; a further login revokes the
     * oldest.
     */
    id: (request: TokenIdRequest): Promise<TokenRecord> => this.#ask('/token/id', request),
    /**
     * Get an access token by login name and password. Returns an access token for a user. Only the header
     * `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong
     * password cause the same error. A user can have at most 100 access tokens; a further login revokes the
     * oldest. A login name that contains `@` is an email address. A login name without letters is a mobile
     * number, and any other is a user name. Mobile numbers match in any common format, and email addresses
     * match in upper or lower case.
     */
    login: (request: TokenLoginRequest): Promise<TokenRecord> => this.#ask('/token/login', request),
    /**
     * Get an access token by user name and password. Returns an access token for a user. Only the header
     * `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong
     * password cause the same error. A user can have at most 100 access tokens; a further login revokes the
     * oldest.
     */
    user: (request: TokenUserRequest): Promise<TokenRecord> => this.#ask('/token/user', request),
    /**
     * Log out. Revokes the access token of this call. If the token was issued for a device, the device is
     * logged out. Its connection is closed, and its push token, vendor tokens, tags, alias and waiting
     * notifications are deleted. Nothing is delivered to the device until a user logs in on it again. To
     * revoke an admin token, use `/admin/token/revoke`.
     */
    logout: (): Promise<EmptyObject> => this.#ask('/token/logout', {}),
  };

  readonly user = {
    /**
     * Register a user. Creates a user and logs the user in. The app setting `registration` must be true. At
     * least one of `name`, `mobile` and `email` is required. Carillon does not verify mobile numbers and email
     * addresses.
     */
    register: (request: UserRegisterRequest): Promise<TokenRecord> => this.#ask('/user/register', request),
    /**
     * Change your password. Changes the password of the user who owns the access token. All other access
     * tokens of the user are revoked, and the user is logged out of all devices except the device of this
     * call. Wrong values of `old_password` have the same limits as failed logins. You can repeat the call with
     * the same fields after an error. To set the password of another user, use `/admin/user/password`.
     */
    password: (request: UserPasswordRequest): Promise<EmptyObject> => this.#ask('/user/password', request),
  };

  readonly push = {
    /**
     * Get the credentials for a vendor. Returns the credentials of the app for one vendor and environment.
     * With an admin token, the response contains all values. With an access token, `app_secret` and
     * `certificate` are empty, because they are secrets of the server. OPPO is an exception: with an access
     * token, `app_secret` is the AppSecret, which the app needs. The MasterSecret of OPPO is never returned to
     * an app. For Web Push, `app_key` is the public VAPID key, which a page passes to `pushManager.subscribe`
     * as `applicationServerKey`. An admin token needs the scope `secrets`.
     */
    certificate: (request: PushCertificateRequest): Promise<PushCertificate> => this.#ask('/push/certificate', request),
    /**
     * Send a push notification. Accepts a notification for an audience and returns a task ID. The task is
     * stored durably before the response is sent. Carillon retries the task until it is delivered, rejected by
     * every channel, or expires. `audience` and `message` must not be blank. An audience without devices is
     * not an error. An admin token can notify all devices of the app. With the header `group_id`, it can
     * notify only the devices of group members. The app setting `user_push` determines which devices an access
     * token can notify. Unknown fields are ignored, and the response header `carillon-ignored-fields` lists
     * them. An unknown field whose name is close to a known field of the same object is rejected, unless the
     * app setting `reject_typos` is off. An admin token needs the scope `push`.
     */
    notify: (request: PushNotifyRequest): Promise<PushNotifyResponse> => this.#ask('/push/notify', request),
    task: {
      /**
       * Query push statistics. Returns the counters of each task: three for each of the nine specified channels.
       * If the app setting `extra_counters` is on, the counters of `harmony`, `webpush` follow. Without it,
       * devices on these channels are in no counter of this response; `/push/task/report` always contains them.
       * The counters are exact at the time of the request. Task data is deleted after `CARILLON_RETENTION_DAYS`.
       * After that, this call returns the final counters until `CARILLON_COUNTS_DAYS` have passed. Tasks that do
       * not exist, or that the caller cannot see, are omitted. The response has the order of the request, and
       * contains each task only once. An admin token needs the scope `push`.
       */
      detail: (request: PushTaskDetailRequest): Promise<readonly PushStatistics[]> =>
        this.#ask('/push/task/detail', request),
      /**
       * List push tasks. Returns the tasks that the caller can see, latest first, one page at a time. An admin
       * can see all tasks of the app. A group admin can see the tasks of the group, and a user the tasks that
       * the user created. With filters, a page can have fewer rows than `limit`, or none, because a call reads
       * at most 5,000 rows. The list ends when `next` is null. Tasks are listed for `CARILLON_RETENTION_DAYS`.
       * For older tasks, `/push/task/detail` still returns the counters. An admin token needs the scope `push`.
       */
      list: (request: PushTaskListRequest = {}): Promise<PushTaskListResponse> => this.#ask('/push/task/list', request),
      /**
       * Report the results of a push task. Returns the counters of a task for each channel that was used, with
       * clicks and with the reasons of failures. The counters are exact at the time of the request, unless
       * `incomplete` is true. Failures are the last reasons for which devices were not reached through a
       * channel; these devices may have been reached through another one. After the data of a task was deleted,
       * the response contains its final counters without failures and recalls. An admin token needs the scope
       * `push`.
       */
      report: (request: PushTaskReportRequest): Promise<PushTaskReportResponse> =>
        this.#ask('/push/task/report', request),
      /**
       * Trace a push task to a device. Explains why the notification of a task reached or did not reach a
       * device. Send either `push_token`, to trace one device, or `user_id`, to trace all devices of a user.
       * Returns every attempt in order, with the code of the channel and an explanation. The caller can trace
       * the tasks that `/push/task/list` returns. An admin can trace them to all devices, a group admin to
       * devices of group members, and a user to their own devices. The header `accept-language` selects the
       * language of sentences: English or Chinese. An admin token needs the scope `push`.
       */
      trace: (request: PushTaskTraceRequest): Promise<PushTaskTraceResponse> => this.#ask('/push/task/trace', request),
      /**
       * Cancel a push task. Cancels the deliveries that have not been sent yet. These are deliveries to devices
       * that were not tried, that wait for a retry, or whose inbox contains the notification. A delivery in
       * progress may still reach its device. With `recall`, workers also remove delivered notifications from
       * devices, for up to 24 hours, on channels that support it. `/push/task/report` returns the results of the
       * recall. The cancellation is stored before the response is sent, and no delivery starts more than 5
       * seconds after it. You can repeat the call. A finished task stays unchanged, but it can be recalled. An
       * admin token needs the scope `push`.
       */
      cancel: (request: PushTaskCancelRequest): Promise<PushTaskCancelResponse> =>
        this.#ask('/push/task/cancel', request),
    },
    statistics: {
      /**
       * Query push statistics by day and channel. Returns the counters of all tasks of the app, added up by day
       * and channel. A task belongs to the day in UTC on which it was accepted. The counters are stored sums,
       * which a worker refreshes about once a minute. Only days and channels with at least one device are in the
       * list. Counters are kept for `CARILLON_COUNTS_DAYS`. Requires an admin token with the scope `push`.
       */
      daily: (request: PushStatisticsDailyRequest): Promise<PushStatisticsDailyResponse> =>
        this.#ask('/push/statistics/daily', request),
    },
    /**
     * Check a notification without sending it. Accepts the same request as `/push/notify`, but sends nothing.
     * Returns the number of devices that the notification would reach now, and the content that vendors would
     * truncate. Also returns restrictions by vendors, such as a lower message class or a daily limit per
     * device, and a preview for each channel. `request_id` is not recorded, so you can use it afterwards. The
     * header `accept-language` selects the language of sentences: English or Chinese. An admin token needs the
     * scope `push`.
     */
    validate: (request: PushValidateRequest): Promise<PushValidateResponse> => this.#ask('/push/validate', request),
    draft: {
      /**
       * Create a draft of a notification. Checks a request of `/push/notify`, counts the devices of its
       * audience, and stores it as a draft. Nothing is sent until `/push/draft/approve` is called. If the
       * audience has more devices than the app setting `approval_above`, only another token can approve the
       * draft. The same applies if a database was unavailable during the count. A draft is deleted after 7 days.
       * If the same token repeats a request with a `request_id`, the first draft is returned. An app can have
       * 1,000 open drafts. Access tokens of users cannot use drafts. An admin can see all drafts of the app, and
       * a group admin those of the group. An admin token needs the scope `push`.
       */
      create: (request: PushDraftCreateRequest): Promise<Draft> => this.#ask('/push/draft/create', request),
      /**
       * Get a draft with its request. Returns a draft and the request of `/push/notify` that it contains.
       * Requires an admin token. An admin token needs the scope `push`.
       */
      get: (request: PushDraftGetRequest): Promise<PushDraftGetResponse> => this.#ask('/push/draft/get', request),
      /**
       * List drafts. Returns the drafts that the caller can see, latest first, one page at a time. Drafts are
       * listed for 7 days. Requires an admin token. An admin token needs the scope `push`.
       */
      list: (request: PushDraftListRequest = {}): Promise<PushDraftListResponse> =>
        this.#ask('/push/draft/list', request),
      /**
       * Approve a draft and send its notification. Checks the request of the draft again, and accepts it like
       * `/push/notify`. Returns the task ID. The author of the task is the author of the draft. If the draft
       * needs approval, the token that created it cannot approve it. For this decision, the devices of the
       * audience are counted again, and the larger number counts. You can repeat the call: the notification is
       * sent once, also if several tokens approve the draft at the same time. Requires an admin token. An admin
       * token needs the scope `push`.
       */
      approve: (request: PushDraftApproveRequest): Promise<PushDraftApproveResponse> =>
        this.#ask('/push/draft/approve', request),
      /**
       * Reject a draft. Ends a draft, so that it cannot be approved. Every admin who can see the draft can
       * reject it, including its creator. You can repeat the call: the first reason stays. Requires an admin
       * token. An admin token needs the scope `push`.
       */
      reject: (request: PushDraftRejectRequest): Promise<EmptyObject> => this.#ask('/push/draft/reject', request),
    },
  };

  readonly device = {
    /**
     * Bind a vendor token to a device. Registers the token that a vendor issued for a device. A vendor token
     * belongs to the device that registered it last. A device has one vendor token per vendor, and a new one
     * replaces the previous one. An admin token needs the scope `manage`.
     */
    bind: (request: DeviceBindRequest): Promise<EmptyObject> => this.#ask('/device/bind', request),
    /**
     * Unbind a vendor token from a device. Carillon then no longer sends notifications to the device through
     * this vendor. If the device has no token of this vendor, the call also succeeds. An admin token needs the
     * scope `manage`.
     */
    unbind: (request: DeviceUnbindRequest): Promise<EmptyObject> => this.#ask('/device/unbind', request),
    /**
     * List the devices of a user. Returns the devices on which the user is logged in, at most 20. The device
     * that was seen last comes first. With an admin token, set the header `user_id` to choose the user. An
     * admin token needs the scope `manage`.
     */
    list: (): Promise<readonly Device[]> => this.#ask('/device/list', {}),
    /**
     * Change the tags of a device. The call first applies `clear`, then `remove`, then `add`. A device can
     * have at most 100 tags of at most 64 bytes each. A request that would exceed this limit is rejected and
     * changes nothing. A request without these three fields only returns the tags. An admin token needs the
     * scope `manage`.
     */
    tag: (request: DeviceTagRequest = {}): Promise<DeviceTagResponse> => this.#ask('/device/tag', request),
    /**
     * Set the alias of a device. A device has at most one alias. Devices of the same user can share an alias.
     * If a device of another user has this alias, the call is rejected. An admin token needs the scope
     * `manage`.
     */
    alias: (request: DeviceAliasRequest = {}): Promise<DeviceAliasResponse> => this.#ask('/device/alias', request),
    /**
     * Set the badge number of a device. Stores the badge number that the app icon of an iPhone or a web app
     * shows. If the next notification has a relative badge, such as `+1`, Carillon adds it to this number.
     * Apps usually report 0 when the user opens them. An admin token needs the scope `manage`.
     */
    badge: (request: DeviceBadgeRequest = {}): Promise<DeviceBadgeResponse> => this.#ask('/device/badge', request),
    /**
     * Report received or clicked notifications. Reports notifications that arrived through a vendor, by the
     * `reference` in each notification. APNs, FCM and Web Push do not report delivery, so these reports are
     * their only receipts. A notification that is reported twice counts once. References of other devices, and
     * of notifications that were not sent to this device, are ignored. An admin token needs the scope
     * `manage`.
     */
    receipt: (request: DeviceReceiptRequest): Promise<DeviceReceiptResponse> => this.#ask('/device/receipt', request),
    /**
     * Report the state of a device. Stores the state that the app on a device reports, with the time.
     * `/push/task/trace` uses it to explain why a notification was not displayed. Call the operation after
     * each login, at each start of the app, and when the state changes. A call replaces the earlier report,
     * and an omitted field removes its earlier value. A logout deletes the report. An equal report is stored
     * at most once a day. An admin token needs the scope `manage`.
     */
    state: (request: DeviceStateRequest = {}): Promise<EmptyObject> => this.#ask('/device/state', request),
  };

  readonly admin = {
    app: {
      /**
       * Get this app. Returns the app to which the admin token belongs, with its settings. Requires an admin
       * token with the scope `manage`.
       */
      get: (): Promise<App> => this.#ask('/admin/app/get', {}),
      /**
       * Change this app's settings. Sets the given fields and leaves the others unchanged. All processes apply
       * the new settings within three seconds. Requires an admin token with the scope `manage`.
       */
      update: (request: AdminAppUpdateRequest = {}): Promise<App> => this.#ask('/admin/app/update', request),
      /**
       * Create an app. Creates an app with a new key pair, and an admin token for the new app. The admin token
       * is returned only once. This operation is for operators of the whole installation: its scope `platform`
       * is not included in `*`. Requires an admin token with the scope `platform`.
       */
      create: (request: AdminAppCreateRequest): Promise<AdminAppCreateResponse> =>
        this.#ask('/admin/app/create', request),
      /**
       * Set the ceilings of an app. Sets the given ceilings of an app, and leaves the others unchanged. Returns
       * all ceilings of the app and its usage. All processes apply new ceilings within seconds, and gateways
       * within `CARILLON_USAGE_COUNT_SECONDS`. A ceiling below the current usage deletes nothing, but the app
       * cannot add anything until its usage is lower. The admins of the app can read its ceilings with
       * `/admin/app/get`, but cannot change them. Requires an admin token with the scope `platform`.
       */
      ceilings: (request: AdminAppCeilingsRequest): Promise<AdminAppCeilingsResponse> =>
        this.#ask('/admin/app/ceilings', request),
      /**
       * List all apps of the installation. Returns all apps, ordered by app ID, at most 1,000. This operation is
       * for operators of the whole installation. Requires an admin token with the scope `platform`.
       */
      list: (): Promise<readonly App[]> => this.#ask('/admin/app/list', {}),
      /**
       * Disable an app. Within five seconds, all requests for the app are rejected, and all connections of its
       * devices are closed. Its open and scheduled tasks are cancelled as with `/push/task/cancel`, which takes
       * several seconds for thousands of tasks. The data of the app is kept. An app cannot disable itself.
       * Requires an admin token with the scope `platform`.
       */
      disable: (request: AdminAppDisableRequest): Promise<EmptyObject> => this.#ask('/admin/app/disable', request),
      /**
       * Enable an app. Requests for the app are accepted again, and its devices can connect again. Tasks that
       * were cancelled because the app was disabled stay cancelled. Requires an admin token with the scope
       * `platform`.
       */
      enable: (request: AdminAppEnableRequest): Promise<EmptyObject> => this.#ask('/admin/app/enable', request),
    },
    token: {
      /**
       * Create an admin token. The new token belongs to this app. It cannot have more scopes or a longer
       * lifetime than the token that creates it. It is returned only once, because Carillon stores only its
       * hash. Requires an admin token with the scope `manage`.
       */
      create: (request: AdminTokenCreateRequest): Promise<AdminTokenCreateResponse> =>
        this.#ask('/admin/token/create', request),
      /**
       * List the admin tokens of this app. Returns the admin tokens that are not revoked, oldest first, at most
       * 1,000. The values of the tokens are not returned, because Carillon stores only their hashes. Requires an
       * admin token with the scope `manage`.
       */
      list: (): Promise<readonly AdminToken[]> => this.#ask('/admin/token/list', {}),
      /**
       * Revoke an admin token. Also revokes all admin tokens that were created with this token, and all access
       * tokens that these admin tokens created with `/admin/user/token`. All processes reject them within five
       * seconds. A token can revoke itself, but not a token with scopes that it does not have. Requires an admin
       * token with the scope `manage`.
       */
      revoke: (request: AdminTokenRevokeRequest): Promise<EmptyObject> => this.#ask('/admin/token/revoke', request),
    },
    user: {
      /**
       * Create a user. Creates a user with an ID that you choose, or with a generated ID. If your app has its
       * own accounts, omit login names and password, and get access tokens with `/admin/user/token`. The ID of a
       * deleted user cannot be used again. Requires an admin token with the scope `manage`.
       */
      create: (request: AdminUserCreateRequest = {}): Promise<AdminUserCreateResponse> =>
        this.#ask('/admin/user/create', request),
      /**
       * Find a user. Returns one user. Send exactly one of `user_id`, `name`, `mobile` and `email`. Mobile
       * numbers match in any common format, and email addresses match in upper or lower case. Requires an admin
       * token with the scope `manage`.
       */
      find: (request: AdminUserFindRequest = {}): Promise<User> => this.#ask('/admin/user/find', request),
      /**
       * List the users of the app. Returns the users, ordered by ID, one page at a time. Requires an admin token
       * with the scope `manage`.
       */
      list: (request: AdminUserListRequest = {}): Promise<AdminUserListResponse> =>
        this.#ask('/admin/user/list', request),
      /**
       * Change a user's login names. Sets the given login names and leaves the others unchanged. Existing logins
       * stay valid. To delete a login name, list it in `remove`. Requires an admin token with the scope
       * `manage`.
       */
      update: (request: AdminUserUpdateRequest): Promise<User> => this.#ask('/admin/user/update', request),
      /**
       * Set a user's password. Sets the password of a user and ends all logins of the user, as
       * `/admin/user/kick` does. A blank password removes the existing one. The user then needs access tokens
       * from `/admin/user/token`. Requires an admin token with the scope `manage`.
       */
      password: (request: AdminUserPasswordRequest): Promise<EmptyObject> => this.#ask('/admin/user/password', request),
      /**
       * Log a user out everywhere. Ends all logins of a user. Within five seconds, the access tokens of the user
       * are rejected, and the connections are closed. Nothing is delivered to the devices of the user until a
       * user logs in on them again. Requires an admin token with the scope `manage`.
       */
      kick: (request: AdminUserKickRequest): Promise<EmptyObject> => this.#ask('/admin/user/kick', request),
      /**
       * Disable a user. Ends all logins of a user and prevents new ones. Within five seconds, the access tokens
       * of the user are rejected, and the connections are closed. Nothing more is delivered to the devices of
       * the user. Requires an admin token with the scope `manage`.
       */
      disable: (request: AdminUserDisableRequest): Promise<EmptyObject> => this.#ask('/admin/user/disable', request),
      /**
       * Enable a user. Allows a disabled user to log in again. Logins that ended when the user was disabled are
       * not restored. Requires an admin token with the scope `manage`.
       */
      enable: (request: AdminUserEnableRequest): Promise<EmptyObject> => this.#ask('/admin/user/enable', request),
      /**
       * Log a user in without a password. Returns an access token for a user whom your backend has
       * authenticated. Use this operation if your app has its own accounts. The response has the same fields as
       * the response of a login. The call is rejected if the user is disabled. Requires an admin token with the
       * scope `manage`.
       */
      token: (request: AdminUserTokenRequest): Promise<TokenRecord> => this.#ask('/admin/user/token', request),
      /**
       * Export the personal data of a user. Returns the stored data about a user: login names, access tokens
       * (without their values), devices, groups, tasks and drafts to or from the user with their messages,
       * counters of old tasks, and audit entries. Tasks and drafts to all devices, tags or groups are not
       * included. Each call returns one page, which can be empty. Repeat the call with `next` of the response as
       * `after`, until `next` is null. Requires an admin token with the scope `manage`.
       */
      export: (request: AdminUserExportRequest): Promise<AdminUserExportResponse> =>
        this.#ask('/admin/user/export', request),
      /**
       * Delete a user. Deletes a user with login names, password, access tokens and group memberships. Also
       * deletes the devices of the user with their vendor tokens, tags, aliases and waiting notifications.
       * Existing tasks keep the user ID until their data is deleted; `/admin/user/erase` removes it. The ID
       * cannot be used again. If the call fails, repeat it. Requires an admin token with the scope `manage`.
       */
      delete: (request: AdminUserDeleteRequest): Promise<EmptyObject> => this.#ask('/admin/user/delete', request),
      /**
       * Erase the personal data of a user. Deletes a user like `/admin/user/delete`, and removes the user from
       * stored tasks, counters and idempotency keys. Audit entries are kept for 400 days. The text of
       * notifications whose only recipient is the user is erased too; if such a notification is not finished, it
       * is cancelled. The user is deleted before the response. Workers erase the rest within about 10 minutes,
       * or when an unavailable database is back; `/admin/user/erasures` returns the progress. A repeated call
       * changes nothing while the erasure is running, and starts it again afterwards. You can also erase a user
       * who was deleted before. Requires an admin token with the scope `manage`.
       */
      erase: (request: AdminUserEraseRequest): Promise<AdminUserEraseResponse> =>
        this.#ask('/admin/user/erase', request),
      /**
       * List erasures of users. Returns the erasures that `/admin/user/erase` started, with their progress,
       * latest first, one page at a time. With `user_id`, returns only the erasure of this user. Entries are
       * kept, because they prove the erasure and prevent the reuse of the ID. Requires an admin token with the
       * scope `manage`.
       */
      erasures: (request: AdminUserErasuresRequest = {}): Promise<AdminUserErasuresResponse> =>
        this.#ask('/admin/user/erasures', request),
    },
    group: {
      /**
       * Create a group. Creates a group without members. A call with an admin token and the header `group_id`
       * reaches only the members of that group. Requires an admin token with the scope `manage`.
       */
      create: (request: AdminGroupCreateRequest): Promise<AdminGroupCreateResponse> =>
        this.#ask('/admin/group/create', request),
      /**
       * List the groups of the app. Returns the groups, ordered by ID, one page at a time. Requires an admin
       * token with the scope `manage`.
       */
      list: (request: AdminGroupListRequest = {}): Promise<AdminGroupListResponse> =>
        this.#ask('/admin/group/list', request),
      /**
       * Add members to a group. Users who are already members stay members. If one of the users does not exist,
       * no members are added. Requires an admin token with the scope `manage`.
       */
      add: (request: AdminGroupAddRequest): Promise<EmptyObject> => this.#ask('/admin/group/add', request),
      /**
       * List the members of a group. Returns the user IDs of the members in ascending order, one page at a time.
       * Requires an admin token with the scope `manage`.
       */
      members: (request: AdminGroupMembersRequest): Promise<AdminGroupMembersResponse> =>
        this.#ask('/admin/group/members', request),
      /**
       * Remove members from a group. Users who are not members are ignored. Requires an admin token with the
       * scope `manage`.
       */
      remove: (request: AdminGroupRemoveRequest): Promise<EmptyObject> => this.#ask('/admin/group/remove', request),
      /**
       * Delete a group. Deletes a group, but not its members. Scheduled tasks of the group then reach no
       * devices. The ID of a deleted group cannot be used again. Requires an admin token with the scope
       * `manage`.
       */
      delete: (request: AdminGroupDeleteRequest): Promise<EmptyObject> => this.#ask('/admin/group/delete', request),
    },
    certificate: {
      /**
       * Save the credentials for a vendor. The new credentials replace those for the same vendor and
       * environment. For Web Push, saving without `app_key` and `app_secret` keeps the saved key pair, or
       * creates one if there is none. The page "Vendor credentials" in the documentation lists the fields that
       * each vendor requires. Requires an admin token with the scope `manage`.
       */
      save: (request: AdminCertificateSaveRequest): Promise<Certificate> =>
        this.#ask('/admin/certificate/save', request),
      /**
       * List the credentials of the app. Returns the credentials of the app for all vendors, without secrets.
       * The credentials that expire first come first. Requires an admin token with the scope `manage`.
       */
      list: (): Promise<readonly Certificate[]> => this.#ask('/admin/certificate/list', {}),
      /**
       * Check credentials with the vendor. Authenticates at the vendor with the saved credentials, without
       * sending a notification to a device. The call lasts until the vendor responds, at most ten seconds. The
       * header `accept-language` selects the language of sentences: English or Chinese. Requires an admin token
       * with the scope `manage`.
       */
      check: (request: AdminCertificateCheckRequest): Promise<AdminCertificateCheckResponse> =>
        this.#ask('/admin/certificate/check', request),
      /**
       * Get the callback path for a vendor. Returns the path of the callback URL, to which a vendor sends
       * receipts. The callback URL is the public URL of this API followed by this path. Save it in the console
       * of Huawei, Honor, vivo or Meizu. Carillon sends it with each message to Xiaomi, OPPO and Meizu. The
       * first call generates the path, which stays the same until you set `renew`. APNs and FCM do not send
       * callbacks, so the call is rejected for them; use `/device/receipt` instead. Requires an admin token with
       * the scope `secrets`.
       */
      callback: (request: AdminCertificateCallbackRequest): Promise<AdminCertificateCallbackResponse> =>
        this.#ask('/admin/certificate/callback', request),
      /**
       * Delete the credentials for a vendor. Carillon then no longer sends notifications through this vendor in
       * this environment. All workers apply the change within three seconds. Requires an admin token with the
       * scope `manage`.
       */
      delete: (request: AdminCertificateDeleteRequest): Promise<EmptyObject> =>
        this.#ask('/admin/certificate/delete', request),
    },
    channel: {
      /**
       * List the status of vendor channels. Returns one row for each of the saved credentials. It shows whether
       * the channel is paused, which daily quotas are used up, how much of a quota is used, the current rate
       * limit, the last response of the vendor, and the time of its last receipt. The header `accept-language`
       * selects the language of sentences: English or Chinese. Requires an admin token with the scope `manage`.
       */
      list: (): Promise<readonly Channel[]> => this.#ask('/admin/channel/list', {}),
      /**
       * Resume a paused vendor channel. Ends the pause of a channel, instead of waiting for a successful probe.
       * Call it after you have removed the cause of the pause, for example at the vendor. If the channel is
       * paused, the call takes about a second, until all workers know that it is open. Carillon then sends new
       * notifications immediately, and retries the 1,000 oldest waiting batches of each database within seconds.
       * It retries the others at their next attempt, within about five minutes. If the vendor still does not
       * respond or rejects the credentials, the channel is paused again after the next calls. Requires an admin
       * token with the scope `manage`.
       */
      resume: (request: AdminChannelResumeRequest): Promise<AdminChannelResumeResponse> =>
        this.#ask('/admin/channel/resume', request),
    },
    device: {
      /**
       * Find devices. Returns matching devices, one page at a time. Send exactly one of `push_token`,
       * `device_guid`, `user_id`, `alias` or `tag`. A `device_guid` has one device for each user who has logged
       * in with it. A device on which no user is logged in can be found only by `device_guid`. Requires an admin
       * token with the scope `manage`.
       */
      find: (request: AdminDeviceFindRequest = {}): Promise<AdminDeviceFindResponse> =>
        this.#ask('/admin/device/find', request),
      /**
       * Get a device with its inbox and connection. Returns a device with its badge, the notifications that wait
       * in its inbox, and its connection to the Carillon channel. Requires an admin token with the scope
       * `manage`.
       */
      get: (request: AdminDeviceGetRequest): Promise<AdminDeviceGetResponse> => this.#ask('/admin/device/get', request),
      /**
       * List the notifications of a user or device. Returns the notifications for one device, or for all devices
       * of a user, latest first, one page at a time. Send either `push_token` or `user_id`. Each row has the
       * state and the explanation of `/push/task/trace`, which returns the single attempts. A notification is
       * listed when its audience is resolved to devices, for `CARILLON_RETENTION_DAYS`. A call searches a
       * limited number of notifications, so a page can have few rows or none although `next` is not null. A
       * device that its user was logged out of is listed only with `user_id`. The header `accept-language`
       * selects the language of sentences: English or Chinese. Requires an admin token with the scope `manage`.
       */
      notifications: (request: AdminDeviceNotificationsRequest = {}): Promise<AdminDeviceNotificationsResponse> =>
        this.#ask('/admin/device/notifications', request),
      /**
       * Log a user out on one device. Ends the login on a device, for example on a lost phone. Within five
       * seconds, the access tokens of this login are rejected, and the connection of the device is closed.
       * Nothing is delivered to the device until a user logs in on it again. Other logins of the user stay
       * valid. Requires an admin token with the scope `manage`.
       */
      logout: (request: AdminDeviceLogoutRequest): Promise<EmptyObject> => this.#ask('/admin/device/logout', request),
      /**
       * Delete a device. Deletes a device with all its data. Send exactly one of `push_token` and `device_guid`.
       * With `device_guid`, the devices of all users who have logged in with it are deleted. Within five
       * seconds, the access tokens of the device are rejected, and its connection is closed. Nothing more is
       * delivered to the device. A later login on the device registers a new device. Requires an admin token
       * with the scope `manage`.
       */
      delete: (request: AdminDeviceDeleteRequest = {}): Promise<EmptyObject> =>
        this.#ask('/admin/device/delete', request),
    },
    audit: {
      /**
       * List audit entries. Returns the calls with admin tokens of this app and of operators that changed data
       * or read a secret, and the calls with which users changed their password. The latest entry is first. An
       * entry is written before the call runs, and is never changed. A call that creates an object has a second
       * entry with the ID of the object. With filters, a page can have fewer rows than `limit`, or none, because
       * a call reads at most 5,000 rows. The list ends when `next` is null. Entries are kept for 400 days.
       * Requires an admin token with the scope `manage`.
       */
      list: (request: AdminAuditListRequest = {}): Promise<AdminAuditListResponse> =>
        this.#ask('/admin/audit/list', request),
      /**
       * Verify the audit log. Computes the hashes of the audit entries of all apps again, and compares them with
       * the stored chain of hashes. It changes nothing. Each call checks up to 1,000 entries. Repeat the call
       * with `next` of the response as `after`, until `next` is null. The check ends at the first entry that
       * does not match. Keep the last `hash` outside the database, and send it as `expect` the next time.
       * Otherwise, an attacker who controls the database could remove the last entries, or compute all hashes
       * again. Requires an admin token with the scope `platform`.
       */
      verify: (request: AdminAuditVerifyRequest = {}): Promise<AdminAuditVerifyResponse> =>
        this.#ask('/admin/audit/verify', request),
    },
    ledger: {
      /**
       * Check the invariants of the ledger. Checks the tasks and counters of this app for violated invariants,
       * and changes nothing. For example, every received notification must have been sent, and the counters must
       * equal the sums in the ledger. Each call checks one part. Repeat the call with `next` of the response as
       * `after`, until `next` is null. Requires an admin token with the scope `manage`.
       */
      verify: (request: AdminLedgerVerifyRequest = {}): Promise<AdminLedgerVerifyResponse> =>
        this.#ask('/admin/ledger/verify', request),
    },
    /**
     * Look up any ID. Returns the users, devices, tasks and groups that a string can identify, at most 20. The
     * string can be a user ID, user name, mobile number, email address, alias, push token, `device_guid`,
     * vendor token, task ID, `request_id` or group ID. A number can have several matches. Mobile numbers match
     * in any common format. A `request_id` is found only if an admin sent it, not a user or a group admin. The
     * header `X-Request-Id` is not stored, so it cannot be found here. Search the access log of your proxy for
     * it. Use `task_id` with `user_id` or `push_token` in `/push/task/trace`. Requires an admin token with the
     * scope `manage`.
     */
    lookup: (request: AdminLookupRequest): Promise<AdminLookupResponse> => this.#ask('/admin/lookup', request),
    task: {
      /**
       * List quarantined tasks. Returns up to 1,000 tasks of this app that have quarantined work, starting with
       * the last failure. Work is quarantined after five failures that only it caused, and is not retried. Fix
       * the cause, and call `/admin/task/retry`. To give the task up, call `/push/task/cancel`. Requires an
       * admin token with the scope `manage`.
       */
      quarantined: (): Promise<AdminTaskQuarantinedResponse> => this.#ask('/admin/task/quarantined', {}),
      /**
       * Retry a quarantined task. Makes the quarantined work of a task due. A worker processes it within
       * seconds. If it fails four more times, it is quarantined again. Entries that are finished are not sent
       * again. `/admin/task/quarantined` lists these tasks. Requires an admin token with the scope `manage`.
       */
      retry: (request: AdminTaskRetryRequest): Promise<AdminTaskRetryResponse> =>
        this.#ask('/admin/task/retry', request),
    },
  };

  readonly operator = {
    /**
     * Show how operators can sign in. Returns the ways in which operators can sign in to the console. Requires
     * no header.
     */
    methods: (): Promise<OperatorMethodsResponse> => this.#ask('/operator/methods', {}),
    /**
     * Sign in as an operator. Checks the password of an operator, and starts a session of at most 12 hours,
     * which ends after 2 hours without a request. The session is in a cookie that scripts cannot read. Every
     * other request of the session must have the header `carillon-csrf` with the value of `csrf_token`. An
     * unknown operator and a wrong password cause the same error.
     */
    login: (request: OperatorLoginRequest): Promise<SignedInOperator> => this.#ask('/operator/login', request),
    /**
     * Show the operator who is signed in. Returns the operator of the session, and the CSRF token that all
     * other requests of the session need. This operation itself needs no CSRF token. Requires the session of
     * an operator.
     */
    session: (): Promise<SignedInOperator> => this.#ask('/operator/session', {}),
    /** Sign out. Ends the session and deletes its cookie. Requires the session of an operator. */
    logout: (): Promise<EmptyObject> => this.#ask('/operator/logout', {}),
    /**
     * Change your password as an operator. Changes the password of the operator who is signed in, and ends all
     * other sessions of the operator. Wrong values of `old_password` have the same limits as failed sign-ins.
     * Requires the session of an operator.
     */
    password: (request: OperatorPasswordRequest): Promise<EmptyObject> => this.#ask('/operator/password', request),
    /**
     * List the sessions of an operator. Returns the sessions of the operator who is signed in, the latest
     * first, at most 50. A platform operator can choose another operator. Requires the session of an operator.
     */
    sessionList: (request: OperatorSessionListRequest = {}): Promise<readonly OperatorSession[]> =>
      this.#ask('/operator/session/list', request),
    /**
     * End sessions of an operator. Ends a session of the operator who is signed in. A platform operator can
     * choose another operator. With `operator_id` and without `session_id`, all sessions of the operator end,
     * except the session of the call. All processes reject an ended session within five seconds. Requires the
     * session of an operator.
     */
    sessionRevoke: (request: OperatorSessionRevokeRequest = {}): Promise<EmptyObject> =>
      this.#ask('/operator/session/revoke', request),
    /**
     * Create an operator. Creates an operator who signs in with a password. The operator has no role in any
     * app until `/operator/role/set` gives one. Requires an admin token with the scope `platform`.
     */
    create: (request: OperatorCreateRequest): Promise<Operator> => this.#ask('/operator/create', request),
    /**
     * List the operators. Returns all operators of the installation, oldest first. Requires an admin token
     * with the scope `platform`.
     */
    list: (request: OperatorListRequest = {}): Promise<OperatorListResponse> => this.#ask('/operator/list', request),
    /**
     * Change an operator. Changes only the given fields. A new password ends all sessions of the operator. An
     * operator who signs in with OpenID Connect has no password, and gets the name, the email address and the
     * roles from the identity provider at each sign-in. Requires an admin token with the scope `platform`.
     */
    update: (request: OperatorUpdateRequest): Promise<Operator> => this.#ask('/operator/update', request),
    /**
     * Disable an operator. Ends all sessions of the operator, who cannot sign in until `/operator/enable`. All
     * processes reject the sessions within five seconds. Admin tokens that the operator created stay valid.
     * Requires an admin token with the scope `platform`.
     */
    disable: (request: OperatorDisableRequest): Promise<EmptyObject> => this.#ask('/operator/disable', request),
    /**
     * Enable an operator. Lets a disabled operator sign in again. Sessions that have ended stay ended.
     * Requires an admin token with the scope `platform`.
     */
    enable: (request: OperatorEnableRequest): Promise<EmptyObject> => this.#ask('/operator/enable', request),
    role: {
      /**
       * Set the role of an operator in an app. Gives an operator a role in an app, or removes the role. The
       * change takes effect within five seconds. Requires an admin token with the scope `platform`.
       */
      set: (request: OperatorRoleSetRequest): Promise<EmptyObject> => this.#ask('/operator/role/set', request),
    },
  };
}
