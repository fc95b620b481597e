// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

/**
 * An integer up to 2^63−1 in a request. A number must be a safe integer, because a larger number has already lost
 * digits. Use a bigint instead. Responses always contain bigints.
 */
export type Int64 = bigint | number;

/** An object without fields. */
export type EmptyObject = Readonly<Record<string, never>>;

/** Token record. */
export interface TokenRecord {
  /** File key: a random secret for a file service. `store_token` contains its SHA-256 hash. */
  readonly access_key_secret: string;
  /** Always 0: only TLS encrypts the connection. */
  readonly encrypt_type: number;
  /** Time at which the access token expires, in Unix epoch milliseconds. */
  readonly expire: bigint;
  /** Public key of the app (Ed25519, PEM). A file service uses it to verify `store_token`. */
  readonly public_key: string;
  /** Push token of the device. Absent if the request has no `device_guid`. */
  readonly push_token?: string;
  /** File token: a signed JWT for a file service. Its claim `aud` is `store`, and it expires after one hour. */
  readonly store_token: string;
  /** Access token. Send it in the header `access-token` of later calls. */
  readonly token: string;
  /** User ID. */
  readonly user_id: bigint;
}

/** A user. */
export interface User {
  /** User ID. */
  readonly user_id: bigint;
  /** User name. Null if not set. */
  readonly name: string | null;
  /** Mobile number, as `+` and digits. Null if not set. */
  readonly mobile: string | null;
  /** Email address. Null if not set. */
  readonly email: string | null;
  /** Whether the user can log in with a password. */
  readonly has_password: boolean;
  /** Whether the user is disabled. */
  readonly disabled: boolean;
  /** Creation time, in Unix epoch milliseconds. */
  readonly created_at: bigint;
}

/** A device. */
export interface Device {
  /** Push token, which identifies the device. */
  readonly push_token: string;
  /** Device ID that the app sent at login. */
  readonly device_guid: string;
  /** ID of the user who is logged in on the device. Null if no user is logged in. */
  readonly user_id: bigint | null;
  /** Alias of the device. Null if it has none. */
  readonly alias: string | null;
  /** Tags of the device. */
  readonly tags: readonly string[];
  /** Vendors for which a vendor token is bound to the device. The vendor tokens are not returned. */
  readonly bindings: readonly Binding[];
  /** Whether the device is connected to the Carillon channel. */
  readonly online: boolean;
  /** Day of the last login or connection, such as `2026-11-15`. */
  readonly seen_on: string;
  /** Time at which the current user first logged in on the device, in Unix epoch milliseconds. */
  readonly registered_at: bigint;
  /**
   * State that the app reported last with `/device/state`. Null if it reported none since the login, or if
   * no user is logged in.
   */
  readonly state: {
    /** Name and version of the SDK. Null if it was not reported. */
    readonly client: string | null;
    /**
     * Whether the phone allows the app to display notifications: `allowed` or `denied`. Null if it was not
     * reported.
     */
    readonly notifications: string | null;
    /** Vendors that issued no vendor token to the app. */
    readonly vendor_errors: readonly {
      /**
       * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
       * HarmonyOS, 10 = Web Push.
       */
      readonly provider: number;
      /** Reason why the vendor issued no vendor token. */
      readonly error: string;
    }[];
    /** Time of the report, in Unix epoch milliseconds. */
    readonly reported_at: bigint;
  } | null;
}

export interface Binding {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production. */
  readonly environment: number;
  /** Time at which the vendor token was bound, in Unix epoch milliseconds. */
  readonly bound_at: bigint;
}

/** An app. */
export interface App {
  /** App ID. */
  readonly app_id: string;
  /** Name of the app. */
  readonly name: string;
  /** Lifetime of an access token, in days. */
  readonly token_days: number;
  /** `status`: failed calls have an HTTP error status. `always200`: every response has the status 200. */
  readonly http_errors: 'status' | 'always200';
  /**
   * Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this
   * user. `any`: all devices of the app.
   */
  readonly user_push: 'none' | 'self' | 'any';
  /** Whether users can register themselves with `/user/register`. */
  readonly registration: boolean;
  /** Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166). */
  readonly country: string;
  /**
   * Maximum number of calls of `/push/notify` per second, and of `/push/validate`, which is counted
   * separately. 0 means no limit. If the ceiling of the app is lower, the ceiling applies.
   */
  readonly notify_per_second: number;
  /**
   * Whether `/push/task/detail` also returns the counters of `harmony` and `webpush`, after the specified
   * ones.
   */
  readonly extra_counters: boolean;
  /**
   * Whether `/push/notify`, `/push/validate` and `/push/draft/create` reject unknown fields with names that
   * are close to a known field of the same object.
   */
  readonly reject_typos: boolean;
  /**
   * Drafts of `/push/draft/create` for more devices than this need the approval of another token. Null means
   * that no draft needs it.
   */
  readonly approval_above: bigint | null;
  /**
   * Origins whose web pages can call the operations that need no admin token: at most 20, without wildcards.
   * An origin consists of the scheme, the host and, unless it is the default, the port.
   */
  readonly cors_origins: readonly string[];
  /** Public key of the app (Ed25519, PEM). A file service uses it to verify `store_token`. */
  readonly public_key: string;
  /** Whether the app is disabled. */
  readonly disabled: boolean;
  /** Creation time, in Unix epoch milliseconds. */
  readonly created_at: bigint;
  /** Ceilings of the app, which only the operator of the installation can set. 0 means no ceiling. */
  readonly ceilings: Ceilings;
  /** Usage of the app, according to the last count. */
  readonly usage: Usage;
}

/** Ceilings of the app, which only the operator of the installation can set. 0 means no ceiling. */
export interface Ceilings {
  /**
   * Number of calls of `/push/notify` per second on each API process. `/push/validate` is counted
   * separately, with the same ceiling.
   */
  readonly notify_per_second: bigint;
  /** Number of tasks that are not finished, including scheduled tasks and tasks that wait in inboxes. */
  readonly open_tasks: bigint;
  /** Number of users. */
  readonly users: bigint;
  /** Number of devices, including those without a user. */
  readonly devices: bigint;
  /** Number of bytes of stored messages with their audiences, and of inboxes with 200 bytes per notification. */
  readonly stored_bytes: bigint;
  /** Number of connected devices, on all gateways together. */
  readonly sessions: bigint;
}

/** Usage of the app, according to the last count. */
export interface Usage {
  /** Number of tasks that are not finished, including scheduled tasks and tasks that wait in inboxes. */
  readonly open_tasks: bigint;
  /** Number of users. */
  readonly users: bigint;
  /** Number of devices, including those without a user. */
  readonly devices: bigint;
  /** Number of bytes of stored messages with their audiences, and of inboxes with 200 bytes per notification. */
  readonly stored_bytes: bigint;
  /** Number of connected devices, on all gateways together. */
  readonly sessions: bigint;
}

export interface Group {
  /** Group ID. */
  readonly group_id: bigint;
  /** Name of the group. */
  readonly name: string;
}

/** An admin token. */
export interface AdminToken {
  /** ID of the token. */
  readonly token_id: bigint;
  /** Purpose of the token. */
  readonly name: string;
  /** Scopes of the token. */
  readonly scopes: readonly string[];
  /** Group that the token is limited to. Null if it is not limited. */
  readonly group_id: bigint | null;
  /** ID of the admin token that created it. Null if the operator created it. */
  readonly parent: bigint | null;
  /** Time at which the token expires, in Unix epoch milliseconds. Null if it does not expire. */
  readonly expire: bigint | null;
  /** Creation time, in Unix epoch milliseconds. */
  readonly created_at: bigint;
}

/** Credentials for a vendor, without secrets. */
export interface Certificate {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production. */
  readonly environment: number;
  /** Name of the credentials. */
  readonly name: string;
  /** App ID at the vendor. */
  readonly app_id: string;
  /** App key at the vendor. */
  readonly app_key: string;
  /** Time at which the credentials expire, in Unix epoch milliseconds. Null if they do not expire. */
  readonly expire: bigint | null;
  /**
   * Rate limit that was saved with the credentials, in devices per second (Xiaomi and Meizu: requests per
   * second). Null means the default limit of the vendor.
   */
  readonly per_second: bigint | null;
  /** Version of the credentials. It increases by one each time they are saved. */
  readonly version: number;
  /** Time at which the credentials were last saved, in Unix epoch milliseconds. */
  readonly updated_at: bigint;
}

/** Status of the channel of a vendor. */
export interface Channel {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production. */
  readonly environment: number;
  /** Name of the credentials. */
  readonly name: string;
  /** Time at which the credentials expire, in Unix epoch milliseconds. Null if they do not expire. */
  readonly expire: bigint | null;
  /**
   * False if the channel is paused, because the vendor is unavailable or rejects the credentials. Carillon
   * then sends only single notifications as probes.
   */
  readonly open: boolean;
  /** Reason for the pause, usually the error of the vendor. Empty if the channel is not paused. */
  readonly reason: string;
  /** Time at which the pause started, in Unix epoch milliseconds. Null if the channel is not paused. */
  readonly closed_at: bigint | null;
  /**
   * Time from which Carillon sends the next notification as a probe, in Unix epoch milliseconds. Null if the
   * channel is not paused.
   */
  readonly probe_at: bigint | null;
  /**
   * Daily quotas that are used up. Until the time in `until`, affected notifications fall back to the next
   * channel.
   */
  readonly spent: readonly {
    /** Kind of message to which the quota of vivo applies: `operational` or `system`. Empty for other vendors. */
    readonly class: string;
    /** Time at which Carillon sends such messages again, in Unix epoch milliseconds. */
    readonly until: bigint;
  }[];
  /**
   * Devices that the vendor has accepted since its daily quota was last reset. Empty if the vendor has no
   * daily quota in this environment. The numbers are approximate. Workers store them once a minute, and a
   * crash loses at most the last minute. The vendor can count differently, for example only some message
   * classes. Carillon does not stop sending because of them. `/push/statistics/daily` returns the exact
   * counters, by day in UTC.
   */
  readonly usage: readonly {
    /** Kind of message to which the quota of vivo applies: `operational` or `system`. Empty for other vendors. */
    readonly class: string;
    /** Number of devices for which the vendor has accepted a notification, once for each notification. */
    readonly accepted: bigint;
  }[];
  /** Time at which the daily quota is next reset, in Unix epoch milliseconds. Null if `usage` is empty. */
  readonly resets_at: bigint | null;
  /**
   * Current rate limit, in devices per second (Xiaomi and Meizu: requests per second). Carillon lowers it
   * temporarily after the vendor has throttled requests. Null means no limit.
   */
  readonly per_second: bigint | null;
  /** Time at which the vendor last throttled requests, in Unix epoch milliseconds. Null if it never has. */
  readonly throttled_at: bigint | null;
  /**
   * How the vendor answered the last call with these credentials. Null if there was none. Workers store it
   * once a minute, and earlier if the result changes.
   */
  readonly last_response: {
    /** Time of the response, in Unix epoch milliseconds. */
    readonly at: bigint;
    /**
     * `accepted`: the notification was accepted. `refused`: the notification was rejected. `token-dead`: the
     * vendor token is invalid. `locked-out`: the credentials were rejected. `quota-spent`: a daily quota is
     * used up. `throttled`: the rate limit was exceeded. `unreachable`: there was no clear response.
     */
    readonly result: 'locked-out' | 'quota-spent' | 'throttled' | 'accepted' | 'refused' | 'token-dead' | 'unreachable';
    /** Error of the vendor, at most 256 characters. Empty if there is none. */
    readonly reason: string;
  } | null;
  /**
   * Time at which the vendor last reported a receipt that Carillon recorded, in Unix epoch milliseconds.
   * Null if there was none, or if the vendor sends no receipts. Both environments have the same time,
   * because they share the callback URL. Carillon stores it at most once a minute.
   */
  readonly last_receipt_at: bigint | null;
}

/** Push certificate record. */
export interface PushCertificate {
  /** App ID at the vendor. */
  readonly app_id: string;
  /** App key at the vendor. */
  readonly app_key: string;
  /** App secret at the vendor. */
  readonly app_secret: string;
  /** Keys and settings, as in the field `certificate` of `/admin/certificate/save`. */
  readonly certificate: string;
  /** Name of the credentials. */
  readonly name: string;
}

