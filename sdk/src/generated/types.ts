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
  /** File key: a random secret whose hash is in `store_token`. */
  readonly access_key_secret: string;
  /** 0: the connection is protected by TLS. */
  readonly encrypt_type: number;
  /** Expiry time of the token, Unix epoch milliseconds. */
  readonly expire: bigint;
  /** Public key (Ed25519, PEM) that verifies `store_token`. */
  readonly public_key: string;
  /** Push token; only when `device_guid` was sent. */
  readonly push_token?: string;
  /** File token: a signed token for a file service, audience `store`. */
  readonly store_token: string;
  /** Access token: the value of the header `access-token` on later calls. */
  readonly token: string;
  /** User ID. */
  readonly user_id: bigint;
}

/** A user. */
export interface User {
  /** User ID. */
  readonly user_id: bigint;
  /** User name. */
  readonly name: string | null;
  /** Mobile number, as `+` and digits. */
  readonly mobile: string | null;
  /** Email address. */
  readonly email: string | null;
  /** Whether the user can log in with a password. */
  readonly has_password: boolean;
  /** Whether the user is disabled. */
  readonly disabled: boolean;
  /** Creation time, Unix epoch milliseconds. */
  readonly created_at: bigint;
}

/** A device. */
export interface Device {
  /** Push token, which identifies the device. */
  readonly push_token: string;
  /** Device ID, as it was sent at login. */
  readonly device_guid: string;
  /** ID of the user who is logged in on the device; null if there is none. */
  readonly user_id: bigint | null;
  /** Alias. */
  readonly alias: string | null;
  /** Tags. */
  readonly tags: readonly string[];
  /** Vendor tokens that are bound to the device. */
  readonly bindings: readonly Binding[];
  /** Whether the device is connected to the Carillon channel. */
  readonly online: boolean;
  /** Day of the last login or connection, such as `2026-11-15`. */
  readonly seen_on: string;
  /** Time of the owner's first login on the device, Unix epoch milliseconds. */
  readonly registered_at: bigint;
}

export interface Binding {
  /** Vendor, as in `/push/certificate`. */
  readonly provider: number;
  /** 0 = development, 1 = production. */
  readonly environment: number;
  /** Time at which the vendor token was bound, Unix epoch milliseconds. */
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
  /** How errors are returned. */
  readonly http_errors: 'status' | 'always200';
  /** Users that a user token can notify. */
  readonly user_push: 'none' | 'self' | 'any';
  /** Whether users can register themselves. */
  readonly registration: boolean;
  /** Country of mobile numbers without a country code. */
  readonly country: string;
  /** Notify and validate requests allowed per second; 0 means no limit. */
  readonly notify_per_second: number;
  /** Public key (Ed25519, PEM) that verifies store tokens. */
  readonly public_key: string;
  /** Whether the app is disabled. */
  readonly disabled: boolean;
  /** Creation time, Unix epoch milliseconds. */
  readonly created_at: bigint;
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
  /** Scopes. */
  readonly scopes: readonly string[];
  /** Expiry time, Unix epoch milliseconds; null if it never expires. */
  readonly expire: bigint | null;
  /** Creation time, Unix epoch milliseconds. */
  readonly created_at: bigint;
}

/** Credentials for a vendor, without secrets. */
export interface Certificate {
  /** Vendor, as in `/push/certificate`. */
  readonly provider: number;
  /** 0 = development, 1 = production. */
  readonly environment: number;
  /** Name of the credentials. */
  readonly name: string;
  /** App ID at the vendor. */
  readonly app_id: string;
  /** App key at the vendor. */
  readonly app_key: string;
  /** Expiry time, Unix epoch milliseconds; null if it never expires. */
  readonly expire: bigint | null;
  /** Rate limit per second that was agreed with the vendor; null means the general limit of the vendor. */
  readonly per_second: bigint | null;
  /** Increases by one each time the credentials are saved. */
  readonly version: number;
  /** Time of the last save, Unix epoch milliseconds. */
  readonly updated_at: bigint;
}

/** Status of an account at a vendor. */
export interface Channel {
  /** Vendor, as in `/push/certificate`. */
  readonly provider: number;
  /** 0 = development, 1 = production. */
  readonly environment: number;
  /** Name of the credentials. */
  readonly name: string;
  /** Expiry time of the credentials, Unix epoch milliseconds; null if they never expire. */
  readonly expire: bigint | null;
  /**
   * False if the channel is paused: the vendor is unavailable or rejects the credentials, and only single
   * probes are sent.
   */
  readonly open: boolean;
  /** Reason for the pause, as reported by the vendor; otherwise empty. */
  readonly reason: string;
  /** Start of the pause, Unix epoch milliseconds; null if the channel is not paused. */
  readonly closed_at: bigint | null;
  /** Daily quotas that are used up. Notifications fall back to the next channel until the time in `until`. */
  readonly spent: readonly {
    /** Message class, if the vendor counts classes separately; otherwise empty. */
    readonly class: string;
    /** Time until which no message of this class is sent, Unix epoch milliseconds. */
    readonly until: bigint;
  }[];
  /**
   * Current rate limit, in devices per second, or in requests if the vendor counts requests. It is the
   * general limit of the vendor or the agreed limit, and lower for a while after throttling. Null means no
   * limit.
   */
  readonly per_second: bigint | null;
  /** Time at which the vendor last throttled requests, Unix epoch milliseconds; null if never. */
  readonly throttled_at: bigint | null;
}