/** A draft. */
export interface Draft {
  /** Draft ID. */
  readonly draft_id: bigint;
  /**
   * `open`: the draft is not decided. `approved`: the notification was accepted as the task `task_id`.
   * `rejected`: nothing is sent.
   */
  readonly state: 'open' | 'approved' | 'rejected';
  /** Author of the task that an approval creates: `admin`, `group:<id>` or `user:<id>`. */
  readonly author: string;
  /** Kind of the audience: `all`, `tag`, `alias`, `user_id` or `push_token`. */
  readonly audience: string;
  /** Title of the notification. Null if it has none. */
  readonly title: string | null;
  /** Note for the approver. Null if there is none. */
  readonly note: string | null;
  /** Number of devices in the audience when the draft was created. */
  readonly devices: bigint;
  /** Whether only another token than the one that created the draft can approve it. */
  readonly needs_approval: boolean;
  /** Name of the token that created the draft. */
  readonly created_by: string;
  /** Kind of this token, such as `admin`. */
  readonly created_by_kind: string;
  /** ID of this token. */
  readonly created_by_id: bigint;
  /** Creation time, in Unix epoch milliseconds. */
  readonly created_at: bigint;
  /** Time at which the draft is deleted, in Unix epoch milliseconds. */
  readonly expires_at: bigint;
  /** Name of the token that approved or rejected the draft. Null if the draft is open. */
  readonly decided_by: string | null;
  /** Kind of this token. Null if the draft is open. */
  readonly decided_by_kind: string | null;
  /** ID of this token. Null if the draft is open. */
  readonly decided_by_id: bigint | null;
  /** Time of the approval or rejection; null if the draft is open, in Unix epoch milliseconds. */
  readonly decided_at: bigint | null;
  /** Reason of the rejection. Null if there is none. */
  readonly reason: string | null;
  /**
   * Push task ID. Null if the draft is not approved, or if the approval was interrupted. In this case,
   * approve it again.
   */
  readonly task_id: bigint | null;
}

/** Push statistics record. */
export interface PushStatistics {
  /** Push task ID. */
  readonly task_id: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly apns_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly apns_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly apns_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly fcm_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly fcm_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly fcm_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly flyme_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly flyme_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly flyme_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly honor_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly honor_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly honor_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly huawei_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly huawei_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly huawei_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly nativepush_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly nativepush_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly nativepush_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly oppo_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly oppo_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly oppo_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly vivo_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly vivo_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly vivo_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection.
   */
  readonly xiaomi_sent: bigint;
  /** Number of devices with a receipt for this channel. */
  readonly xiaomi_received: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried.
   */
  readonly xiaomi_target: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection. Only present if the app setting `extra_counters` is on.
   */
  readonly harmony_sent?: bigint;
  /**
   * Number of devices with a receipt for this channel. Only present if the app setting `extra_counters` is
   * on.
   */
  readonly harmony_received?: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried. Only present if the app setting `extra_counters` is on.
   */
  readonly harmony_target?: bigint;
  /**
   * Number of devices to which this channel sent the notification: the vendor accepted it, or it was written
   * to an MQTT connection. Only present if the app setting `extra_counters` is on.
   */
  readonly webpush_sent?: bigint;
  /**
   * Number of devices with a receipt for this channel. Only present if the app setting `extra_counters` is
   * on.
   */
  readonly webpush_received?: bigint;
  /**
   * Number of devices that Carillon tries to reach through this channel. A device that falls back counts for
   * each channel that is tried. Only present if the app setting `extra_counters` is on.
   */
  readonly webpush_target?: bigint;
}

export interface AuditEntry {
  /** ID of the entry. */
  readonly audit_id: bigint;
  /** Time of the call, in Unix epoch milliseconds. */
  readonly at: bigint;
  /** ID of the admin token. 0 for other callers. */
  readonly token_id: bigint;
  /**
   * Name of the admin token, or email address of the operator. `command on the server` for a command. Blank
   * if a user made the call.
   */
  readonly token_name: string;
  /** ID of the operator who made the call. Null for other callers. */
  readonly operator_id: bigint | null;
  /** Current name of this operator. Null for other callers. */
  readonly operator_name: string | null;
  /** Path of the operation, or name of a command on the server. */
  readonly operation: string;
  /** Request fields that identify the changed or read object, as a JSON string. It contains no secrets. */
  readonly detail: string;
  /** IP address of the caller. Blank for a command on the server. */
  readonly address: string;
  /**
   * ID of the entry that was written before the call ran. This entry adds the ID of the created object. Null
   * for other entries.
   */
  readonly result_of: bigint | null;
}

/** An operator. */
export interface Operator {
  /** Operator ID. */
  readonly operator_id: bigint;
  /** Email address. */
  readonly email: string;
  /** Displayed name. */
  readonly name: string;
  /** Whether this is a platform operator: an admin of every app, who also manages apps and operators. */
  readonly is_platform: boolean;
  /** `password`, or `oidc` if the operator signs in with OpenID Connect. */
  readonly sign_in: 'password' | 'oidc';
  /** Whether the operator is disabled. */
  readonly disabled: boolean;
  /** Creation time, in Unix epoch milliseconds. */
  readonly created_at: bigint;
  /** Apps in which the operator has a role, at most 1,000. */
  readonly apps: readonly OperatorApp[];
}

/** An app and the role of the operator in it. */
export interface OperatorApp {
  /** App ID. */
  readonly app_id: string;
  /** Name of the app. */
  readonly name: string;
  /**
   * Role in the app. `viewer`: read. `sender`: also send and cancel notifications. `admin`: also manage the
   * app and read its secrets.
   */
  readonly role: 'viewer' | 'sender' | 'admin';
}

/** The operator who is signed in. */
export interface SignedInOperator {
  /** Operator ID. */
  readonly operator_id: bigint;
  /** Email address. */
  readonly email: string;
  /** Displayed name. */
  readonly name: string;
  /** Whether this is a platform operator. */
  readonly is_platform: boolean;
  /**
   * Enabled apps in which the operator has a role, at most 1,000. A platform operator is an admin of all
   * apps.
   */
  readonly apps: readonly OperatorApp[];
  /** Value of the header `carillon-csrf` of all other requests. */
  readonly csrf_token: string;
  /** Time at which the session ends, even if it is used, in Unix epoch milliseconds. */
  readonly expires_at: bigint;
}

/** A session. */
export interface OperatorSession {
  /** ID of the session, which you need to end it. */
  readonly session_id: bigint;
  /** Whether this is the session of the call. */
  readonly is_current: boolean;
  /** IP address from which the operator signed in. */
  readonly address: string;
  /** Browser, as it describes itself. At most 200 characters. */
  readonly user_agent: string;
  /** Time of the sign-in, in Unix epoch milliseconds. */
  readonly created_at: bigint;
  /** Time of the latest request, exact to about a minute, in Unix epoch milliseconds. */
  readonly last_used_at: bigint;
  /** Time at which the session ends, even if it is used, in Unix epoch milliseconds. */
  readonly expires_at: bigint;
}

/**
 * Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id`
 * and `push_token`.
 */
export type Audience = AllDevices | AudienceSelection;

/** All devices. */
export type AllDevices = 'all';

/** Object with exactly one of the keys `tag`, `alias`, `user_id` and `push_token`. */
export interface AudienceSelection {
  /** Devices that have at least one of these tags, of at most 64 bytes each. */
  readonly tag?: readonly string[] | undefined;
  /** Devices that have one of these aliases, of at most 64 bytes each. */
  readonly alias?: readonly string[] | undefined;
  /** Devices of the users with these IDs. */
  readonly user_id?: readonly Int64[] | undefined;
  /** Devices with these push tokens. */
  readonly push_token?: readonly string[] | undefined;
}

/** Push settings. Blank means the default of each setting. */
export interface PushSetting {
  /**
   * Idempotency key, kept for 90 days. If an earlier request had the same key, nothing is sent, and the
   * response contains the task ID of that request. Blank means no deduplication.
   */
  readonly request_id?: string | undefined;
  /**
   * `combined`: the Carillon channel first, then a vendor if the device is offline or does not acknowledge.
   * `nativepush_only`: only the Carillon channel. `ospush_only`: only vendors. Blank means `combined`.
   */
  readonly distribution_strategy?: 'combined' | 'nativepush_only' | 'ospush_only' | undefined;
  /**
   * Order in which vendors are tried. `ups` stands for Xiaomi, HarmonyOS, Huawei, Honor, Meizu, OPPO and
   * vivo; the vendor that the device registered last comes first. `fcm` stands for FCM, then Web Push. Blank
   * means [ups, fcm]. APNs is not affected.
   */
  readonly ospush_sequence?:
    | readonly ('ups' | 'fcm' | 'webpush' | 'huawei' | 'harmony' | 'xiaomi' | 'oppo' | 'vivo' | 'meizu')[]
    | undefined;
  /**
   * Number of seconds for which the task is held before sending starts, from 0 to 300. Until then,
   * `/push/task/cancel` cancels the task before any device receives it. Blank means 0. If `show_begin_time`
   * is later, sending starts at that time.
   */
  readonly hold_seconds?: number | undefined;
}

/** Content of the notification; must not be blank. */
export interface Message {
  /**
   * `text`, `image` or `cmd` (data-only message). Blank means `text`. An `image` without `attachment_url` is
   * sent as `text`.
   */
  readonly type?: 'text' | 'image' | 'cmd' | undefined;
  /** Title of the notification. For an image without any text, vendors display the name of the app. */
  readonly title?: string | undefined;
  /** Text of the notification. */
  readonly body?: string | undefined;
  /**
   * URL of an image, audio or video file. For the type `image`, the URL must end in .jpg, .jpeg or .png, and
   * the image must be smaller than 1 MB (1,048,576 bytes). The recommended size is 876x324 pixels.
   */
  readonly attachment_url?: string | undefined;
  /**
   * Long text. Depending on the vendor, it replaces `body` or is displayed when the user expands the
   * notification. Vendors that do not support long text display `body`, or `big_text` if `body` is blank.
   */
  readonly big_text?: string | undefined;
  /** Badge number of the app icon: `5` sets it to 5, and `+5` increases it by 5. Blank means `+1`. */
  readonly badge?: string | undefined;
  /**
   * JSON object with custom fields for the app: at most 4 KiB, and at most 8 levels deep. Left out for
   * vendors whose limit it exceeds.
   */
  readonly ext?: Readonly<Record<string, unknown>> | undefined;
  /** Time at which sending starts, in Unix seconds, at most 30 days ahead. Blank means immediately. */
  readonly show_begin_time?: Int64 | undefined;
  /**
   * Time at which the notification expires, in Unix seconds, at most 30 days after sending starts. Blank
   * means 24 hours after sending starts.
   */
  readonly show_end_time?: Int64 | undefined;
  /** Parameters for iPhones (APNs). */
  readonly ios?: IosParameters | undefined;
  /**
   * Parameters for all Android vendors. A field in the object of a vendor overrides the same field here. If
   * that object sets `click_action`, the `intent` here is ignored.
   */
  readonly android?: AndroidParameters | undefined;
  /** Parameters for Huawei, which override those in `android`. */
  readonly huawei?: HuaweiParameters | undefined;
  /** Parameters for HarmonyOS. The parameters in `android` do not apply to it. */
  readonly harmony?: HarmonyParameters | undefined;
  /** Parameters for Honor, which override those in `android`. */
  readonly honor?: HonorParameters | undefined;
  /** Parameters for Xiaomi, which override those in `android`. */
  readonly xiaomi?: XiaomiParameters | undefined;
  /** Parameters for OPPO, which override those in `android`. */
  readonly oppo?: OppoParameters | undefined;
  /** Parameters for vivo, which override those in `android`. */
  readonly vivo?: VivoParameters | undefined;
  /** Parameters for Meizu, which override those in `android`. */
  readonly flyme?: FlymeParameters | undefined;
  /** Parameters for FCM, which override those in `android`. */
  readonly fcm?: FcmParameters | undefined;
  /** Parameters for Web Push. The parameters in `android` do not apply to it. */
  readonly webpush?: WebPushParameters | undefined;
}

/** Parameters for iPhones (APNs). */
export interface IosParameters {
  /** Name of a sound file in the app. Blank means the default sound, `none` means no sound. */
  readonly sound?: string | undefined;
  /** Whether the APNs payload contains `content-available`. */
  readonly content_available?: boolean | undefined;
  /** Whether the APNs payload contains `mutable-content`. */
  readonly mutable_content?: boolean | undefined;
  /** Value of `category` in the APNs payload. */
  readonly category?: string | undefined;
  /** Value of `thread-id` in the APNs payload. Notifications with the same value are grouped. */
  readonly thread_id?: string | undefined;
  /** Subtitle of the notification. */
  readonly subtitle?: string | undefined;
  /**
   * Value of the APNs header `apns-collapse-id`. A notification replaces earlier ones with the same ID in
   * the notification center.
   */
  readonly apns_collapse_id?: string | undefined;
}

/**
 * Parameters for all Android vendors. A field in the object of a vendor overrides the same field here. If
 * that object sets `click_action`, the `intent` here is ignored.
 */
export interface AndroidParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
}

/** Parameters for Huawei, which override those in `android`. */
export interface HuaweiParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
  /** Full class name of the launcher activity. If blank, the badge does not change. */
  readonly badge_class?: string | undefined;
  /** Message category, as defined by the vendor. Blank means `category` in the credentials. */
  readonly category?: string | undefined;
  /**
   * Importance of the notification. `LOW` is displayed without a sound. Blank means `importance` in the
   * credentials.
   */
  readonly importance?: 'LOW' | 'NORMAL' | undefined;
}

/** Parameters for HarmonyOS. The parameters in `android` do not apply to it. */
export interface HarmonyParameters {
  /**
   * Message category, as defined by HarmonyOS, such as `IM`. Blank means `category` in the credentials, or
   * `MARKETING` if they have none.
   */
  readonly category?: string | undefined;
  /** Name of a sound file in `resources/rawfile` of the app. Blank means the default sound. */
  readonly sound?: string | undefined;
  /** Action of the page to open when the user taps the notification. Blank opens the app. */
  readonly action?: string | undefined;
  /** URI of the page to open when the user taps the notification. Blank opens the app. */
  readonly uri?: string | undefined;
  /**
   * Group of the notification, 0 to 100. An offline device receives only the latest notification of a group.
   * -1 means no group. Blank means -1.
   */
  readonly collapse_key?: number | undefined;
  /**
   * Whether the notification is displayed while the app is in the foreground. If false, the app receives the
   * data instead. Blank means true.
   */
  readonly foreground_show?: boolean | undefined;
}

/** Parameters for Honor, which override those in `android`. */
export interface HonorParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
  /** Full class name of the launcher activity. If blank, the badge does not change. */
  readonly badge_class?: string | undefined;
  /**
   * Importance of the notification: `LOW` or `NORMAL`. Blank or any other value means `importance` in the
   * credentials.
   */
  readonly category?: string | undefined;
}

/** Parameters for Xiaomi, which override those in `android`. */
export interface XiaomiParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
  /**
   * ID of the template of a private message. Blank means `template_id` in the credentials, if the message
   * uses the channel in the credentials.
   */
  readonly template_id?: string | undefined;
  /**
   * Variables of the template: a JSON object, as a string, with at most 9 string values of 1 to 128
   * characters each. If blank, `keywords1` is the title and `keywords2` is the body.
   */
  readonly template_param?: string | undefined;
}

/** Parameters for OPPO, which override those in `android`. */
export interface OppoParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
  /** Message category, as defined by the vendor. Blank means `category` in the credentials. */
  readonly category?: string | undefined;
  /**
   * 1 = notification bar; 2 = also lock screen; 16 = also banner, sound and vibration. Used only for a
   * message with a category. Blank means `notify_level` in the credentials, if the category is the one in
   * the credentials.
   */
  readonly notify_level?: number | undefined;
}

/** Parameters for vivo, which override those in `android`. */
export interface VivoParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
  /** Message category, as defined by the vendor. Blank means `category` in the credentials. */
  readonly category?: string | undefined;
  /** 0 = production message, 1 = test message; default 0. In environment 0, every message is a test message. */
  readonly push_mode?: number | undefined;
  /**
   * 0 = operational message, 1 = system message; default 0. A `category` of vivo in the message overrides
   * this value.
   */
  readonly classification?: number | undefined;
}

/** Parameters for Meizu, which override those in `android`. */
export interface FlymeParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
  /** 0 = public message, 1 = private message. Blank means `notice_msg_type` in the credentials. */
  readonly notice_msg_type?: number | undefined;
}

/** Parameters for FCM, which override those in `android`. */
export interface FcmParameters {
  /**
   * Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor
   * supports this field.
   */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /**
   * Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in
   * `intent`. Blank means `open_app`.
   */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open, required if `click_action` is `intent`. Format:
   * `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.
   */
  readonly intent?: string | undefined;
}

/** Parameters for Web Push. The parameters in `android` do not apply to it. */
export interface WebPushParameters {
  /**
   * Page that opens when the user clicks the notification, as an https URL. Blank means `navigate` in the
   * credentials.
   */
  readonly navigate?: string | undefined;
  /**
   * Notifications with the same tag replace each other, on the screen and while the browser is offline.
   * Blank means the task ID.
   */
  readonly tag?: string | undefined;
  /** Icon of the notification, as an https URL. Not every browser supports it. */
  readonly icon?: string | undefined;
  /** Language of the text, such as `en-US`. */
  readonly lang?: string | undefined;
  /** Direction of the text. Blank means the direction of the browser. */
  readonly dir?: 'auto' | 'ltr' | 'rtl' | undefined;
  /** Whether the notification is displayed without sound and vibration. */
  readonly silent?: boolean | undefined;
  /** Urgency. A device that saves power receives less urgent notifications later. Blank means `high`. */
  readonly urgency?: 'very-low' | 'low' | 'normal' | 'high' | undefined;
}

/** Get an access token by user ID and password: request. */
export interface TokenIdRequest {
  /** User ID. */
  readonly user_id: Int64;
  /** Password. Spaces are significant, so a password that consists of spaces is not blank. */
  readonly password: string;
  /** Device ID that the app has generated. If set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Get an access token by login name and password: request. */
export interface TokenLoginRequest {
  /** Mobile number, email address or user name. In `/token/user`, this field is `name`. */
  readonly login_name: string;
  /** Password. Spaces are significant, so a password that consists of spaces is not blank. */
  readonly password: string;
  /** Device ID that the app has generated. If set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Get an access token by user name and password: request. */
export interface TokenUserRequest {
  /** User name. For mobile numbers and email addresses, use `/token/login`, where this field is `login_name`. */
  readonly name: string;
  /** Password. Spaces are significant, so a password that consists of spaces is not blank. */
  readonly password: string;
  /** Device ID that the app has generated. If set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Register a user: request. */
export interface UserRegisterRequest {
  /**
   * User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or
   * trailing spaces.
   */
  readonly name?: string | undefined;
  /**
   * Mobile number: with `+` and country code, or in the national format of the country in the app setting
   * `country`.
   */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password: string;
  /** Device ID that the app has generated. If set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Change your password: request. */
export interface UserPasswordRequest {
  /** Current password. Spaces are significant. */
  readonly old_password: string;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password: string;
}

/** Get the credentials for a vendor: request. */
export interface PushCertificateRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Send a push notification: request. */
export interface PushNotifyRequest {
  /**
   * Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id`
   * and `push_token`.
   */
  readonly audience: Audience;
  /** Push settings. Blank means the default of each setting. */
  readonly setting?: PushSetting | undefined;
  /** Content of the notification; must not be blank. */
  readonly message: Message;
}

/** Send a push notification: response data. */
export interface PushNotifyResponse {
  /** Push task ID. */
  readonly task_id: bigint;
}

/** Query push statistics: request. */
export interface PushTaskDetailRequest {
  /** Task IDs, at most 500. */
  readonly list: readonly Int64[];
}

/** List push tasks: request. */
export interface PushTaskListRequest {
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
  /** Order of the list: `newest` first by default, or `oldest` first. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** Only tasks that were accepted at or after this time, in Unix epoch milliseconds. */
  readonly from?: Int64 | undefined;
  /** Only tasks that were accepted before this time, in Unix epoch milliseconds. */
  readonly to?: Int64 | undefined;
  /** Only tasks in this state. */
  readonly state?: 'held' | 'sending' | 'finished' | 'cancelled' | undefined;
  /** Only tasks of this creator, as in the response: `admin`, `group:<id>`, `user:<id>` or `erased`. */
  readonly author?: string | undefined;
  /** Only tasks that were sent with this kind of token, as in the response. Requires an admin token. */
  readonly token_kind?: 'admin' | 'operator' | 'user' | undefined;
  /**
   * Only tasks that were sent with the token with this ID, as in the response. Tokens of different kinds can
   * have the same ID, so send `token_kind` too. Requires an admin token.
   */
  readonly token_id?: Int64 | undefined;
  /** Only tasks with this kind of audience. */
  readonly audience?: 'all' | 'tag' | 'alias' | 'user_id' | 'push_token' | undefined;
  /** Only tasks with this text in the title or the body. Upper and lower case are the same. */
  readonly text?: string | undefined;
  /**
   * Only tasks with devices that were not reached through this channel. Another channel may have reached
   * them. With this filter, a call checks at most 500 tasks.
   */
  readonly channel_failed?:
    | 'apns'
    | 'fcm'
    | 'flyme'
    | 'harmony'
    | 'honor'
    | 'huawei'
    | 'nativepush'
    | 'oppo'
    | 'vivo'
    | 'webpush'
    | 'xiaomi'
    | undefined;
  /** Whether to also return the counters of each task. */
  readonly counts?: boolean | undefined;
  /**
   * Whether to also return the message and the audience of each task. A page then has at most 20 tasks.
   * Requires an admin token.
   */
  readonly content?: boolean | undefined;
}

/** List push tasks: response data. */
export interface PushTaskListResponse {
  /** Tasks. */
  readonly list: readonly {
    /** Push task ID. */
    readonly task_id: bigint;
    /**
     * `held`: the task is scheduled for later, or held by `hold_seconds`. `sending`: the notification is being
     * sent, or waits in an inbox. `finished`: all deliveries have ended. `cancelled`: the task was cancelled.
     */
    readonly state: 'held' | 'sending' | 'finished' | 'cancelled';
    /** Creator of the task: `admin`, `group:<id>`, `user:<id>`, or `erased` if the user was erased. */
    readonly author: string;
    /**
     * Kind of the token that sent the task: `admin`, `user`, or `operator` for the session of an operator.
     * Null for callers with an access token.
     */
    readonly token_kind: string | null;
    /**
     * ID of this token. For an access token, the first 53 bits of its SHA-256 hash. For an operator, the
     * operator ID. Null if `token_kind` is null.
     */
    readonly token_id: bigint | null;
    /**
     * Current name of the operator or of the admin token that sent the task. Null for access tokens, and for
     * callers with an access token.
     */
    readonly token_name: string | null;
    /** ID of the admin token that created the access token. Null if there is none. */
    readonly token_parent: bigint | null;
    /** Kind of the audience: `all`, `tag`, `alias`, `user_id` or `push_token`. */
    readonly audience: string;
    /** Title of the notification. Null if it has none. */
    readonly title: string | null;
    /** Message and audience of the task. Null without `content`. */
    readonly content: {
      /**
       * `message` of the request as a JSON string, with the default of each blank field. Null if it was erased
       * with its last recipient.
       */
      readonly message: string | null;
      /**
       * Tags, aliases, user IDs or push tokens of the audience, the first 100. Erased users are not contained.
       * Empty for all devices.
       */
      readonly audience_values: readonly string[];
      /**
       * Number of tags, aliases, user IDs or push tokens of the audience, without those of erased users. 0 for
       * all devices.
       */
      readonly audience_count: bigint;
    } | null;
    /** Sum of the `target` counters of all channels. Null without `counts`, or if a database is unavailable. */
    readonly target: bigint | null;
    /** Sum of the `sent` counters of all channels. Null without `counts`, or if a database is unavailable. */
    readonly sent: bigint | null;
    /** Sum of the `received` counters of all channels. Null without `counts`, or if a database is unavailable. */
    readonly received: bigint | null;
    /** Time at which the task was accepted, in Unix epoch milliseconds. */
    readonly accepted_at: bigint;
    /** Time at which sending starts, in Unix epoch milliseconds. */
    readonly due_at: bigint;
    /** Time at which the task expires, in Unix epoch milliseconds. */
    readonly end_at: bigint;
    /** Time at which the task was cancelled, in Unix epoch milliseconds. Null if it was not cancelled. */
    readonly cancelled_at: bigint | null;
  }[];
  /** Value for `after` that returns the next page. Null if there are no more tasks. */
  readonly next: bigint | null;
}