/** Push certificate record. */
export interface PushCertificate {
  /** App ID at the vendor. */
  readonly app_id: string;
  /** App key at the vendor. */
  readonly app_key: string;
  /** App secret at the vendor. */
  readonly app_secret: string;
  /** Certificate. */
  readonly certificate: string;
  /** Name of the credentials. */
  readonly name: string;
}

/** Push statistics record. */
export interface PushStatistics {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Number sent over apns: accepted by the vendor, or written to a live session. */
  readonly apns_sent: bigint;
  /** Number received over apns: acknowledged, once per device. */
  readonly apns_received: bigint;
  /** Number of target devices on apns: a device that fell back counts on both channels. */
  readonly apns_target: bigint;
  /** Number sent over fcm: accepted by the vendor, or written to a live session. */
  readonly fcm_sent: bigint;
  /** Number received over fcm: acknowledged, once per device. */
  readonly fcm_received: bigint;
  /** Number of target devices on fcm: a device that fell back counts on both channels. */
  readonly fcm_target: bigint;
  /** Number sent over flyme: accepted by the vendor, or written to a live session. */
  readonly flyme_sent: bigint;
  /** Number received over flyme: acknowledged, once per device. */
  readonly flyme_received: bigint;
  /** Number of target devices on flyme: a device that fell back counts on both channels. */
  readonly flyme_target: bigint;
  /** Number sent over honor: accepted by the vendor, or written to a live session. */
  readonly honor_sent: bigint;
  /** Number received over honor: acknowledged, once per device. */
  readonly honor_received: bigint;
  /** Number of target devices on honor: a device that fell back counts on both channels. */
  readonly honor_target: bigint;
  /** Number sent over huawei: accepted by the vendor, or written to a live session. */
  readonly huawei_sent: bigint;
  /** Number received over huawei: acknowledged, once per device. */
  readonly huawei_received: bigint;
  /** Number of target devices on huawei: a device that fell back counts on both channels. */
  readonly huawei_target: bigint;
  /** Number sent over nativepush: accepted by the vendor, or written to a live session. */
  readonly nativepush_sent: bigint;
  /** Number received over nativepush: acknowledged, once per device. */
  readonly nativepush_received: bigint;
  /** Number of target devices on nativepush: a device that fell back counts on both channels. */
  readonly nativepush_target: bigint;
  /** Number sent over oppo: accepted by the vendor, or written to a live session. */
  readonly oppo_sent: bigint;
  /** Number received over oppo: acknowledged, once per device. */
  readonly oppo_received: bigint;
  /** Number of target devices on oppo: a device that fell back counts on both channels. */
  readonly oppo_target: bigint;
  /** Number sent over vivo: accepted by the vendor, or written to a live session. */
  readonly vivo_sent: bigint;
  /** Number received over vivo: acknowledged, once per device. */
  readonly vivo_received: bigint;
  /** Number of target devices on vivo: a device that fell back counts on both channels. */
  readonly vivo_target: bigint;
  /** Number sent over xiaomi: accepted by the vendor, or written to a live session. */
  readonly xiaomi_sent: bigint;
  /** Number received over xiaomi: acknowledged, once per device. */
  readonly xiaomi_received: bigint;
  /** Number of target devices on xiaomi: a device that fell back counts on both channels. */
  readonly xiaomi_target: bigint;
}

export interface AuditEntry {
  /** Time, Unix epoch milliseconds. */
  readonly at: bigint;
  /** ID of the admin token. */
  readonly token_id: bigint;
  /** Name of the admin token. */
  readonly token_name: string;
  /** Path of the operation. */
  readonly operation: string;
  /** Request fields that describe the call, as JSON; never a secret. */
  readonly detail: string;
  /** IP address of the caller. */
  readonly address: string;
}

/** Target: `all`, or an object with exactly one key, whose list has 1–500 items. */
export type Audience =
  | 'all'
  | {
      /** Devices labelled with any listed tag. */
      readonly tag?: readonly string[] | undefined;
      /** Devices with any listed alias. */
      readonly alias?: readonly string[] | undefined;
      /** Devices of any listed user ID. */
      readonly user_id?: readonly Int64[] | undefined;
      /** Devices with any listed push token. */
      readonly push_token?: readonly string[] | undefined;
    };