/** Report the results of a push task: request. */
export interface PushTaskReportRequest {
  /** Push task ID. */
  readonly task_id: Int64;
}

/** Report the results of a push task: response data. */
export interface PushTaskReportResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Channels that were used. */
  readonly channels: readonly {
    /** Name of the channel, such as `apns`. */
    readonly channel: string;
    /** Number of devices that Carillon tries to reach through this channel. */
    readonly target: bigint;
    /** Number of devices to which this channel sent the notification. */
    readonly sent: bigint;
    /** Number of devices with a receipt for this channel. */
    readonly received: bigint;
    /** Number of devices on which the user opened the notification. */
    readonly clicked: bigint;
    /**
     * Number of devices from which the notification was recalled: the vendor accepted the recall, or it was
     * written to the connection.
     */
    readonly recalled: bigint;
    /** Number of devices from which the notification cannot be recalled. */
    readonly recall_failed: bigint;
    /** Reasons of failures, the most frequent first. */
    readonly failures: readonly {
      /** Code of the failure, as in `/push/task/trace`. */
      readonly code:
        | 'accepted'
        | 'token-dead'
        | 'refused'
        | 'locked-out'
        | 'quota-spent'
        | 'throttled'
        | 'unreachable'
        | 'interrupted'
        | 'unbound'
        | 'written'
        | 'queued'
        | 'no-answer'
        | 'silent'
        | 'no-session'
        | 'in-inbox'
        | 'expired'
        | 'displaced'
        | 'logged-out'
        | 'cancelled';
      /** Error code or message of the channel. Null if there is none. */
      readonly detail: string | null;
      /** Number of devices. */
      readonly count: bigint;
      /**
       * Push token of one of these devices, as an example for `/push/task/trace`. Null for users and group
       * admins, and if the users of the devices have logged out.
       */
      readonly push_token: string | null;
    }[];
  }[];
  /** Number of devices that are not connected and whose inbox contains the notification. */
  readonly waiting: bigint;
  /**
   * Time until which the notification stays in these inboxes, in Unix epoch milliseconds. Null if `waiting`
   * is 0.
   */
  readonly waiting_until: bigint | null;
  /**
   * State of the recall: `none` if it was not requested. A recall runs until each device is recalled or has
   * failed, at most 24 hours.
   */
  readonly recall: 'none' | 'running' | 'done';
  /** False if the task has too many failures to evaluate all of them in one call. */
  readonly failures_complete: boolean;
  /**
   * Whether a database was unavailable. The counters and the failures are then those of the other databases.
   * Repeat the call later.
   */
  readonly incomplete: boolean;
}

/** Trace a push task to a device: request. */
export interface PushTaskTraceRequest {
  /** Push task ID. */
  readonly task_id: Int64;
  /** Push token of the device. */
  readonly push_token?: string | undefined;
  /** ID of the user whose devices are traced. */
  readonly user_id?: Int64 | undefined;
}

/** Trace a push task to a device: response data. */
export interface PushTaskTraceResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Traced devices. */
  readonly list: readonly {
    /** Push token, which identifies the device. */
    readonly push_token: string;
    /** Device ID that the app sent at login. */
    readonly device_guid: string;
    /**
     * `acknowledged`: the device received the notification. `sent`: a vendor accepted the notification, or it
     * was written to the connection, but there is no receipt. `open`: delivery is not finished. `ended`: the
     * notification was not delivered. `outside`: the device is not in the audience, or the audience is not
     * determined yet.
     */
    readonly state: 'acknowledged' | 'sent' | 'open' | 'ended' | 'outside';
    /** Explanation of the state, with the reason and the action that you can take. */
    readonly why: string;
    /** Channels that were tried, in the order of the attempts. */
    readonly channels: readonly {
      /** Name of the channel, such as `apns`. `none` if no channel can reach the device. */
      readonly channel: string;
      /** Whether the notification counts as sent on this channel. */
      readonly sent: boolean;
      /** Whether the notification counts as received on this channel. */
      readonly acknowledged: boolean;
      /** Number of attempts that are missing in the middle of `attempts`, because there were too many to keep. */
      readonly left_out: number;
    }[];
    /** Attempts and their results, oldest first. */
    readonly attempts: readonly {
      /** Time of the event, in Unix epoch milliseconds. */
      readonly at: bigint;
      /** Name of the channel, such as `apns`. `none` if no channel can reach the device. */
      readonly channel: string;
      /** Code of the event. `text` explains it. */
      readonly said:
        | 'accepted'
        | 'token-dead'
        | 'refused'
        | 'locked-out'
        | 'quota-spent'
        | 'throttled'
        | 'unreachable'
        | 'interrupted'
        | 'unbound'
        | 'written'
        | 'queued'
        | 'no-answer'
        | 'silent'
        | 'no-session'
        | 'in-inbox'
        | 'expired'
        | 'displaced'
        | 'logged-out'
        | 'cancelled';
      /** Error code or message of the channel, or a duration. Null if there is none. */
      readonly detail: string | null;
      /** Explanation of the event. */
      readonly text: string;
    }[];
  }[];
  /**
   * Explanation of why the user has no device, if `user_id` was sent and no device was found. Null
   * otherwise.
   */
  readonly why: string | null;
  /** Whether devices of the user may be missing because a database is unavailable. */
  readonly incomplete: boolean;
}

/** Cancel a push task: request. */
export interface PushTaskCancelRequest {
  /** Push task ID. */
  readonly task_id: Int64;
  /** True to also remove delivered notifications from devices whose user has not opened them. */
  readonly recall?: boolean | undefined;
}

/** Cancel a push task: response data. */
export interface PushTaskCancelResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** True if the task was already finished, so that nothing was cancelled. */
  readonly finished: boolean;
  /**
   * Sum of the `sent` counters of all channels at the time of the response. Databases that do not respond
   * are not included.
   */
  readonly sent: bigint;
  /** Channels that were used so far. Present only if `recall` is true in the request. */
  readonly recall?: readonly {
    /** Name of the channel, such as `huawei`. */
    readonly channel: string;
    /** Counter `sent` of the channel, as in the sum. */
    readonly sent: bigint;
    /**
     * Whether the notification can be recalled on this channel. False for all channels if the data of the task
     * was deleted.
     */
    readonly supported: boolean;
  }[];
}

/** Query push statistics by day and channel: request. */
export interface PushStatisticsDailyRequest {
  /** First day, such as `2026-11-01`. */
  readonly from: string;
  /** Last day. The range can have at most 92 days. */
  readonly to: string;
  /** Only this channel. */
  readonly channel?:
    | 'apns'
    | 'fcm'
    | 'flyme'
    | 'harmony'
    | 'honor'
    | 'huawei'
    | 'nativepush'
    | 'oppo'
    | 'vivo'
    | 'webpush'
    | 'xiaomi'
    | undefined;
}

/** Query push statistics by day and channel: response data. */
export interface PushStatisticsDailyResponse {
  /** Counters, ordered by day and channel. */
  readonly list: readonly {
    /** Day in UTC, such as `2026-11-01`. */
    readonly day: string;
    /** Name of the channel, such as `apns`. */
    readonly channel: string;
    /** Sum of the `target` counters of the tasks. */
    readonly target: bigint;
    /** Sum of the `sent` counters of the tasks. */
    readonly sent: bigint;
    /** Sum of the `received` counters of the tasks. */
    readonly received: bigint;
    /** Number of devices on which users opened the notifications. */
    readonly clicked: bigint;
  }[];
  /**
   * Time at which the counters were refreshed, in Unix epoch milliseconds. They contain all changes until a
   * minute before. If a database is unavailable, its counters and this time stay as they are. Null if the
   * counters of a database were never refreshed.
   */
  readonly counted_at: bigint | null;
}

/** Check a notification without sending it: request. */
export interface PushValidateRequest {
  /**
   * Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id`
   * and `push_token`.
   */
  readonly audience: Audience;
  /** Push settings. Blank means the default of each setting. */
  readonly setting?: PushSetting | undefined;
  /** Content of the notification; must not be blank. */
  readonly message: Message;
}

/** Check a notification without sending it: response data. */
export interface PushValidateResponse {
  /** Number of devices in the audience. */
  readonly devices: bigint;
  /**
   * Number of devices for each channel that would be tried first. A device that this channel does not reach
   * falls back to its next channel.
   */
  readonly first: {
    /** Number of devices for which this channel would be tried first. */
    readonly apns: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly fcm: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly flyme: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly harmony: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly honor: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly huawei: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly nativepush: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly oppo: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly vivo: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly webpush: bigint;
    /** Number of devices for which this channel would be tried first. */
    readonly xiaomi: bigint;
  };
  /** Number of offline devices for which the notification would wait in the inbox until they connect. */
  readonly waiting: bigint;
  /** Number of devices that no channel can reach with this message. */
  readonly unreachable: bigint;
  /** Content that would be truncated, left out or rejected by the vendors that are tried first. */
  readonly cuts: readonly {
    /** Name of the channel, such as `apns`. */
    readonly channel: string;
    /** Description of the content that would be truncated or left out. */
    readonly text: string;
  }[];
  /**
   * Restrictions by vendors that may be tried for this audience, with the settings in their credentials. The
   * notification would be displayed less prominently, later, or on fewer devices.
   */
  readonly demotions: readonly {
    /** Name of the channel, such as `huawei`. */
    readonly channel: string;
    /** Environment of the credentials: 0 = development, 1 = production. */
    readonly environment: number;
    /** Description of the restriction, and the action that you can take. */
    readonly text: string;
  }[];
  /**
   * How the notification would be sent and displayed, for each channel that may be tried for this audience.
   * A vendor has one entry for each environment.
   */
  readonly previews: readonly {
    /** Name of the channel, such as `apns` or `nativepush`. */
    readonly channel: string;
    /** Environment of the credentials: 0 = development, 1 = production. Null for `nativepush`. */
    readonly environment: number | null;
    /** Number of devices for which this channel would be tried first. */
    readonly devices: bigint;
    /** Title that the device displays, after truncation. Null if it displays none. */
    readonly title: string | null;
    /** Text that the device displays, after truncation. Null if it displays none. */
    readonly body: string | null;
    /** Text of the expanded notification, after truncation. Null if the channel has no separate text for it. */
    readonly big_text: string | null;
    /**
     * Message class or category that would be sent, as the vendor names it, such as `MARKETING`. Null if the
     * vendor receives none.
     */
    readonly message_class: string | null;
    /**
     * Kind of message to which the daily quota of vivo applies: `operational` or `system`. Null for other
     * channels.
     */
    readonly quota_class: string | null;
    /**
     * If the daily quota for this message is used up: time at which Carillon sends such messages again, in
     * Unix epoch milliseconds. Otherwise null.
     */
    readonly quota_spent_until: bigint | null;
    /**
     * Approximate number of devices for which the vendor has accepted such messages since its daily quota was
     * reset. Null if the vendor has no daily quota in this environment, if the number cannot be read, or if
     * the caller is not an admin of the app.
     */
    readonly quota_used: bigint | null;
    /**
     * Approximate number of devices for which the vendor accepts such messages until its daily quota is reset.
     * 0 if `quota_spent_until` is set. Otherwise null if `quota_used` is null, or if the limit is unknown.
     * Only the limits for test messages are known, because the others depend on the app.
     */
    readonly quota_left: bigint | null;
    /**
     * Message fields that are not sent, such as `android.sound`, because the vendor does not support them or
     * because the message would be too large. Fields for other vendors are not listed.
     */
    readonly dropped: readonly string[];
    /** Content that would be truncated, left out or rejected, and restrictions by the vendor. */
    readonly notes: readonly string[];
    /**
     * Request body for one device, as JSON. If the vendor expects a form, this is an object with the fields of
     * the form. IDs and times are examples, `<token>` stands for the vendor token, and secrets are left out.
     * Null if the credentials cannot be decrypted.
     */
    readonly payload: string | null;
  }[];
  /**
   * Paths of unknown fields, such as `message.colour`, which are ignored. If the list is too long, it ends
   * with `...`.
   */
  readonly ignored: readonly string[];
  /** Whether a database was unavailable. The numbers of devices are then too low. */
  readonly incomplete: boolean;
}