/** Push settings; may be blank. */
export interface PushSetting {
  /**
   * Idempotency key, kept for 90 days. If the same key was used before, nothing is sent and the first task
   * ID is returned. Blank means no deduplication.
   */
  readonly request_id?: string | undefined;
  /**
   * `combined`: Carillon channel first, vendor channel if the device is offline or does not acknowledge;
   * `nativepush_only`: Carillon channel only; `ospush_only`: vendor channels only. Blank means `combined`.
   */
  readonly distribution_strategy?: 'combined' | 'nativepush_only' | 'ospush_only' | undefined;
  /**
   * Vendor push priority. `ups` stands for the domestic vendors (Xiaomi, Huawei, Honor, Meizu, OPPO, vivo).
   * Blank means [ups, fcm].
   */
  readonly ospush_sequence?: readonly ('ups' | 'fcm' | 'huawei' | 'xiaomi' | 'oppo' | 'vivo' | 'meizu')[] | undefined;
}

/** Message body; must not be blank. */
export interface Message {
  /** `text`, `image` or `cmd` (data-only message). Blank means `text`. */
  readonly type?: 'text' | 'image' | 'cmd' | undefined;
  /** Title. */
  readonly title?: string | undefined;
  /** Content. */
  readonly body?: string | undefined;
  /**
   * URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png, and the image must be
   * smaller than 1 MB; 876x324 px recommended.
   */
  readonly attachment_url?: string | undefined;
  /**
   * If set and the vendor supports large text, this text is sent as large text; otherwise `body` is sent as
   * ordinary text.
   */
  readonly big_text?: string | undefined;
  /**
   * Numeric string: badge is set to that number. String starting with `+`: that number is added to the
   * badge. Blank means `+1`.
   */
  readonly badge?: string | undefined;
  /** Free-form JSON object of extension fields: at most 4 KiB, at most 8 levels deep. */
  readonly ext?: Readonly<Record<string, unknown>> | undefined;
  /** Time from which the notification is sent, Unix seconds, at most 30 days ahead; blank means immediately. */
  readonly show_begin_time?: Int64 | undefined;
  /** Time after which the notification is no longer sent, Unix seconds. */
  readonly show_end_time?: Int64 | undefined;
  readonly ios?: IosParameters | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly android?: AndroidParameters | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly huawei?: HuaweiParameters | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly honor?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** ID of the notification channel. */
        readonly channel_id?: string | undefined;
        /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
         * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
         */
        readonly intent?: string | undefined;
        /** Class name of the entry activity of the app, used for the badge on the launcher icon. */
        readonly badge_class?: string | undefined;
        /** Message category, in the vendor's notation; blank means the category set in the credentials. */
        readonly category?: string | undefined;
      }
    | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly xiaomi?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** ID of the notification channel. */
        readonly channel_id?: string | undefined;
        /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
         * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
         */
        readonly intent?: string | undefined;
        /**
         * Template of a private message; blank means the template set in the credentials, if their channel is
         * used.
         */
        readonly template_id?: string | undefined;
        /**
         * Variables of the template, a JSON object of at most 9 strings of 1 to 128 characters; blank means title
         * and text as `keywords1` and `keywords2`.
         */
        readonly template_param?: string | undefined;
      }
    | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly oppo?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** ID of the notification channel. */
        readonly channel_id?: string | undefined;
        /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
         * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
         */
        readonly intent?: string | undefined;
        /** Message category, in the vendor's notation; blank means the category set in the credentials. */
        readonly category?: string | undefined;
        /**
         * Notification level: 1 = in the notification bar, 2 = also on the lock screen, 16 = also with a banner,
         * sound and vibration. Only used with a category; blank means the level set in the credentials, which
         * applies only to the category set in the credentials.
         */
        readonly notify_level?: number | undefined;
      }
    | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly vivo?: VivoParameters | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly flyme?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** ID of the notification channel. */
        readonly channel_id?: string | undefined;
        /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
         * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
         */
        readonly intent?: string | undefined;
        /** 0 = public, 1 = private; blank means the type set in the credentials. */
        readonly notice_msg_type?: number | undefined;
      }
    | undefined;
  /**
   * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
   * overridden as a pair.
   */
  readonly fcm?: AndroidParameters | undefined;
}

export interface IosParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** APNs content-available. */
  readonly content_available?: boolean | undefined;
  /** APNs mutable-content. */
  readonly mutable_content?: boolean | undefined;
  /** APNs payload category. */
  readonly category?: string | undefined;
  /** APNs thread-id: groups notifications. */
  readonly thread_id?: string | undefined;
  /** Subtitle. */
  readonly subtitle?: string | undefined;
  /** A notification with this ID replaces earlier ones with the same ID in the notification center. */
  readonly apns_collapse_id?: string | undefined;
}

/**
 * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
 * overridden as a pair.
 */
export interface AndroidParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
   * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
   */
  readonly intent?: string | undefined;
}

/**
 * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
 * overridden as a pair.
 */
export interface HuaweiParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
   * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
   */
  readonly intent?: string | undefined;
  /** Class name of the entry activity of the app, used for the badge on the launcher icon. */
  readonly badge_class?: string | undefined;
  /** Message category, in the vendor's notation; blank means the category set in the credentials. */
  readonly category?: string | undefined;
  /** Importance: `LOW` is quiet; blank means the importance set in the credentials. */
  readonly importance?: 'LOW' | 'NORMAL' | undefined;
}

/**
 * A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are
 * overridden as a pair.
 */
export interface VivoParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** ID of the notification channel. */
  readonly channel_id?: string | undefined;
  /** Action on click: `intent` opens a specific page, `open_app` opens the home page of the app. */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open; required when `click_action` is `intent`. An intent URI that names the component as
   * `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.
   */
  readonly intent?: string | undefined;
  /** Message category, in the vendor's notation; blank means the category set in the credentials. */
  readonly category?: string | undefined;
  /** 0 = production push, 1 = testing push; default 0. */
  readonly push_mode?: number | undefined;
  /** 0 = operational message, 1 = system message; default 0. */
  readonly classification?: number | undefined;
}

/** Get a token by user ID and password: request. */
export interface TokenIdRequest {
  /** User ID, for login by user ID only. */
  readonly user_id: Int64;
  /** Password. Spaces count: it is blank only when absent, null or "". */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Get a token by login name and password: request. */
export interface TokenLoginRequest {
  /** Mobile number, email or user name. */
  readonly login_name: string;
  /** Password. Spaces count: it is blank only when absent, null or "". */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Get a token by user name and password: request. */
export interface TokenUserRequest {
  /** User name, for login by user name only. */
  readonly name: string;
  /** Password. Spaces count: it is blank only when absent, null or "". */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Register a user: request. */
export interface UserRegisterRequest {
  /**
   * User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that
   * it is never mistaken for a number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or in the national format of the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Password, 8 to 256 characters. Spaces count. */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Get a push certificate: request. */
export interface PushCertificateRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Send a push notification: request. */
export interface PushNotifyRequest {
  /** Target: `all`, or an object with exactly one key, whose list has 1–500 items. */
  readonly audience: Audience;
  /** Push settings; may be blank. */
  readonly setting?: PushSetting | undefined;
  /** Message body; must not be blank. */
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
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows; 100 by default. */
  readonly limit?: number | undefined;
}

/** List push tasks: response data. */
export interface PushTaskListResponse {
  /** Tasks. */
  readonly list: readonly {
    /** Push task ID. */
    readonly task_id: bigint;
    /**
     * `held`: scheduled for later. `sending`: may still be sent, or delivered from an inbox. `finished`:
     * nothing is left to do. `cancelled`: the task was cancelled.
     */
    readonly state: 'held' | 'sending' | 'finished' | 'cancelled';
    /** `admin`, `group:<id>` or `user:<id>`. */
    readonly author: string;
    /** Kind of the audience: `all`, `tag`, `alias`, `user_id`, `push_token`. */
    readonly audience: string;
    /** Time of acceptance, Unix epoch milliseconds. */
    readonly accepted_at: bigint;
    /** Time from which the task is sent, Unix epoch milliseconds. */
    readonly due_at: bigint;
    /** Time after which nothing more is sent, Unix epoch milliseconds. */
    readonly end_at: bigint;
  }[];
  /** Send it as `after` to get older tasks; null if there are none. */
  readonly next: bigint | null;
}

/** Trace a push task to a device: request. */
export interface PushTaskTraceRequest {
  /** Push task ID. */
  readonly task_id: Int64;
  /** Push token of the device. */
  readonly push_token?: string | undefined;
  /** User ID, to trace all devices of this user. */
  readonly user_id?: Int64 | undefined;
}

/** Trace a push task to a device: response data. */
export interface PushTaskTraceResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Devices. */
  readonly list: readonly {
    /** Push token, which identifies the device. */
    readonly push_token: string;
    /** Device ID, as it was sent at login. */
    readonly device_guid: string;
    /**
     * `acknowledged`: the device received the notification. `sent`: a vendor accepted the notification, or it
     * was written to the device, without an acknowledgement. `open`: delivery is not finished. `ended`: the
     * notification was not delivered. `outside`: the device is not in the audience, or not yet.
     */
    readonly state: 'acknowledged' | 'sent' | 'open' | 'ended' | 'outside';
    /** Explanation of the result, its reason, and what you can do about it. */
    readonly why: string;
    /** Channels that were tried, in order. */
    readonly channels: readonly {
      /** Channel, as in the statistics; `none` if no channel could reach the device. */
      readonly channel: string;
      /** Whether the notification counts as sent on this channel. */
      readonly sent: boolean;
      /** Whether the notification counts as received on this channel. */
      readonly acknowledged: boolean;
      /** Number of attempts that were omitted in the middle because there were too many. */
      readonly left_out: number;
    }[];
    /** Attempts and their results, oldest first. */
    readonly attempts: readonly {
      /** Time, Unix epoch milliseconds. */
      readonly at: bigint;
      /** Channel, as in the statistics; `none` if no channel could reach the device. */
      readonly channel: string;
      /** Code of the event. */
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
        | 'changed-hands'
        | 'cancelled';
      /** Code or message of the channel, or a duration. */
      readonly detail: string | null;
      /** The event as a sentence. */
      readonly text: string;
    }[];
  }[];
}

/** Cancel a push task: request. */
export interface PushTaskCancelRequest {
  /** Push task ID. */
  readonly task_id: Int64;
}

/** Cancel a push task: response data. */
export interface PushTaskCancelResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Whether the task was already finished, so that nothing was cancelled. */
  readonly finished: boolean;
  /** Number of notifications sent before the cancellation, over all channels. */
  readonly sent: bigint;
}

/** Check a notification without sending it: request. */
export interface PushValidateRequest {
  /** Target: `all`, or an object with exactly one key, whose list has 1–500 items. */
  readonly audience: Audience;
  /** Push settings; may be blank. */
  readonly setting?: PushSetting | undefined;
  /** Message body; must not be blank. */
  readonly message: Message;
}

/** Check a notification without sending it: response data. */
export interface PushValidateResponse {
  /** Number of devices in the audience. */
  readonly devices: bigint;
  /**
   * Number of devices by the channel that would be tried first. Devices that do not acknowledge fall back to
   * the next channel.
   */
  readonly first: {
    /** Devices that would be tried on apns first. */
    readonly apns: bigint;
    /** Devices that would be tried on fcm first. */
    readonly fcm: bigint;
    /** Devices that would be tried on flyme first. */
    readonly flyme: bigint;
    /** Devices that would be tried on honor first. */
    readonly honor: bigint;
    /** Devices that would be tried on huawei first. */
    readonly huawei: bigint;
    /** Devices that would be tried on nativepush first. */
    readonly nativepush: bigint;
    /** Devices that would be tried on oppo first. */
    readonly oppo: bigint;
    /** Devices that would be tried on vivo first. */
    readonly vivo: bigint;
    /** Devices that would be tried on xiaomi first. */
    readonly xiaomi: bigint;
  };
  /** Number of devices on the Carillon channel for which the notification would wait until they connect. */
  readonly waiting: bigint;
  /** Number of devices that no channel can reach with this message. */
  readonly unreachable: bigint;
  /** Content that would be cut on the channels that are tried first. */
  readonly cuts: readonly {
    /** Channel. */
    readonly channel: string;
    /** Sentence that describes the content that would be truncated. */
    readonly text: string;
  }[];
  /**
   * Demotions and caps by vendors that may be tried for the audience, given the settings of their
   * credentials. The notification would be displayed less prominently, later, or on fewer devices.
   */
  readonly demotions: readonly {
    /** Channel. */
    readonly channel: string;
    /** Environment of the credentials: 0 = development, 1 = production. */
    readonly environment: number;
    /** Demotion or cap and what to do about it, in sentences. */
    readonly text: string;
  }[];
}

/** Bind a vendor token to a device: request. */
export interface DeviceBindRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** Vendor token of the device. */
  readonly token: string;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
  /** Push token of the device; blank means the device of the access token. Required with an admin token. */
  readonly push_token?: string | undefined;
}

/** Unbind a vendor token from a device: request. */
export interface DeviceUnbindRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** Push token of the device; blank means the device of the access token. Required with an admin token. */
  readonly push_token?: string | undefined;
}

/** Change the tags of a device: request. */
export interface DeviceTagRequest {
  /** Tags to add. */
  readonly add?: readonly string[] | undefined;
  /** Tags to remove. */
  readonly remove?: readonly string[] | undefined;
  /** Whether all tags are removed first. */
  readonly clear?: boolean | undefined;
  /** Push token of the device; blank means the device of the access token. Required with an admin token. */
  readonly push_token?: string | undefined;
}

/** Change the tags of a device: response data. */
export interface DeviceTagResponse {
  /** Current tags of the device, sorted. */
  readonly tags: readonly string[];
}

/** Set the alias of a device: request. */
export interface DeviceAliasRequest {
  /** Alias, at most 64 bytes; blank means none. */
  readonly alias?: string | undefined;
  /** Push token of the device; blank means the device of the access token. Required with an admin token. */
  readonly push_token?: string | undefined;
}

/** Set the alias of a device: response data. */
export interface DeviceAliasResponse {
  /** Current alias of the device. */
  readonly alias: string | null;
}

/** Set the badge number of a device: request. */
export interface DeviceBadgeRequest {
  /** Badge number; 0 by default. */
  readonly badge?: number | undefined;
  /** Push token of the device; blank means the device of the access token. Required with an admin token. */
  readonly push_token?: string | undefined;
}

/** Set the badge number of a device: response data. */
export interface DeviceBadgeResponse {
  /** Badge number that is stored now. */
  readonly badge: number;
}

/** Report received notifications: request. */
export interface DeviceReceiptRequest {
  /** References, at most 100. */
  readonly list: readonly string[];
  /** Push token of the device; blank means the device of the access token. Required with an admin token. */
  readonly push_token?: string | undefined;
}

/** Report received notifications: response data. */
export interface DeviceReceiptResponse {
  /** Number of the listed notifications that are now counted as received. */
  readonly received: number;
}

/** Change this app's settings: request. */
export interface AdminAppUpdateRequest {
  /** Name of the app. */
  readonly name?: string | undefined;
  /** Lifetime of an access token, in days. */
  readonly token_days?: number | undefined;
  /**
   * `status`: errors have an HTTP error status. `always200`: every response has status 200, for clients that
   * expect it.
   */
  readonly http_errors?: 'status' | 'always200' | undefined;
  /** Users that a user token can notify: none, its own user, or any. */
  readonly user_push?: 'none' | 'self' | 'any' | undefined;
  /** Whether users can register themselves. */
  readonly registration?: boolean | undefined;
  /** Country of mobile numbers without a country code, as two letters (ISO 3166). */
  readonly country?: string | undefined;
  /** Notify and validate requests allowed per second; 0 means no limit. */
  readonly notify_per_second?: number | undefined;
}

/** Create an app: request. */
export interface AdminAppCreateRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. */
  readonly new_app_id: string;
  /** Name of the app. */
  readonly name: string;
  /** Lifetime of an access token, in days. */
  readonly token_days?: number | undefined;
  /**
   * `status`: errors have an HTTP error status. `always200`: every response has status 200, for clients that
   * expect it.
   */
  readonly http_errors?: 'status' | 'always200' | undefined;
  /** Users that a user token can notify: none, its own user, or any. */
  readonly user_push?: 'none' | 'self' | 'any' | undefined;
  /** Whether users can register themselves. */
  readonly registration?: boolean | undefined;
  /** Country of mobile numbers without a country code, as two letters (ISO 3166). */
  readonly country?: string | undefined;
  /** Notify and validate requests allowed per second; 0 means no limit. */
  readonly notify_per_second?: number | undefined;
}

/** Create an app: response data. */
export interface AdminAppCreateResponse {
  /** App ID. */
  readonly app_id: string;
  /** Admin token of the new app with the scope `*`. It is not shown again. */
  readonly admin_token: string;
}

/** Disable an app: request. */
export interface AdminAppDisableRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. */
  readonly target_app_id: string;
}

/** Enable an app: request. */
export interface AdminAppEnableRequest {
  /** App ID: at most 64 letters, digits, `.`, `_` and `-`. */
  readonly target_app_id: string;
}

/** Create an admin token: request. */
export interface AdminTokenCreateRequest {
  /** Purpose of the token. */
  readonly name: string;
  /** Scopes: `push`, `secrets`, `manage`, `platform`; `*` is all but `platform`. */
  readonly scopes: readonly ('*' | 'push' | 'secrets' | 'manage' | 'platform')[];
  /** Days until the token expires. Blank means never, unless the token that creates it expires. */
  readonly days?: number | undefined;
}

/** Create an admin token: response data. */
export interface AdminTokenCreateResponse {
  /** ID of the token, required to revoke it. */
  readonly token_id: bigint;
  /** The token. It is not shown again. */
  readonly token: string;
  /** Expiry time, Unix epoch milliseconds; null if it never expires. */
  readonly expire: bigint | null;
}

/** Revoke an admin token: request. */
export interface AdminTokenRevokeRequest {
  /** ID of the token. */
  readonly token_id: Int64;
}

/** Create a user: request. */
export interface AdminUserCreateRequest {
  /** User ID; blank means a generated ID. */
  readonly user_id?: Int64 | undefined;
  /**
   * User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that
   * it is never mistaken for a number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or in the national format of the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Password, 8 to 256 characters. Spaces count. */
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
   * User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that
   * it is never mistaken for a number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or in the national format of the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
}

/** List the users of the app: request. */
export interface AdminUserListRequest {
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the users of the app: response data. */
export interface AdminUserListResponse {
  /** Users. */
  readonly list: readonly User[];
  /** Send it as `after` to get the next rows; null if there are no more. */
  readonly next: bigint | null;
}

/** Change a user's login names: request. */
export interface AdminUserUpdateRequest {
  /** User ID. */
  readonly user_id: Int64;
  /**
   * User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that
   * it is never mistaken for a number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or in the national format of the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Login names to remove: `name`, `mobile`, `email`. */
  readonly remove?: readonly ('name' | 'mobile' | 'email')[] | undefined;
}

/** Set a user's password: request. */
export interface AdminUserPasswordRequest {
  /** User ID. */
  readonly user_id: Int64;
  /** Password, 8 to 256 characters. Spaces count. */
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
  /** Device ID, 1–128 bytes; when set, the response contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Create a group: request. */
export interface AdminGroupCreateRequest {
  /** Group ID; blank means a generated ID. */
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
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the groups of the app: response data. */
export interface AdminGroupListResponse {
  /** Groups. */
  readonly list: readonly Group[];
  /** Send it as `after` to get the next rows; null if there are no more. */
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
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows; 100 by default. */
  readonly limit?: number | undefined;
}

/** List the members of a group: response data. */
export interface AdminGroupMembersResponse {
  /** User IDs. */
  readonly list: readonly bigint[];
  /** Send it as `after` to get the next rows; null if there are no more. */
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
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
  /** Name of the credentials. */
  readonly name: string;
  /** App ID at the vendor. */
  readonly app_id?: string | undefined;
  /** App key at the vendor. */
  readonly app_key?: string | undefined;
  /** App secret at the vendor; with a p12 file, its passphrase. */
  readonly app_secret?: string | undefined;
  /**
   * If false, the credentials are saved without checking them with the vendor. Otherwise, credentials that
   * the vendor clearly rejects are not saved. If the vendor does not respond, they are saved unchecked.
   */
  readonly check?: boolean | undefined;
  /**
   * Rate limit that was agreed with the vendor, in devices per second, or in requests if the vendor counts
   * requests. Blank means the general limit of the vendor.
   */
  readonly per_second?: number | undefined;
  /** Certificate: a key, a service account or a p12 file in base64, depending on the vendor. */
  readonly certificate?: string | undefined;
}

/** Check credentials with the vendor: request. */
export interface AdminCertificateCheckRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Check credentials with the vendor: response data. */
export interface AdminCertificateCheckResponse {
  /**
   * `good`: the vendor accepts these credentials. `refused`: the vendor rejects them. `unknown`: they could
   * not be checked now.
   */
  readonly result: 'good' | 'refused' | 'unknown';
  /** Reason given by the vendor if the result is not `good`; otherwise empty. */
  readonly reason: string;
}

/** Get the callback address for a vendor: request. */
export interface AdminCertificateCallbackRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** Set to true if the path has leaked: the old path stops working and a new one is generated. */
  readonly renew?: boolean | undefined;
  /** Callback user name, if one is configured at Huawei. Only signed callbacks are then accepted. */
  readonly user_name?: string | undefined;
  /** Callback key that belongs to `user_name`. */
  readonly key?: string | undefined;
  /** Set to false if user name and key were removed at the vendor. Unsigned callbacks are then accepted. */
  readonly signed?: boolean | undefined;
}

/** Get the callback address for a vendor: response data. */
export interface AdminCertificateCallbackResponse {
  /** Path of the callback address. Keep it secret. */
  readonly path: string;
  /** Whether callbacks must be signed. */
  readonly signed: boolean;
}

/** Delete the credentials for a vendor: request. */
export interface AdminCertificateDeleteRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Find devices: request. */
export interface AdminDeviceFindRequest {
  /** Push token. */
  readonly push_token?: string | undefined;
  /** Device ID. */
  readonly device_guid?: string | undefined;
  /** User ID. */
  readonly user_id?: Int64 | undefined;
  /** Alias. */
  readonly alias?: string | undefined;
  /** Tag. */
  readonly tag?: string | undefined;
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows; 100 by default. */
  readonly limit?: number | undefined;
}

/** Find devices: response data. */
export interface AdminDeviceFindResponse {
  /** Devices. */
  readonly list: readonly Device[];
  /** Send it as `after` to get the next rows; null if there are no more. */
  readonly next: bigint | null;
}

/** Delete a device: request. */
export interface AdminDeviceDeleteRequest {
  /** Push token. */
  readonly push_token?: string | undefined;
  /** Device ID. */
  readonly device_guid?: string | undefined;
}

/** Delete a user: request. */
export interface AdminUserDeleteRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** List audit entries: request. */
export interface AdminAuditListRequest {
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: Int64 | undefined;
  /** Maximum number of rows; 100 by default. */
  readonly limit?: number | undefined;
}

/** List audit entries: response data. */
export interface AdminAuditListResponse {
  /** Calls. */
  readonly list: readonly AuditEntry[];
  /** Send it as `after` to get older entries; null if there are none. */
  readonly next: bigint | null;
}

/** Check the invariants of the ledger: request. */
export interface AdminLedgerVerifyRequest {
  /** `next` of the previous response; blank starts at the beginning. */
  readonly after?: string | undefined;
}

/** Check the invariants of the ledger: response data. */
export interface AdminLedgerVerifyResponse {
  /** Numbers of the invariants that were checked in this part. */
  readonly laws: readonly string[];
  /** Number of tasks whose check was completed by this call. */
  readonly tasks: bigint;
  /** Number of slices that were checked. */
  readonly slices: bigint;
  /** Number of places (devices in slices) that were checked. */
  readonly places: bigint;
  /** Violations, at most 20 of each kind; empty if there are none. */
  readonly list: readonly {
    /** Number of the invariant. */
    readonly law: string;
    /** Invariant that does not hold. */
    readonly what: string;
    /** Push task ID. */
    readonly task_id: bigint | null;
    /** Shard of the slice. */
    readonly shard: number | null;
    /** Number of the slice. */
    readonly slice: number | null;
  }[];
  /** Send it as `after` to check the next part; null if this was the last part. */
  readonly next: string | null;
}

/** Request type of each operation. */
export interface Requests {
  readonly '/token/id': TokenIdRequest;
  readonly '/token/login': TokenLoginRequest;
  readonly '/token/user': TokenUserRequest;
  readonly '/user/register': UserRegisterRequest;
  readonly '/push/certificate': PushCertificateRequest;
  readonly '/push/notify': PushNotifyRequest;
  readonly '/push/task/detail': PushTaskDetailRequest;
  readonly '/push/task/list': PushTaskListRequest;
  readonly '/push/task/trace': PushTaskTraceRequest;
  readonly '/push/task/cancel': PushTaskCancelRequest;
  readonly '/push/validate': PushValidateRequest;
  readonly '/device/bind': DeviceBindRequest;
  readonly '/device/unbind': DeviceUnbindRequest;
  readonly '/device/list': EmptyObject;
  readonly '/device/tag': DeviceTagRequest;
  readonly '/device/alias': DeviceAliasRequest;
  readonly '/device/badge': DeviceBadgeRequest;
  readonly '/device/receipt': DeviceReceiptRequest;
  readonly '/token/logout': EmptyObject;
  readonly '/admin/app/get': EmptyObject;
  readonly '/admin/app/update': AdminAppUpdateRequest;
  readonly '/admin/app/create': AdminAppCreateRequest;
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
  readonly '/admin/device/find': AdminDeviceFindRequest;
  readonly '/admin/device/delete': AdminDeviceDeleteRequest;
  readonly '/admin/user/delete': AdminUserDeleteRequest;
  readonly '/admin/audit/list': AdminAuditListRequest;
  readonly '/admin/ledger/verify': AdminLedgerVerifyRequest;
}

/** Response data of each operation. */
export interface Responses {
  readonly '/token/id': TokenRecord;
  readonly '/token/login': TokenRecord;
  readonly '/token/user': TokenRecord;
  readonly '/user/register': TokenRecord;
  readonly '/push/certificate': PushCertificate;
  readonly '/push/notify': PushNotifyResponse;
  readonly '/push/task/detail': readonly PushStatistics[];
  readonly '/push/task/list': PushTaskListResponse;
  readonly '/push/task/trace': PushTaskTraceResponse;
  readonly '/push/task/cancel': PushTaskCancelResponse;
  readonly '/push/validate': PushValidateResponse;
  readonly '/device/bind': EmptyObject;
  readonly '/device/unbind': EmptyObject;
  readonly '/device/list': readonly Device[];
  readonly '/device/tag': DeviceTagResponse;
  readonly '/device/alias': DeviceAliasResponse;
  readonly '/device/badge': DeviceBadgeResponse;
  readonly '/device/receipt': DeviceReceiptResponse;
  readonly '/token/logout': EmptyObject;
  readonly '/admin/app/get': App;
  readonly '/admin/app/update': App;
  readonly '/admin/app/create': AdminAppCreateResponse;
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
  readonly '/admin/device/find': AdminDeviceFindResponse;
  readonly '/admin/device/delete': EmptyObject;
  readonly '/admin/user/delete': EmptyObject;
  readonly '/admin/audit/list': AdminAuditListResponse;
  readonly '/admin/ledger/verify': AdminLedgerVerifyResponse;
}

export type OperationPath = keyof Requests;