/** Create a draft of a notification: request. */
export interface PushDraftCreateRequest {
  /**
   * Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id`
   * and `push_token`.
   */
  readonly audience: Audience;
  /** Push settings. Blank means the default of each setting. */
  readonly setting?: PushSetting | undefined;
  /** Content of the notification; must not be blank. */
  readonly message: Message;
  /** Note for the approver. */
  readonly note?: string | undefined;
}

/** Get a draft with its request: request. */
export interface PushDraftGetRequest {
  /** Draft ID. */
  readonly draft_id: Int64;
}

/** Get a draft with its request: response data. */
export interface PushDraftGetResponse {
  /** Draft ID. */
  readonly draft_id: bigint;
  /**
   * `open`: the draft is not decided. `approved`: the notification was accepted as the task `task_id`.
   * `rejected`: nothing is sent.
   */
  readonly state: 'open' | 'approved' | 'rejected';
  /** Author of the task that an approval creates: `admin`, `group:<id>` or `user:<id>`. */
  readonly author: string;
  /** Kind of the audience: `all`, `tag`, `alias`, `user_id` or `push_token`. */
  readonly audience: string;
  /** Title of the notification. Null if it has none. */
  readonly title: string | null;
  /** Note for the approver. Null if there is none. */
  readonly note: string | null;
  /** Number of devices in the audience when the draft was created. */
  readonly devices: bigint;
  /** Whether only another token than the one that created the draft can approve it. */
  readonly needs_approval: boolean;
  /** Name of the token that created the draft. */
  readonly created_by: string;
  /** Kind of this token, such as `admin`. */
  readonly created_by_kind: string;
  /** ID of this token. */
  readonly created_by_id: bigint;
  /** Creation time, in Unix epoch milliseconds. */
  readonly created_at: bigint;
  /** Time at which the draft is deleted, in Unix epoch milliseconds. */
  readonly expires_at: bigint;
  /** Name of the token that approved or rejected the draft. Null if the draft is open. */
  readonly decided_by: string | null;
  /** Kind of this token. Null if the draft is open. */
  readonly decided_by_kind: string | null;
  /** ID of this token. Null if the draft is open. */
  readonly decided_by_id: bigint | null;
  /** Time of the approval or rejection; null if the draft is open, in Unix epoch milliseconds. */
  readonly decided_at: bigint | null;
  /** Reason of the rejection. Null if there is none. */
  readonly reason: string | null;
  /**
   * Push task ID. Null if the draft is not approved, or if the approval was interrupted. In this case,
   * approve it again.
   */
  readonly task_id: bigint | null;
  /** Request of `/push/notify` as a JSON string, with the default of each blank field. */
  readonly request: string;
}

/** List drafts: request. */
export interface PushDraftListRequest {
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of drafts in the response; 100 by default. */
  readonly limit?: number | undefined;
  /** State of the drafts to return. Blank returns all. */
  readonly state?: 'open' | 'approved' | 'rejected' | undefined;
}

/** List drafts: response data. */
export interface PushDraftListResponse {
  /** Drafts. */
  readonly list: readonly Draft[];
  /** Value for `after` that returns older drafts. Null if there are none. */
  readonly next: bigint | null;
}

/** Approve a draft and send its notification: request. */
export interface PushDraftApproveRequest {
  /** Draft ID. */
  readonly draft_id: Int64;
  /** Number of seconds for which the task is held before sending starts. Blank means the value in the draft. */
  readonly hold_seconds?: number | undefined;
}

/** Approve a draft and send its notification: response data. */
export interface PushDraftApproveResponse {
  /** Push task ID. */
  readonly task_id: bigint;
}

/** Reject a draft: request. */
export interface PushDraftRejectRequest {
  /** Draft ID. */
  readonly draft_id: Int64;
  /** Reason for the creator. */
  readonly reason?: string | undefined;
}

/** Bind a vendor token to a device: request. */
export interface DeviceBindRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /**
   * Vendor token of the device, unchanged. A token that contains characters that the vendor does not use,
   * such as commas or spaces, is rejected. Web Push: the JSON of the subscription, as
   * `JSON.stringify(subscription)` returns it.
   */
  readonly token: string;
  /** Environment: 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Unbind a vendor token from a device: request. */
export interface DeviceUnbindRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Change the tags of a device: request. */
export interface DeviceTagRequest {
  /** Tags to add. */
  readonly add?: readonly string[] | undefined;
  /** Tags to remove. */
  readonly remove?: readonly string[] | undefined;
  /** Whether all existing tags are removed first. */
  readonly clear?: boolean | undefined;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Change the tags of a device: response data. */
export interface DeviceTagResponse {
  /** Tags of the device after the call, sorted. */
  readonly tags: readonly string[];
}

/** Set the alias of a device: request. */
export interface DeviceAliasRequest {
  /** Alias, at most 64 bytes. Blank removes the alias. */
  readonly alias?: string | undefined;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Set the alias of a device: response data. */
export interface DeviceAliasResponse {
  /** Alias of the device after the call. Null if it has none. */
  readonly alias: string | null;
}

/** Set the badge number of a device: request. */
export interface DeviceBadgeRequest {
  /** Badge number that the app icon shows; default 0. */
  readonly badge?: number | undefined;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Set the badge number of a device: response data. */
export interface DeviceBadgeResponse {
  /** Stored badge number. */
  readonly badge: number;
}

/** Report received or clicked notifications: request. */
export interface DeviceReceiptRequest {
  /** References of the notifications, at most 100. */
  readonly list: readonly string[];
  /**
   * `received` if the notification was displayed, `clicked` if the user opened it. A click also counts as
   * received. Blank means `received`.
   */
  readonly event?: 'received' | 'clicked' | undefined;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Report received or clicked notifications: response data. */
export interface DeviceReceiptResponse {
  /** Number of listed references that were recognized, including those that were already counted. */
  readonly received: number;
}

/** Report the state of a device: request. */
export interface DeviceStateRequest {
  /** Name and version of the SDK, such as `android 0.1.0`. */
  readonly client?: string | undefined;
  /** Whether the phone allows the app to display notifications: `allowed` or `denied`. */
  readonly notifications?: 'allowed' | 'denied' | undefined;
  /** Vendors that issued no vendor token to the app. */
  readonly vendor_errors?:
    | readonly {
        /**
         * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
         * HarmonyOS, 10 = Web Push.
         */
        readonly provider: number;
        /** Reason why the vendor issued no vendor token, such as an error code of its SDK. */
        readonly error: string;
      }[]
    | undefined;
  /**
   * Push token of the device. Blank means the device for which the access token was issued. Required with an
   * admin token.
   */
  readonly push_token?: string | undefined;
}

/** Change this app's settings: request. */
export interface AdminAppUpdateRequest {
  /** Name of the app. */
  readonly name?: string | undefined;
  /** Lifetime of an access token, in days. */
  readonly token_days?: number | undefined;
  /** `status`: failed calls have an HTTP error status. `always200`: every response has the status 200. */
  readonly http_errors?: 'status' | 'always200' | undefined;
  /**
   * Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this
   * user. `any`: all devices of the app.
   */
  readonly user_push?: 'none' | 'self' | 'any' | undefined;
  /** Whether users can register themselves with `/user/register`. */
  readonly registration?: boolean | undefined;
  /** Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166). */
  readonly country?: string | undefined;
  /**
   * Maximum number of calls of `/push/notify` per second, and of `/push/validate`, which is counted
   * separately. 0 means no limit. If the ceiling of the app is lower, the ceiling applies.
   */
  readonly notify_per_second?: number | undefined;
  /**
   * Whether `/push/task/detail` also returns the counters of `harmony` and `webpush`, after the specified
   * ones.
   */
  readonly extra_counters?: boolean | undefined;
  /**
   * Whether `/push/notify`, `/push/validate` and `/push/draft/create` reject unknown fields with names that
   * are close to a known field of the same object.
   */
  readonly reject_typos?: boolean | undefined;
  /**
   * Drafts of `/push/draft/create` for more devices than this need the approval of another token. -1 means
   * that no draft needs it.
   */
  readonly approval_above?: number | undefined;
  /**
   * Origins whose web pages can call the operations that need no admin token: at most 20, without wildcards.
   * An origin consists of the scheme, the host and, unless it is the default, the port. The list replaces
   * the previous one. A list with only `none` removes all origins.
   */
  readonly cors_origins?: readonly string[] | undefined;
}

/** Create an app: request. */
export interface AdminAppCreateRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit. */
  readonly new_app_id: string;
  /** Name of the app. */
  readonly name: string;
  /** Lifetime of an access token, in days. */
  readonly token_days?: number | undefined;
  /** `status`: failed calls have an HTTP error status. `always200`: every response has the status 200. */
  readonly http_errors?: 'status' | 'always200' | undefined;
  /**
   * Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this
   * user. `any`: all devices of the app.
   */
  readonly user_push?: 'none' | 'self' | 'any' | undefined;
  /** Whether users can register themselves with `/user/register`. */
  readonly registration?: boolean | undefined;
  /** Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166). */
  readonly country?: string | undefined;
  /**
   * Maximum number of calls of `/push/notify` per second, and of `/push/validate`, which is counted
   * separately. 0 means no limit. If the ceiling of the app is lower, the ceiling applies.
   */
  readonly notify_per_second?: number | undefined;
  /**
   * Whether `/push/task/detail` also returns the counters of `harmony` and `webpush`, after the specified
   * ones.
   */
  readonly extra_counters?: boolean | undefined;
  /**
   * Whether `/push/notify`, `/push/validate` and `/push/draft/create` reject unknown fields with names that
   * are close to a known field of the same object.
   */
  readonly reject_typos?: boolean | undefined;
  /**
   * Drafts of `/push/draft/create` for more devices than this need the approval of another token. -1 means
   * that no draft needs it.
   */
  readonly approval_above?: number | undefined;
  /**
   * Origins whose web pages can call the operations that need no admin token: at most 20, without wildcards.
   * An origin consists of the scheme, the host and, unless it is the default, the port. The list replaces
   * the previous one. A list with only `none` removes all origins.
   */
  readonly cors_origins?: readonly string[] | undefined;
}

/** Create an app: response data. */
export interface AdminAppCreateResponse {
  /** ID of the new app. */
  readonly app_id: string;
  /** Admin token of the new app, with the scope `*`. It is not shown again. */
  readonly admin_token: string;
}

/** Set the ceilings of an app: request. */
export interface AdminAppCeilingsRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit. */
  readonly target_app_id: string;
  /**
   * Number of calls of `/push/notify` per second on each API process. `/push/validate` is counted
   * separately, with the same ceiling. 0 means no ceiling. -1 restores the default of the installation.
   */
  readonly notify_per_second?: Int64 | undefined;
  /**
   * Number of tasks that are not finished, including scheduled tasks and tasks that wait in inboxes. 0 means
   * no ceiling. -1 restores the default of the installation.
   */
  readonly open_tasks?: Int64 | undefined;
  /** Number of users. 0 means no ceiling. -1 restores the default of the installation. */
  readonly users?: Int64 | undefined;
  /**
   * Number of devices, including those without a user. 0 means no ceiling. -1 restores the default of the
   * installation.
   */
  readonly devices?: Int64 | undefined;
  /**
   * Number of bytes of stored messages with their audiences, and of inboxes with 200 bytes per notification.
   * 0 means no ceiling. -1 restores the default of the installation.
   */
  readonly stored_bytes?: Int64 | undefined;
  /**
   * Number of connected devices, on all gateways together. 0 means no ceiling. -1 restores the default of
   * the installation.
   */
  readonly sessions?: Int64 | undefined;
}

/** Set the ceilings of an app: response data. */
export interface AdminAppCeilingsResponse {
  /** Ceilings of the app, which only the operator of the installation can set. 0 means no ceiling. */
  readonly ceilings: Ceilings;
  /** Usage of the app, according to the last count. */
  readonly usage: Usage;
}

/** Disable an app: request. */
export interface AdminAppDisableRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit. */
  readonly target_app_id: string;
}

/** Enable an app: request. */
export interface AdminAppEnableRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit. */
  readonly target_app_id: string;
}

/** Create an admin token: request. */
export interface AdminTokenCreateRequest {
  /** Purpose of the token. */
  readonly name: string;
  /**
   * Scopes of the token: `push`, `secrets`, `manage`, `platform`. `*` stands for all scopes except
   * `platform`.
   */
  readonly scopes: readonly ('*' | 'push' | 'secrets' | 'manage' | 'platform')[];
  /** Group that the token is limited to. It then always acts as an admin of this group. */
  readonly group_id?: Int64 | undefined;
  /**
   * Number of days until the token expires. Blank means that it expires with the token that creates it, or
   * never.
   */
  readonly days?: number | undefined;
}

/** Create an admin token: response data. */
export interface AdminTokenCreateResponse {
  /** ID of the token, which you need to revoke it. */
  readonly token_id: bigint;
  /** Admin token. It is not shown again. */
  readonly token: string;
  /** Time at which the token expires, in Unix epoch milliseconds. Null if it does not expire. */
  readonly expire: bigint | null;
}

/** Revoke an admin token: request. */
export interface AdminTokenRevokeRequest {
  /** ID of the token. */
  readonly token_id: Int64;
  /** True if access tokens stay valid, for example when a backend changes its admin token. Default: false. */
  readonly keep_user_tokens?: boolean | undefined;
}

/** Create a user: request. */
export interface AdminUserCreateRequest {
  /** User ID. If blank, Carillon generates an ID. */
  readonly user_id?: Int64 | undefined;
  /**
   * User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or
   * trailing spaces.
   */
  readonly name?: string | undefined;
  /**
   * Mobile number: with `+` and country code, or in the national format of the country in the app setting
   * `country`.
   */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password?: string | undefined;
}

/** Create a user: response data. */
export interface AdminUserCreateResponse {
  /** User ID. */
  readonly user_id: bigint;
}

/** Find a user: request. */
export interface AdminUserFindRequest {
  /** User ID. */
  readonly user_id?: Int64 | undefined;
  /**
   * User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or
   * trailing spaces.
   */
  readonly name?: string | undefined;
  /**
   * Mobile number: with `+` and country code, or in the national format of the country in the app setting
   * `country`.
   */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
}

/** List the users of the app: request. */
export interface AdminUserListRequest {
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the users of the app: response data. */
export interface AdminUserListResponse {
  /** Users. */
  readonly list: readonly User[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: bigint | null;
}

/** Change a user's login names: request. */
export interface AdminUserUpdateRequest {
  /** User ID. */
  readonly user_id: Int64;
  /**
   * User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or
   * trailing spaces.
   */
  readonly name?: string | undefined;
  /**
   * Mobile number: with `+` and country code, or in the national format of the country in the app setting
   * `country`.
   */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Login names to delete: `name`, `mobile` or `email`. */
  readonly remove?: readonly ('name' | 'mobile' | 'email')[] | undefined;
}

/** Set a user's password: request. */
export interface AdminUserPasswordRequest {
  /** User ID. */
  readonly user_id: Int64;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password?: string | undefined;
}

/** Log a user out everywhere: request. */
export interface AdminUserKickRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Disable a user: request. */
export interface AdminUserDisableRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Enable a user: request. */
export interface AdminUserEnableRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Log a user in without a password: request. */
export interface AdminUserTokenRequest {
  /** User ID. */
  readonly user_id: Int64;
  /** Device ID that the app has generated. If set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Export the personal data of a user: request. */
export interface AdminUserExportRequest {
  /** User ID. */
  readonly user_id: Int64;
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: string | undefined;
}

/** Export the personal data of a user: response data. */
export interface AdminUserExportResponse {
  /** Records of the user. */
  readonly list: readonly {
    /** Kind of the record. */
    readonly kind: 'user' | 'access_token' | 'device' | 'group' | 'task' | 'draft' | 'counters' | 'audit_entry';
    /** The record, as a JSON string. Times are in Unix epoch milliseconds. */
    readonly record: string;
  }[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: string | null;
}

/** Create a group: request. */
export interface AdminGroupCreateRequest {
  /** Group ID. If blank, Carillon generates an ID. */
  readonly group_id?: Int64 | undefined;
  /** Name of the group. */
  readonly name: string;
}

/** Create a group: response data. */
export interface AdminGroupCreateResponse {
  /** Group ID. */
  readonly group_id: bigint;
}

/** List the groups of the app: request. */
export interface AdminGroupListRequest {
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the groups of the app: response data. */
export interface AdminGroupListResponse {
  /** Groups. */
  readonly list: readonly Group[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: bigint | null;
}

/** Add members to a group: request. */
export interface AdminGroupAddRequest {
  /** Group ID. */
  readonly group_id: Int64;
  /** User IDs, at most 500. */
  readonly list: readonly Int64[];
}

/** List the members of a group: request. */
export interface AdminGroupMembersRequest {
  /** Group ID. */
  readonly group_id: Int64;
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the members of a group: response data. */
export interface AdminGroupMembersResponse {
  /** User IDs of the members. */
  readonly list: readonly bigint[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: bigint | null;
}

/** Remove members from a group: request. */
export interface AdminGroupRemoveRequest {
  /** Group ID. */
  readonly group_id: Int64;
  /** User IDs, at most 500. */
  readonly list: readonly Int64[];
}

/** Delete a group: request. */
export interface AdminGroupDeleteRequest {
  /** Group ID. */
  readonly group_id: Int64;
}

/** Save the credentials for a vendor: request. */
export interface AdminCertificateSaveRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
  /** Name of the credentials. */
  readonly name: string;
  /**
   * App ID at the vendor. APNs: bundle ID. FCM: project ID. Web Push: contact, as a `mailto:` or `https:`
   * URL.
   */
  readonly app_id?: string | undefined;
  /**
   * App key at the vendor. APNs with a .p8 file: Key ID. Huawei: project ID. Honor: Client ID. Web Push:
   * public VAPID key.
   */
  readonly app_key?: string | undefined;
  /**
   * App secret at the vendor. APNs: Team ID for a .p8 file, or passphrase of a .p12 file. OPPO:
   * MasterSecret. Honor: Client Secret. Web Push: private VAPID key.
   */
  readonly app_secret?: string | undefined;
  /**
   * Whether Carillon first checks the credentials with the vendor. Credentials that the vendor rejects are
   * not saved. If the vendor does not respond, the credentials are saved unchecked.
   */
  readonly check?: boolean | undefined;
  /**
   * Rate limit that you agreed with the vendor, in devices per second (Xiaomi and Meizu: requests per
   * second). Blank means the default limit of the vendor.
   */
  readonly per_second?: number | undefined;
  /**
   * Depends on the vendor. APNs: contents of the .p8 file, a .p12 file in base64, or PEM. FCM: the service
   * account JSON. Other vendors: a JSON string with settings. Huawei also accepts a service account file.
   */
  readonly certificate?: string | undefined;
}

/** Check credentials with the vendor: request. */
export interface AdminCertificateCheckRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Check credentials with the vendor: response data. */
export interface AdminCertificateCheckResponse {
  /**
   * `good`: the vendor accepts the credentials. `refused`: the vendor rejects the credentials. `unknown`:
   * the credentials could not be checked, for example because the vendor did not respond.
   */
  readonly result: 'good' | 'refused' | 'unknown';
  /** Reason for the result, usually the error of the vendor. Empty if the result is `good`. */
  readonly reason: string;
  /**
   * Whether Carillon calls the default URL of the vendor. False if a setting replaces the URL, for example
   * with the URL of a simulator or a reverse proxy.
   */
  readonly default_url: boolean;
}

/** Get the callback path for a vendor: request. */
export interface AdminCertificateCallbackRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Set to true if the path has leaked. Carillon then generates a new path, and the old one stops working. */
  readonly renew?: boolean | undefined;
  /**
   * Huawei: the callback user name in its console. Meizu: any value. If set, Carillon accepts only signed
   * callbacks.
   */
  readonly user_name?: string | undefined;
  /** Huawei: the callback key that belongs to `user_name`. Meizu: the secret string in its console. */
  readonly key?: string | undefined;
  /**
   * Set to false if you removed the user name and the key at the vendor. Carillon then accepts unsigned
   * callbacks.
   */
  readonly signed?: boolean | undefined;
}

/** Get the callback path for a vendor: response data. */
export interface AdminCertificateCallbackResponse {
  /** Path of the callback URL. Keep it secret. */
  readonly path: string;
  /** Whether callbacks must be signed. */
  readonly signed: boolean;
}

/** Delete the credentials for a vendor: request. */
export interface AdminCertificateDeleteRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Resume a paused vendor channel: request. */
export interface AdminChannelResumeRequest {
  /**
   * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
   * HarmonyOS, 10 = Web Push.
   */
  readonly provider: number;
  /** Environment: 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Resume a paused vendor channel: response data. */
export interface AdminChannelResumeResponse {
  /** Whether the channel was paused. False if nothing has changed. */
  readonly resumed: boolean;
}

/** Find devices: request. */
export interface AdminDeviceFindRequest {
  /** Push token of the device. */
  readonly push_token?: string | undefined;
  /** Device ID. */
  readonly device_guid?: string | undefined;
  /** User ID. */
  readonly user_id?: Int64 | undefined;
  /** Alias of the device. */
  readonly alias?: string | undefined;
  /** Tag of the device. */
  readonly tag?: string | undefined;
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
}

/** Find devices: response data. */
export interface AdminDeviceFindResponse {
  /** Devices. */
  readonly list: readonly Device[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: bigint | null;
  /**
   * Whether devices may be missing because a database is unavailable. A search by `tag` returns an error
   * instead.
   */
  readonly incomplete: boolean;
}

/** Get a device with its inbox and connection: request. */
export interface AdminDeviceGetRequest {
  /** Push token of the device. */
  readonly push_token: string;
}

/** Get a device with its inbox and connection: response data. */
export interface AdminDeviceGetResponse {
  /** Push token, which identifies the device. */
  readonly push_token: string;
  /** Device ID that the app sent at login. */
  readonly device_guid: string;
  /** ID of the user who is logged in on the device. Null if no user is logged in. */
  readonly user_id: bigint | null;
  /** Alias of the device. Null if it has none. */
  readonly alias: string | null;
  /** Tags of the device. */
  readonly tags: readonly string[];
  /** Vendors for which a vendor token is bound to the device. The vendor tokens are not returned. */
  readonly bindings: readonly Binding[];
  /** Whether the device is connected to the Carillon channel. */
  readonly online: boolean;
  /** Day of the last login or connection, such as `2026-11-15`. */
  readonly seen_on: string;
  /** Time at which the current user first logged in on the device, in Unix epoch milliseconds. */
  readonly registered_at: bigint;
  /**
   * State that the app reported last with `/device/state`. Null if it reported none since the login, or if
   * no user is logged in.
   */
  readonly state: {
    /** Name and version of the SDK. Null if it was not reported. */
    readonly client: string | null;
    /**
     * Whether the phone allows the app to display notifications: `allowed` or `denied`. Null if it was not
     * reported.
     */
    readonly notifications: string | null;
    /** Vendors that issued no vendor token to the app. */
    readonly vendor_errors: readonly {
      /**
       * Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 =
       * HarmonyOS, 10 = Web Push.
       */
      readonly provider: number;
      /** Reason why the vendor issued no vendor token. */
      readonly error: string;
    }[];
    /** Time of the report, in Unix epoch milliseconds. */
    readonly reported_at: bigint;
  } | null;
  /**
   * Number on the app icon that Carillon stores for the device. Carillon stores it for devices that have had
   * a binding for APNs or Web Push.
   */
  readonly badge: number;
  /** Connection of the device to the Carillon channel. Null if it is not connected. */
  readonly session: {
    /** Name of the gateway to which the device is connected. */
    readonly gateway: string;
    /** Time at which the device connected, in Unix epoch milliseconds. */
    readonly connected_at: bigint;
  } | null;
  /**
   * Notifications that wait until the device connects, or until the device acknowledges them. The oldest
   * comes first, and there are at most 100.
   */
  readonly inbox: readonly {
    /** Push task ID. */
    readonly task_id: bigint;
    /** Title of the notification. Null if it has none. */
    readonly title: string | null;
    /** Time at which the notification is removed from the inbox, in Unix epoch milliseconds. */
    readonly expire: bigint;
  }[];
}

/** List the notifications of a user or device: request. */
export interface AdminDeviceNotificationsRequest {
  /** Push token of the device. */
  readonly push_token?: string | undefined;
  /** User ID. */
  readonly user_id?: Int64 | undefined;
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /**
   * Maximum number of rows; 20 by default. The rows of one task are never divided, so a page can have more
   * rows if the user has more devices.
   */
  readonly limit?: number | undefined;
}

/** List the notifications of a user or device: response data. */
export interface AdminDeviceNotificationsResponse {
  /** ID of the user whose devices are listed. `/push/task/trace` accepts it with `task_id`. */
  readonly user_id: bigint | null;
  /** Notifications, one row for each task and device. */
  readonly list: readonly {
    /** Push task ID. */
    readonly task_id: bigint;
    /** Title of the notification. Null if it has none. */
    readonly title: string | null;
    /** Time at which the task was accepted, in Unix epoch milliseconds. */
    readonly accepted_at: bigint;
    /** Device ID that the app sent at login. */
    readonly device_guid: string;
    /** Push token of the device. Null if no user is logged in on it. Trace such a device by `user_id`. */
    readonly push_token: string | null;
    /**
     * Channel that delivered the notification, or the last one that was tried. `none` if no channel can reach
     * the device.
     */
    readonly channel: string;
    /**
     * `acknowledged`: the device received the notification. `sent`: a vendor accepted the notification, or it
     * was written to the connection, but there is no receipt. `open`: delivery is not finished. `ended`: the
     * notification was not delivered.
     */
    readonly state: 'acknowledged' | 'sent' | 'open' | 'ended';
    /** Whether a click was reported. */
    readonly clicked: boolean;
    /** Explanation of the state, with the reason and the action that you can take. */
    readonly why: string;
  }[];
  /** Value for `after` that returns older notifications. Null if all were searched. */
  readonly next: bigint | null;
  /**
   * Explanation of why the user has no device, if `user_id` was sent and no device was found. Null
   * otherwise.
   */
  readonly why: string | null;
  /** Whether a database was unavailable, so that rows can be missing. Repeat the call later. */
  readonly incomplete: boolean;
}

/** Log a user out on one device: request. */
export interface AdminDeviceLogoutRequest {
  /** Push token of the device. */
  readonly push_token: string;
}

/** Delete a device: request. */
export interface AdminDeviceDeleteRequest {
  /** Push token of the device. */
  readonly push_token?: string | undefined;
  /** Device ID. */
  readonly device_guid?: string | undefined;
}

/** Delete a user: request. */
export interface AdminUserDeleteRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Erase the personal data of a user: request. */
export interface AdminUserEraseRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Erase the personal data of a user: response data. */
export interface AdminUserEraseResponse {
  /** Erasure ID. */
  readonly erasure_id: bigint;
  /** User ID. */
  readonly user_id: bigint;
  /**
   * `devices`: devices of the user are being erased. `records`: the user is being removed from tasks,
   * counters and idempotency keys. `done`: the erasure is complete.
   */
  readonly state: 'devices' | 'records' | 'done';
  /**
   * Number of databases in which devices of the user may be left. It stays above 0 while such a database is
   * unavailable, and in the first 10 minutes.
   */
  readonly databases_left: number;
  /** Time of the request, in Unix epoch milliseconds. */
  readonly requested_at: bigint;
  /** Time at which the erasure was complete, in Unix epoch milliseconds. Null if it is not. */
  readonly done_at: bigint | null;
}

/** List erasures of users: request. */
export interface AdminUserErasuresRequest {
  /** User ID. */
  readonly user_id?: Int64 | undefined;
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
}

/** List erasures of users: response data. */
export interface AdminUserErasuresResponse {
  /** Erasures. */
  readonly list: readonly {
    /** Erasure ID. */
    readonly erasure_id: bigint;
    /** User ID. */
    readonly user_id: bigint;
    /**
     * `devices`: devices of the user are being erased. `records`: the user is being removed from tasks,
     * counters and idempotency keys. `done`: the erasure is complete.
     */
    readonly state: 'devices' | 'records' | 'done';
    /**
     * Number of databases in which devices of the user may be left. It stays above 0 while such a database is
     * unavailable, and in the first 10 minutes.
     */
    readonly databases_left: number;
    /** Time of the request, in Unix epoch milliseconds. */
    readonly requested_at: bigint;
    /** Time at which the erasure was complete, in Unix epoch milliseconds. Null if it is not. */
    readonly done_at: bigint | null;
  }[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: bigint | null;
}

/** List audit entries: request. */
export interface AdminAuditListRequest {
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
  /** Order of the list: `newest` first by default, or `oldest` first. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** Only calls at or after this time, in Unix epoch milliseconds. */
  readonly from?: Int64 | undefined;
  /** Only calls before this time, in Unix epoch milliseconds. */
  readonly to?: Int64 | undefined;
  /** Only operations whose path starts with this text, such as `/admin/user/` or `/push/certificate`. */
  readonly operation?: string | undefined;
  /** Only calls with this admin token. 0 returns the calls of operators and users. */
  readonly token_id?: Int64 | undefined;
  /** Only calls of this operator. */
  readonly operator_id?: Int64 | undefined;
  /** Only entries with this text in `detail`. Upper and lower case are the same. */
  readonly text?: string | undefined;
  /**
   * True returns the calls that belong to no app instead, such as changes to operators, and sign-ins with
   * OpenID Connect that changed the rights of an operator. Requires the scope `platform`. Default: false.
   */
  readonly installation?: boolean | undefined;
}

/** List audit entries: response data. */
export interface AdminAuditListResponse {
  /** Recorded calls. */
  readonly list: readonly AuditEntry[];
  /** Value for `after` that returns the next page. Null if there are no more entries. */
  readonly next: bigint | null;
}

/** Verify the audit log: request. */
export interface AdminAuditVerifyRequest {
  /** Value of `next` in the previous response. Blank starts with the oldest entry. */
  readonly after?: string | undefined;
  /** Hash that the chain must contain: `hash` of an earlier verification. */
  readonly expect?: string | undefined;
}

/** Verify the audit log: response data. */
export interface AdminAuditVerifyResponse {
  /** Number of entries that match. */
  readonly entries: bigint;
  /** Number of new entries that are not in the chain yet. A worker adds them within two minutes. */
  readonly pending: number;
  /** Hash of the last entry that matches. Null if no entry was checked. */
  readonly hash: string | null;
  /** Whether an entry of this call has the hash `expect`. It must be true for one of the calls. */
  readonly expected_found: boolean;
  /** First entry that does not match. Empty if all entries match. */
  readonly list: readonly {
    /** ID of the entry. */
    readonly audit_id: bigint;
    /**
     * `entry-changed`: the entry or its hash was changed. `entry-missing`: the entry was deleted.
     * `not-chained`: the entry was inserted later. `link-broken`: entries before it were deleted with their
     * hashes. `start-missing`: the oldest entries were deleted before 400 days had passed.
     */
    readonly reason: 'entry-changed' | 'entry-missing' | 'not-chained' | 'link-broken' | 'start-missing';
  }[];
  /** Value for `after` that checks the next entries. Null if this was the last call. */
  readonly next: string | null;
}

/** Check the invariants of the ledger: request. */
export interface AdminLedgerVerifyRequest {
  /** Value of `next` in the previous response. Blank checks the first part. */
  readonly after?: string | undefined;
}

/** Check the invariants of the ledger: response data. */
export interface AdminLedgerVerifyResponse {
  /** IDs of the invariants that were checked in this part, such as `L1`. */
  readonly laws: readonly string[];
  /** Number of tasks whose check this call completed. */
  readonly tasks: bigint;
  /** Number of batches (slices) that were checked. */
  readonly slices: bigint;
  /** Number of entries (places) that were checked. An entry is one device in a batch. */
  readonly places: bigint;
  /** Violations, at most 20 of each kind. Empty if there are none. */
  readonly list: readonly {
    /** ID of the violated invariant. */
    readonly law: string;
    /** Description of the violation. */
    readonly what: string;
    /** Task ID. Null if the violation does not concern a task. */
    readonly task_id: bigint | null;
    /** Bucket of the batch. Null if the violation does not concern a batch. */
    readonly bucket: number | null;
    /** Number of the batch. Null if the violation does not concern a batch. */
    readonly slice: number | null;
  }[];
  /** Value for `after` that checks the next part. Null if this was the last part. */
  readonly next: string | null;
}

/** Look up any ID: request. */
export interface AdminLookupRequest {
  /** The string to look up. Spaces before and after it are ignored. Case matters, except in email addresses. */
  readonly text: string;
}

/** Look up any ID: response data. */
export interface AdminLookupResponse {
  /** Matches. Fields that do not apply to the kind are null. */
  readonly list: readonly {
    /** Kind of the object. */
    readonly kind: 'user' | 'device' | 'task' | 'group';
    /** The field that has the value. */
    readonly matched:
      | 'user_id'
      | 'name'
      | 'mobile'
      | 'email'
      | 'alias'
      | 'push_token'
      | 'device_guid'
      | 'vendor_token'
      | 'task_id'
      | 'request_id'
      | 'group_id';
    /**
     * Name of the object: login name of the user, `device_guid`, title of the notification, or group name. The
     * ID if it has no name.
     */
    readonly label: string;
    /** ID of the user, or of the user who is logged in on the device. */
    readonly user_id: bigint | null;
    /** Push token of the device. Null if no user is logged in on it. */
    readonly push_token: string | null;
    /** Device ID that the app sent at login. */
    readonly device_guid: string | null;
    /** Push task ID. */
    readonly task_id: bigint | null;
    /** Group ID. */
    readonly group_id: bigint | null;
  }[];
  /** Whether a database was unavailable, so that matches can be missing. Repeat the call later. */
  readonly incomplete: boolean;
}

/** List quarantined tasks: response data. */
export interface AdminTaskQuarantinedResponse {
  /** Quarantined work, by task and kind. Empty if there is none. */
  readonly list: readonly {
    /** Push task ID. */
    readonly task_id: bigint;
    /**
     * Kind of the work: `tasks` (the task itself), `expansions` (parts of the audience) or `slices` (batches
     * of devices).
     */
    readonly kind: 'tasks' | 'expansions' | 'slices';
    /** Number of quarantined rows of this kind. */
    readonly rows: number;
    /** Error of the last failure, at most 500 characters. */
    readonly error: string;
    /** Time of the last failure, in Unix epoch milliseconds. */
    readonly failed_at: bigint;
  }[];
  /** Whether a database was unavailable, so that work can be missing. Repeat the call later. */
  readonly incomplete: boolean;
}

/** Retry a quarantined task: request. */
export interface AdminTaskRetryRequest {
  /** Push task ID. */
  readonly task_id: Int64;
}

/** Retry a quarantined task: response data. */
export interface AdminTaskRetryResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Number of rows that are retried. 0 if nothing was quarantined. */
  readonly rows: number;
  /** Whether a database was unavailable, so that its rows are not retried. Repeat the call later. */
  readonly incomplete: boolean;
}

/** Show how operators can sign in: response data. */
export interface OperatorMethodsResponse {
  /** Whether operators can sign in with a password. Always true. */
  readonly password: boolean;
  /** Sign-in with OpenID Connect, which starts at `/operator/oidc/login`. Null if it is not set up. */
  readonly oidc: {
    /** Name of the identity provider. */
    readonly name: string;
  } | null;
}

/** Sign in as an operator: request. */
export interface OperatorLoginRequest {
  /** Email address of the operator. It matches in upper or lower case. */
  readonly email: string;
  /** Password. Spaces are significant, so a password that consists of spaces is not blank. */
  readonly password: string;
}

/** Change your password as an operator: request. */
export interface OperatorPasswordRequest {
  /** Current password. Spaces are significant. */
  readonly old_password: string;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password: string;
}

/** List the sessions of an operator: request. */
export interface OperatorSessionListRequest {
  /** Operator ID. Blank selects the operator who is signed in. */
  readonly operator_id?: Int64 | undefined;
}

/** End sessions of an operator: request. */
export interface OperatorSessionRevokeRequest {
  /** ID of the session. Blank ends all sessions of `operator_id`. */
  readonly session_id?: Int64 | undefined;
  /** Operator ID. Blank selects the operator who is signed in. */
  readonly operator_id?: Int64 | undefined;
}

/** Create an operator: request. */
export interface OperatorCreateRequest {
  /** Email address of the operator. It matches in upper or lower case. */
  readonly email: string;
  /** Displayed name. */
  readonly name: string;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password: string;
  /** True creates a platform operator, who is an admin of every app and manages operators. Default: false. */
  readonly is_platform?: boolean | undefined;
}

/** List the operators: request. */
export interface OperatorListRequest {
  /** Value of `next` in the previous response. Blank returns the first page. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows in the response; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the operators: response data. */
export interface OperatorListResponse {
  /** Operators. */
  readonly list: readonly Operator[];
  /** Value for `after` that returns the next page. Null if this is the last page. */
  readonly next: bigint | null;
}

/** Change an operator: request. */
export interface OperatorUpdateRequest {
  /** Operator ID. */
  readonly operator_id: Int64;
  /** Email address of the operator. It matches in upper or lower case. */
  readonly email?: string | undefined;
  /** Displayed name. */
  readonly name?: string | undefined;
  /**
   * Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of
   * the user or the app are rejected.
   */
  readonly password?: string | undefined;
  /** Whether this is a platform operator. */
  readonly is_platform?: boolean | undefined;
}

/** Disable an operator: request. */
export interface OperatorDisableRequest {
  /** Operator ID. */
  readonly operator_id: Int64;
}

/** Enable an operator: request. */
export interface OperatorEnableRequest {
  /** Operator ID. */
  readonly operator_id: Int64;
}

/** Set the role of an operator in an app: request. */
export interface OperatorRoleSetRequest {
  /** Operator ID. */
  readonly operator_id: Int64;
  /** App ID. */
  readonly app_id: string;
  /**
   * Role in the app. `viewer`: read. `sender`: also send and cancel notifications. `admin`: also manage the
   * app and read its secrets. Blank removes the role.
   */
  readonly role?: 'viewer' | 'sender' | 'admin' | undefined;
}

/** Request type of each operation. */
export interface Requests {
  readonly '/token/id': TokenIdRequest;
  readonly '/token/login': TokenLoginRequest;
  readonly '/token/user': TokenUserRequest;
  readonly '/user/register': UserRegisterRequest;
  readonly '/user/password': UserPasswordRequest;
  readonly '/push/certificate': PushCertificateRequest;
  readonly '/push/notify': PushNotifyRequest;
  readonly '/push/task/detail': PushTaskDetailRequest;
  readonly '/push/task/list': PushTaskListRequest;
  readonly '/push/task/report': PushTaskReportRequest;
  readonly '/push/task/trace': PushTaskTraceRequest;
  readonly '/push/task/cancel': PushTaskCancelRequest;
  readonly '/push/statistics/daily': PushStatisticsDailyRequest;
  readonly '/push/validate': PushValidateRequest;
  readonly '/push/draft/create': PushDraftCreateRequest;
  readonly '/push/draft/get': PushDraftGetRequest;
  readonly '/push/draft/list': PushDraftListRequest;
  readonly '/push/draft/approve': PushDraftApproveRequest;
  readonly '/push/draft/reject': PushDraftRejectRequest;
  readonly '/device/bind': DeviceBindRequest;
  readonly '/device/unbind': DeviceUnbindRequest;
  readonly '/device/list': EmptyObject;
  readonly '/device/tag': DeviceTagRequest;
  readonly '/device/alias': DeviceAliasRequest;
  readonly '/device/badge': DeviceBadgeRequest;
  readonly '/device/receipt': DeviceReceiptRequest;
  readonly '/device/state': DeviceStateRequest;
  readonly '/token/logout': EmptyObject;
  readonly '/admin/app/get': EmptyObject;
  readonly '/admin/app/update': AdminAppUpdateRequest;
  readonly '/admin/app/create': AdminAppCreateRequest;
  readonly '/admin/app/ceilings': AdminAppCeilingsRequest;
  readonly '/admin/app/list': EmptyObject;
  readonly '/admin/app/disable': AdminAppDisableRequest;
  readonly '/admin/app/enable': AdminAppEnableRequest;
  readonly '/admin/token/create': AdminTokenCreateRequest;
  readonly '/admin/token/list': EmptyObject;
  readonly '/admin/token/revoke': AdminTokenRevokeRequest;
  readonly '/admin/user/create': AdminUserCreateRequest;
  readonly '/admin/user/find': AdminUserFindRequest;
  readonly '/admin/user/list': AdminUserListRequest;
  readonly '/admin/user/update': AdminUserUpdateRequest;
  readonly '/admin/user/password': AdminUserPasswordRequest;
  readonly '/admin/user/kick': AdminUserKickRequest;
  readonly '/admin/user/disable': AdminUserDisableRequest;
  readonly '/admin/user/enable': AdminUserEnableRequest;
  readonly '/admin/user/token': AdminUserTokenRequest;
  readonly '/admin/user/export': AdminUserExportRequest;
  readonly '/admin/group/create': AdminGroupCreateRequest;
  readonly '/admin/group/list': AdminGroupListRequest;
  readonly '/admin/group/add': AdminGroupAddRequest;
  readonly '/admin/group/members': AdminGroupMembersRequest;
  readonly '/admin/group/remove': AdminGroupRemoveRequest;
  readonly '/admin/group/delete': AdminGroupDeleteRequest;
  readonly '/admin/certificate/save': AdminCertificateSaveRequest;
  readonly '/admin/certificate/list': EmptyObject;
  readonly '/admin/certificate/check': AdminCertificateCheckRequest;
  readonly '/admin/certificate/callback': AdminCertificateCallbackRequest;
  readonly '/admin/certificate/delete': AdminCertificateDeleteRequest;
  readonly '/admin/channel/list': EmptyObject;
  readonly '/admin/channel/resume': AdminChannelResumeRequest;
  readonly '/admin/device/find': AdminDeviceFindRequest;
  readonly '/admin/device/get': AdminDeviceGetRequest;
  readonly '/admin/device/notifications': AdminDeviceNotificationsRequest;
  readonly '/admin/device/logout': AdminDeviceLogoutRequest;
  readonly '/admin/device/delete': AdminDeviceDeleteRequest;
  readonly '/admin/user/delete': AdminUserDeleteRequest;
  readonly '/admin/user/erase': AdminUserEraseRequest;
  readonly '/admin/user/erasures': AdminUserErasuresRequest;
  readonly '/admin/audit/list': AdminAuditListRequest;
  readonly '/admin/audit/verify': AdminAuditVerifyRequest;
  readonly '/admin/ledger/verify': AdminLedgerVerifyRequest;
  readonly '/admin/lookup': AdminLookupRequest;
  readonly '/admin/task/quarantined': EmptyObject;
  readonly '/admin/task/retry': AdminTaskRetryRequest;
  readonly '/operator/methods': EmptyObject;
  readonly '/operator/login': OperatorLoginRequest;
  readonly '/operator/session': EmptyObject;
  readonly '/operator/logout': EmptyObject;
  readonly '/operator/password': OperatorPasswordRequest;
  readonly '/operator/session/list': OperatorSessionListRequest;
  readonly '/operator/session/revoke': OperatorSessionRevokeRequest;
  readonly '/operator/create': OperatorCreateRequest;
  readonly '/operator/list': OperatorListRequest;
  readonly '/operator/update': OperatorUpdateRequest;
  readonly '/operator/disable': OperatorDisableRequest;
  readonly '/operator/enable': OperatorEnableRequest;
  readonly '/operator/role/set': OperatorRoleSetRequest;
}

/** Response data of each operation. */
export interface Responses {
  readonly '/token/id': TokenRecord;
  readonly '/token/login': TokenRecord;
  readonly '/token/user': TokenRecord;
  readonly '/user/register': TokenRecord;
  readonly '/user/password': EmptyObject;
  readonly '/push/certificate': PushCertificate;
  readonly '/push/notify': PushNotifyResponse;
  readonly '/push/task/detail': readonly PushStatistics[];
  readonly '/push/task/list': PushTaskListResponse;
  readonly '/push/task/report': PushTaskReportResponse;
  readonly '/push/task/trace': PushTaskTraceResponse;
  readonly '/push/task/cancel': PushTaskCancelResponse;
  readonly '/push/statistics/daily': PushStatisticsDailyResponse;
  readonly '/push/validate': PushValidateResponse;
  readonly '/push/draft/create': Draft;
  readonly '/push/draft/get': PushDraftGetResponse;
  readonly '/push/draft/list': PushDraftListResponse;
  readonly '/push/draft/approve': PushDraftApproveResponse;
  readonly '/push/draft/reject': EmptyObject;
  readonly '/device/bind': EmptyObject;
  readonly '/device/unbind': EmptyObject;
  readonly '/device/list': readonly Device[];
  readonly '/device/tag': DeviceTagResponse;
  readonly '/device/alias': DeviceAliasResponse;
  readonly '/device/badge': DeviceBadgeResponse;
  readonly '/device/receipt': DeviceReceiptResponse;
  readonly '/device/state': EmptyObject;
  readonly '/token/logout': EmptyObject;
  readonly '/admin/app/get': App;
  readonly '/admin/app/update': App;
  readonly '/admin/app/create': AdminAppCreateResponse;
  readonly '/admin/app/ceilings': AdminAppCeilingsResponse;
  readonly '/admin/app/list': readonly App[];
  readonly '/admin/app/disable': EmptyObject;
  readonly '/admin/app/enable': EmptyObject;
  readonly '/admin/token/create': AdminTokenCreateResponse;
  readonly '/admin/token/list': readonly AdminToken[];
  readonly '/admin/token/revoke': EmptyObject;
  readonly '/admin/user/create': AdminUserCreateResponse;
  readonly '/admin/user/find': User;
  readonly '/admin/user/list': AdminUserListResponse;
  readonly '/admin/user/update': User;
  readonly '/admin/user/password': EmptyObject;
  readonly '/admin/user/kick': EmptyObject;
  readonly '/admin/user/disable': EmptyObject;
  readonly '/admin/user/enable': EmptyObject;
  readonly '/admin/user/token': TokenRecord;
  readonly '/admin/user/export': AdminUserExportResponse;
  readonly '/admin/group/create': AdminGroupCreateResponse;
  readonly '/admin/group/list': AdminGroupListResponse;
  readonly '/admin/group/add': EmptyObject;
  readonly '/admin/group/members': AdminGroupMembersResponse;
  readonly '/admin/group/remove': EmptyObject;
  readonly '/admin/group/delete': EmptyObject;
  readonly '/admin/certificate/save': Certificate;
  readonly '/admin/certificate/list': readonly Certificate[];
  readonly '/admin/certificate/check': AdminCertificateCheckResponse;
  readonly '/admin/certificate/callback': AdminCertificateCallbackResponse;
  readonly '/admin/certificate/delete': EmptyObject;
  readonly '/admin/channel/list': readonly Channel[];
  readonly '/admin/channel/resume': AdminChannelResumeResponse;
  readonly '/admin/device/find': AdminDeviceFindResponse;
  readonly '/admin/device/get': AdminDeviceGetResponse;
  readonly '/admin/device/notifications': AdminDeviceNotificationsResponse;
  readonly '/admin/device/logout': EmptyObject;
  readonly '/admin/device/delete': EmptyObject;
  readonly '/admin/user/delete': EmptyObject;
  readonly '/admin/user/erase': AdminUserEraseResponse;
  readonly '/admin/user/erasures': AdminUserErasuresResponse;
  readonly '/admin/audit/list': AdminAuditListResponse;
  readonly '/admin/audit/verify': AdminAuditVerifyResponse;
  readonly '/admin/ledger/verify': AdminLedgerVerifyResponse;
  readonly '/admin/lookup': AdminLookupResponse;
  readonly '/admin/task/quarantined': AdminTaskQuarantinedResponse;
  readonly '/admin/task/retry': AdminTaskRetryResponse;
  readonly '/operator/methods': OperatorMethodsResponse;
  readonly '/operator/login': SignedInOperator;
  readonly '/operator/session': SignedInOperator;
  readonly '/operator/logout': EmptyObject;
  readonly '/operator/password': EmptyObject;
  readonly '/operator/session/list': readonly OperatorSession[];
  readonly '/operator/session/revoke': EmptyObject;
  readonly '/operator/create': Operator;
  readonly '/operator/list': OperatorListResponse;
  readonly '/operator/update': Operator;
  readonly '/operator/disable': EmptyObject;
  readonly '/operator/enable': EmptyObject;
  readonly '/operator/role/set': EmptyObject;
}

export type OperationPath = keyof Requests;
