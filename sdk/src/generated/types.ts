// Made from src/contract by `npm run docs`; a test holds it equal. Change the contract, not this file.

/**
 * An integer up to 2^63−1 in a request. A number must be a safe integer, since a larger one has lost digits before we
 * see it; use a bigint there. Answers always have bigints.
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
  /** When the token expires, Unix epoch milliseconds. */
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

/** A person. */
export interface User {
  /** User ID. */
  readonly user_id: bigint;
  /** User name. */
  readonly name: string | null;
  /** Mobile number, as `+` and digits. */
  readonly mobile: string | null;
  /** Email address. */
  readonly email: string | null;
  /** Whether this person can log in with a password. */
  readonly has_password: boolean;
  /** Whether this person is shut out. */
  readonly disabled: boolean;
  /** When this person was made, Unix epoch milliseconds. */
  readonly created_at: bigint;
}

/** A device. */
export interface Device {
  /** Push token: the address of the device. */
  readonly push_token: string;
  /** Device ID, as it was sent at login. */
  readonly device_guid: string;
  /** Whose it is now; null: nobody is logged in on it. */
  readonly user_id: bigint | null;
  /** Alias. */
  readonly alias: string | null;
  /** Tags. */
  readonly tags: readonly string[];
  /** Vendors that reach it. */
  readonly bindings: readonly Binding[];
  /** Whether it is connected to the own channel. */
  readonly online: boolean;
  /** The day on which it last logged in or connected, as `2026-11-15`. */
  readonly seen_on: string;
  /** When its owner first logged in on it, Unix epoch milliseconds. */
  readonly registered_at: bigint;
}

export interface Binding {
  /** Provider, as in `/push/certificate`. */
  readonly provider: number;
  /** 0 = development, 1 = production. */
  readonly environment: number;
  /** When the vendor token was told, Unix epoch milliseconds. */
  readonly bound_at: bigint;
}

/** An app. */
export interface App {
  /** App ID. */
  readonly app_id: string;
  /** Name of the app. */
  readonly name: string;
  /** Days that the token of a login lasts. */
  readonly token_days: number;
  /** How failures are answered. */
  readonly http_errors: 'status' | 'always200';
  /** Whom user tokens may notify. */
  readonly user_push: 'none' | 'self' | 'any';
  /** Whether people may register themselves. */
  readonly registration: boolean;
  /** The country of mobile numbers without a country code. */
  readonly country: string;
  /** How many requests to notify or validate a second; 0: no limit. */
  readonly notify_per_second: number;
  /** Public key (Ed25519, PEM) that verifies store tokens. */
  readonly public_key: string;
  /** Whether the app is shut. */
  readonly disabled: boolean;
  /** When the app was made, Unix epoch milliseconds. */
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
  /** What it is for. */
  readonly name: string;
  /** Scopes. */
  readonly scopes: readonly string[];
  /** When it expires, Unix epoch milliseconds; null: never. */
  readonly expire: bigint | null;
  /** When it was made, Unix epoch milliseconds. */
  readonly created_at: bigint;
}

/** Credentials at a provider, without secrets. */
export interface Certificate {
  /** Provider, as in `/push/certificate`. */
  readonly provider: number;
  /** 0 = development, 1 = production. */
  readonly environment: number;
  /** Certificate name. */
  readonly name: string;
  /** App ID at the provider. */
  readonly app_id: string;
  /** App key at the provider. */
  readonly app_key: string;
  /** When it expires, Unix epoch milliseconds; null: never. */
  readonly expire: bigint | null;
  /** How quick it may be, as agreed with the provider; null: as quick as the provider lets everyone be. */
  readonly per_second: bigint | null;
  /** Rises by one each time it is saved. */
  readonly version: number;
  /** When it was saved, Unix epoch milliseconds. */
  readonly updated_at: bigint;
}

/** What is known of an account at a provider. */
export interface Channel {
  /** Provider, as in `/push/certificate`. */
  readonly provider: number;
  /** 0 = development, 1 = production. */
  readonly environment: number;
  /** Certificate name. */
  readonly name: string;
  /** When the certificate expires, Unix epoch milliseconds; null: never. */
  readonly expire: bigint | null;
  /** False: the provider is away or refuses the credentials, and is only tried now and then. */
  readonly open: boolean;
  /** Why it is not open, in the provider's words; else empty. */
  readonly reason: string;
  /** Since when it is not open, Unix epoch milliseconds. */
  readonly closed_at: bigint | null;
  /** Daily allowances that are used up. Notifications go on to the next vendor meanwhile. */
  readonly spent: readonly {
    /** The class of messages, where the provider counts some apart; else empty. */
    readonly class: string;
    /** Until when nothing of it is sent there, Unix epoch milliseconds. */
    readonly until: bigint;
  }[];
  /**
   * How many devices, or requests where the provider counts those, are sent there in a second at present:
   * what the provider lets everyone send or what was agreed with it, less for a while after it was too much;
   * null: as many as there are.
   */
  readonly per_second: bigint | null;
  /** When the provider last found it too quick, Unix epoch milliseconds; null: never. */
  readonly throttled_at: bigint | null;
}

/** Push certificate record. */
export interface PushCertificate {
  /** App ID at the provider. */
  readonly app_id: string;
  /** App key at the provider. */
  readonly app_key: string;
  /** App secret at the provider. */
  readonly app_secret: string;
  /** Certificate. */
  readonly certificate: string;
  /** Certificate name. */
  readonly name: string;
}

/** Push statistics record. */
export interface PushStatistics {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Sent number, apns: the vendor accepted it, or the frame was written to a live session. */
  readonly apns_sent: bigint;
  /** Delivery number, apns: acknowledged, once per device. */
  readonly apns_received: bigint;
  /** Valid target number, apns: a device that fell back counts on both channels. */
  readonly apns_target: bigint;
  /** Sent number, fcm: the vendor accepted it, or the frame was written to a live session. */
  readonly fcm_sent: bigint;
  /** Delivery number, fcm: acknowledged, once per device. */
  readonly fcm_received: bigint;
  /** Valid target number, fcm: a device that fell back counts on both channels. */
  readonly fcm_target: bigint;
  /** Sent number, flyme: the vendor accepted it, or the frame was written to a live session. */
  readonly flyme_sent: bigint;
  /** Delivery number, flyme: acknowledged, once per device. */
  readonly flyme_received: bigint;
  /** Valid target number, flyme: a device that fell back counts on both channels. */
  readonly flyme_target: bigint;
  /** Sent number, honor: the vendor accepted it, or the frame was written to a live session. */
  readonly honor_sent: bigint;
  /** Delivery number, honor: acknowledged, once per device. */
  readonly honor_received: bigint;
  /** Valid target number, honor: a device that fell back counts on both channels. */
  readonly honor_target: bigint;
  /** Sent number, huawei: the vendor accepted it, or the frame was written to a live session. */
  readonly huawei_sent: bigint;
  /** Delivery number, huawei: acknowledged, once per device. */
  readonly huawei_received: bigint;
  /** Valid target number, huawei: a device that fell back counts on both channels. */
  readonly huawei_target: bigint;
  /** Sent number, nativepush: the vendor accepted it, or the frame was written to a live session. */
  readonly nativepush_sent: bigint;
  /** Delivery number, nativepush: acknowledged, once per device. */
  readonly nativepush_received: bigint;
  /** Valid target number, nativepush: a device that fell back counts on both channels. */
  readonly nativepush_target: bigint;
  /** Sent number, oppo: the vendor accepted it, or the frame was written to a live session. */
  readonly oppo_sent: bigint;
  /** Delivery number, oppo: acknowledged, once per device. */
  readonly oppo_received: bigint;
  /** Valid target number, oppo: a device that fell back counts on both channels. */
  readonly oppo_target: bigint;
  /** Sent number, vivo: the vendor accepted it, or the frame was written to a live session. */
  readonly vivo_sent: bigint;
  /** Delivery number, vivo: acknowledged, once per device. */
  readonly vivo_received: bigint;
  /** Valid target number, vivo: a device that fell back counts on both channels. */
  readonly vivo_target: bigint;
  /** Sent number, xiaomi: the vendor accepted it, or the frame was written to a live session. */
  readonly xiaomi_sent: bigint;
  /** Delivery number, xiaomi: acknowledged, once per device. */
  readonly xiaomi_received: bigint;
  /** Valid target number, xiaomi: a device that fell back counts on both channels. */
  readonly xiaomi_target: bigint;
}

export interface AuditEntry {
  /** When, Unix epoch milliseconds. */
  readonly at: bigint;
  /** ID of the admin token. */
  readonly token_id: bigint;
  /** What the admin token is for. */
  readonly token_name: string;
  /** Path of the operation. */
  readonly operation: string;
  /** What it was about, as JSON; never a secret. */
  readonly detail: string;
  /** Where the call came from. */
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
   * Deduplication ID, kept for 90 days. If the same ID was used before, nothing is pushed and the first task
   * ID is answered. Blank means no deduplication.
   */
  readonly request_id?: string | undefined;
  /**
   * `combined`: own channel first, vendor channel if the device is not online there or does not answer;
   * `nativepush_only`: own channel only; `ospush_only`: vendor channels only. Blank means `combined`.
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
  /** `text`, `image` or `cmd` (pass-through message). Blank means `text`. */
  readonly type?: 'text' | 'image' | 'cmd' | undefined;
  /** Title. */
  readonly title?: string | undefined;
  /** Content. */
  readonly body?: string | undefined;
  /**
   * URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png; its size under 1 MB;
   * 876x324 px recommended.
   */
  readonly attachment_url?: string | undefined;
  /**
   * When set and the vendor supports large text, it is pushed as large text; otherwise body is pushed as
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
  /** Start of timed presentation, Unix seconds, at most 30 days ahead; blank means present immediately. */
  readonly show_begin_time?: Int64 | undefined;
  /** End of timed presentation, Unix seconds; nothing is sent after it. */
  readonly show_end_time?: Int64 | undefined;
  readonly ios?: IosParameters | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly android?: AndroidParameters | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly huawei?: HuaweiParameters | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly honor?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** Notification bar channel. */
        readonly channel_id?: string | undefined;
        /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
         * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
         */
        readonly intent?: string | undefined;
        /** Entry activity class of the desktop icon. */
        readonly badge_class?: string | undefined;
        /** The vendor's own class of the message, in its words; blank: that of the certificate. */
        readonly category?: string | undefined;
      }
    | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly xiaomi?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** Notification bar channel. */
        readonly channel_id?: string | undefined;
        /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
         * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
         */
        readonly intent?: string | undefined;
        /** The template of a private message; blank: that of the certificate, in its own channel. */
        readonly template_id?: string | undefined;
        /**
         * The template's variables, a JSON object of at most 9 texts of 1 to 128 characters; blank: title and text
         * as `keywords1` and `keywords2`.
         */
        readonly template_param?: string | undefined;
      }
    | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly oppo?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** Notification bar channel. */
        readonly channel_id?: string | undefined;
        /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
         * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
         */
        readonly intent?: string | undefined;
        /** The vendor's own class of the message, in its words; blank: that of the certificate. */
        readonly category?: string | undefined;
        /**
         * How loud it is: 1 in the bar, 2 also on the locked screen, 16 also with a banner, sound and vibration.
         * Only with a class; blank: that of the certificate, for its own class.
         */
        readonly notify_level?: number | undefined;
      }
    | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly vivo?: VivoParameters | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
  readonly flyme?:
    | {
        /** Alert sound. */
        readonly sound?: string | undefined;
        /** Notification bar channel. */
        readonly channel_id?: string | undefined;
        /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
        readonly click_action?: 'intent' | 'open_app' | undefined;
        /**
         * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
         * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
         */
        readonly intent?: string | undefined;
        /** 0 = public, 1 = private; blank: that of the certificate. */
        readonly notice_msg_type?: number | undefined;
      }
    | undefined;
  /** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
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

/** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
export interface AndroidParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** Notification bar channel. */
  readonly channel_id?: string | undefined;
  /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
   * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
   */
  readonly intent?: string | undefined;
}

/** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
export interface HuaweiParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** Notification bar channel. */
  readonly channel_id?: string | undefined;
  /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
   * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
   */
  readonly intent?: string | undefined;
  /** Entry activity class of the desktop icon. */
  readonly badge_class?: string | undefined;
  /** The vendor's own class of the message, in its words; blank: that of the certificate. */
  readonly category?: string | undefined;
  /** How loud it is: `LOW` is quiet; blank: that of the certificate. */
  readonly importance?: 'LOW' | 'NORMAL' | undefined;
}

/** A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair. */
export interface VivoParameters {
  /** Alert sound. */
  readonly sound?: string | undefined;
  /** Notification bar channel. */
  readonly channel_id?: string | undefined;
  /** Action after click: `intent` opens a specific page, `open_app` the home page of the app. */
  readonly click_action?: 'intent' | 'open_app' | undefined;
  /**
   * Page to open; required when `click_action` is `intent`. An intent URI naming the component as package
   * name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.
   */
  readonly intent?: string | undefined;
  /** The vendor's own class of the message, in its words; blank: that of the certificate. */
  readonly category?: string | undefined;
  /** 0 = production push, 1 = testing push; default 0. */
  readonly push_mode?: number | undefined;
  /** 0 = operational message, 1 = system message; default 0. */
  readonly classification?: number | undefined;
}

/** Token by user ID and password: what it takes. */
export interface TokenIdRequest {
  /** User ID, for login by user ID only. */
  readonly user_id: Int64;
  /** Password. Spaces count: it is blank only when absent, null or "". */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the answer contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Token by login name and password: what it takes. */
export interface TokenLoginRequest {
  /** Mobile number, email or user name. */
  readonly login_name: string;
  /** Password. Spaces count: it is blank only when absent, null or "". */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the answer contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Token by user name and password: what it takes. */
export interface TokenUserRequest {
  /** User name, for login by user name only. */
  readonly name: string;
  /** Password. Spaces count: it is blank only when absent, null or "". */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the answer contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Register oneself: what it takes. */
export interface UserRegisterRequest {
  /**
   * User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a
   * number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or as it is dialled in the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Password, 8 to 256 characters. Spaces count. */
  readonly password: string;
  /** Device ID, 1–128 bytes; when set, the answer contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Get push certificate: what it takes. */
export interface PushCertificateRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Send push notification: what it takes. */
export interface PushNotifyRequest {
  /** Target: `all`, or an object with exactly one key, whose list has 1–500 items. */
  readonly audience: Audience;
  /** Push settings; may be blank. */
  readonly setting?: PushSetting | undefined;
  /** Message body; must not be blank. */
  readonly message: Message;
}

/** Send push notification: what it answers. */
export interface PushNotifyResponse {
  /** Push task ID. */
  readonly task_id: bigint;
}

/** Query push statistics: what it takes. */
export interface PushTaskDetailRequest {
  /** Task IDs, at most 500. */
  readonly list: readonly Int64[];
}

/** Push tasks, the latest first: what it takes. */
export interface PushTaskListRequest {
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: Int64 | undefined;
  /** How many at most; 100 by default. */
  readonly limit?: number | undefined;
}

/** Push tasks, the latest first: what it answers. */
export interface PushTaskListResponse {
  /** Tasks. */
  readonly list: readonly {
    /** Push task ID. */
    readonly task_id: bigint;
    /**
     * `held` until its time, `sending` while anything may still go out or arrive from an inbox, `finished`;
     * `cancelled` from the moment somebody stopped it.
     */
    readonly state: 'held' | 'sending' | 'finished' | 'cancelled';
    /** `admin`, `group:<id>` or `user:<id>`. */
    readonly author: string;
    /** What it was addressed by: `all`, `tag`, `alias`, `user_id`, `push_token`. */
    readonly audience: string;
    /** When it was accepted, Unix epoch milliseconds. */
    readonly accepted_at: bigint;
    /** When it is sent, or was, Unix epoch milliseconds. */
    readonly due_at: bigint;
    /** When nothing of it is sent any more, Unix epoch milliseconds. */
    readonly end_at: bigint;
  }[];
  /** Send it as `after` for those before; null: there are none. */
  readonly next: bigint | null;
}

/** Why a notification did not arrive, or that it did: what it takes. */
export interface PushTaskTraceRequest {
  /** Push task ID. */
  readonly task_id: Int64;
  /** Push token of the device. */
  readonly push_token?: string | undefined;
  /** User ID: all devices that are theirs. */
  readonly user_id?: Int64 | undefined;
}

/** Why a notification did not arrive, or that it did: what it answers. */
export interface PushTaskTraceResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Devices. */
  readonly list: readonly {
    /** Push token: the address of the device. */
    readonly push_token: string;
    /** Device ID, as it was sent at login. */
    readonly device_guid: string;
    /**
     * `acknowledged`: the device has it. `sent`: a vendor took it, or it was written to the device, without an
     * acknowledgement. `open`: something will still be done. `ended`: it did not arrive. `outside`: the device
     * is not in the audience, or not yet.
     */
    readonly state: 'acknowledged' | 'sent' | 'open' | 'ended' | 'outside';
    /** What became of it, why, and what can be done about it. */
    readonly why: string;
    /** The channels it was tried on, in order. */
    readonly channels: readonly {
      /** Channel, as in the statistics; `none`: no channel could reach the device. */
      readonly channel: string;
      /** Whether it counts as sent there. */
      readonly sent: boolean;
      /** Whether it counts as received there. */
      readonly acknowledged: boolean;
      /** Attempts in the middle that were too many to be kept. */
      readonly left_out: number;
    }[];
    /** What was tried and what came of it, the first first. */
    readonly attempts: readonly {
      /** When, Unix epoch milliseconds. */
      readonly at: bigint;
      /** Channel, as in the statistics; `none`: no channel could reach the device. */
      readonly channel: string;
      /** What was said of it. */
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
      /** The channel's own word for it, or how long. */
      readonly detail: string | null;
      /** The same as a sentence. */
      readonly text: string;
    }[];
  }[];
}

/** Stop a push task: what it takes. */
export interface PushTaskCancelRequest {
  /** Push task ID. */
  readonly task_id: Int64;
}

/** Stop a push task: what it answers. */
export interface PushTaskCancelResponse {
  /** Push task ID. */
  readonly task_id: bigint;
  /** Whether it was finished already, so that there was nothing to stop. */
  readonly finished: boolean;
  /** How many had been sent by then, over all channels. */
  readonly sent: bigint;
}

/** What a notification would reach: what it takes. */
export interface PushValidateRequest {
  /** Target: `all`, or an object with exactly one key, whose list has 1–500 items. */
  readonly audience: Audience;
  /** Push settings; may be blank. */
  readonly setting?: PushSetting | undefined;
  /** Message body; must not be blank. */
  readonly message: Message;
}

/** What a notification would reach: what it answers. */
export interface PushValidateResponse {
  /** Devices of the audience. */
  readonly devices: bigint;
  /** How they would be tried first. Those that do not answer go on to the next channel. */
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
  /** Of those on the own channel, how many would have it waiting until they connect. */
  readonly waiting: bigint;
  /** Devices that no channel can reach with this message. */
  readonly unreachable: bigint;
  /** What channels that are tried first would cut. */
  readonly cuts: readonly {
    /** Channel. */
    readonly channel: string;
    /** What it would cut, in a sentence. */
    readonly text: string;
  }[];
  /**
   * What the vendors that devices of the audience may be tried on would show less of, later, or to fewer
   * phones, with the settings of their certificates.
   */
  readonly demotions: readonly {
    /** Channel. */
    readonly channel: string;
    /** Which of its certificates: 0 = development, 1 = production. */
    readonly environment: number;
    /** What it would demote or cap and what to do about it, in sentences. */
    readonly text: string;
  }[];
}

/** Bind a vendor's token to a device: what it takes. */
export interface DeviceBindRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** The device's token at that vendor. */
  readonly token: string;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
  /**
   * Push token of the device; blank means the device that the access token was issued with. An admin token
   * must name one.
   */
  readonly push_token?: string | undefined;
}

/** End a device's token at a vendor: what it takes. */
export interface DeviceUnbindRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /**
   * Push token of the device; blank means the device that the access token was issued with. An admin token
   * must name one.
   */
  readonly push_token?: string | undefined;
}

/** Label a device: what it takes. */
export interface DeviceTagRequest {
  /** Tags to add. */
  readonly add?: readonly string[] | undefined;
  /** Tags to take away. */
  readonly remove?: readonly string[] | undefined;
  /** Whether all tags are taken away first. */
  readonly clear?: boolean | undefined;
  /**
   * Push token of the device; blank means the device that the access token was issued with. An admin token
   * must name one.
   */
  readonly push_token?: string | undefined;
}

/** Label a device: what it answers. */
export interface DeviceTagResponse {
  /** The tags that the device has now, in order. */
  readonly tags: readonly string[];
}

/** Name a device: what it takes. */
export interface DeviceAliasRequest {
  /** Alias, at most 64 bytes; blank: none. */
  readonly alias?: string | undefined;
  /**
   * Push token of the device; blank means the device that the access token was issued with. An admin token
   * must name one.
   */
  readonly push_token?: string | undefined;
}

/** Name a device: what it answers. */
export interface DeviceAliasResponse {
  /** The alias that the device has now. */
  readonly alias: string | null;
}

/** Set the number on the app's icon: what it takes. */
export interface DeviceBadgeRequest {
  /** The number; 0 by default. */
  readonly badge?: number | undefined;
  /**
   * Push token of the device; blank means the device that the access token was issued with. An admin token
   * must name one.
   */
  readonly push_token?: string | undefined;
}

/** Set the number on the app's icon: what it answers. */
export interface DeviceBadgeResponse {
  /** The number that is kept now. */
  readonly badge: number;
}

/** Tell that notifications arrived: what it takes. */
export interface DeviceReceiptRequest {
  /** References, at most 100. */
  readonly list: readonly string[];
  /**
   * Push token of the device; blank means the device that the access token was issued with. An admin token
   * must name one.
   */
  readonly push_token?: string | undefined;
}

/** Tell that notifications arrived: what it answers. */
export interface DeviceReceiptResponse {
  /** How many of them are known to have arrived now. */
  readonly received: number;
}

/** Change this app's settings: what it takes. */
export interface AdminAppUpdateRequest {
  /** Name of the app. */
  readonly name?: string | undefined;
  /** Days that the token of a login lasts. */
  readonly token_days?: number | undefined;
  /**
   * `status`: failures have their HTTP status. `always200`: every answer has 200, for clients that expect
   * it.
   */
  readonly http_errors?: 'status' | 'always200' | undefined;
  /** Whom user tokens may notify: nobody, their own user, anybody. */
  readonly user_push?: 'none' | 'self' | 'any' | undefined;
  /** Whether people may register themselves. */
  readonly registration?: boolean | undefined;
  /** The country of mobile numbers without a country code, two letters of ISO 3166. */
  readonly country?: string | undefined;
  /** How many requests to notify or validate a second; 0: no limit. */
  readonly notify_per_second?: number | undefined;
}

/** Make an app: what it takes. */
export interface AdminAppCreateRequest {
  /** App ID: letters, digits, `.`, `_` and `-`, at most 64. */
  readonly new_app_id: string;
  /** Name of the app. */
  readonly name: string;
  /** Days that the token of a login lasts. */
  readonly token_days?: number | undefined;
  /**
   * `status`: failures have their HTTP status. `always200`: every answer has 200, for clients that expect
   * it.
   */
  readonly http_errors?: 'status' | 'always200' | undefined;
  /** Whom user tokens may notify: nobody, their own user, anybody. */
  readonly user_push?: 'none' | 'self' | 'any' | undefined;
  /** Whether people may register themselves. */
  readonly registration?: boolean | undefined;
  /** The country of mobile numbers without a country code, two letters of ISO 3166. */
  readonly country?: string | undefined;
  /** How many requests to notify or validate a second; 0: no limit. */
  readonly notify_per_second?: number | undefined;
}

/** Make an app: what it answers. */
export interface AdminAppCreateResponse {
  /** App ID. */
  readonly app_id: string;
  /** An admin token of the new app with the scope `*`. It is not shown again. */
  readonly admin_token: string;
}

/** Shut an app: what it takes. */
export interface AdminAppDisableRequest {
  /** App ID: letters, digits, `.`, `_` and `-`, at most 64. */
  readonly target_app_id: string;
}

/** Open an app again: what it takes. */
export interface AdminAppEnableRequest {
  /** App ID: letters, digits, `.`, `_` and `-`, at most 64. */
  readonly target_app_id: string;
}

/** Make an admin token: what it takes. */
export interface AdminTokenCreateRequest {
  /** What it is for. */
  readonly name: string;
  /** Scopes: `push`, `secrets`, `manage`, `platform`; `*` is all but `platform`. */
  readonly scopes: readonly ('*' | 'push' | 'secrets' | 'manage' | 'platform')[];
  /** Days until it expires; blank: it does not, unless the token that makes it does. */
  readonly days?: number | undefined;
}

/** Make an admin token: what it answers. */
export interface AdminTokenCreateResponse {
  /** ID of the token, for revoking it. */
  readonly token_id: bigint;
  /** The token. It is not shown again. */
  readonly token: string;
  /** When it expires, Unix epoch milliseconds; null: never. */
  readonly expire: bigint | null;
}

/** Revoke an admin token: what it takes. */
export interface AdminTokenRevokeRequest {
  /** ID of the token. */
  readonly token_id: Int64;
}

/** Make a person: what it takes. */
export interface AdminUserCreateRequest {
  /** User ID; blank: we choose one. */
  readonly user_id?: Int64 | undefined;
  /**
   * User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a
   * number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or as it is dialled in the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Password, 8 to 256 characters. Spaces count. */
  readonly password?: string | undefined;
}

/** Make a person: what it answers. */
export interface AdminUserCreateResponse {
  /** User ID. */
  readonly user_id: bigint;
}

/** Find a person: what it takes. */
export interface AdminUserFindRequest {
  /** User ID. */
  readonly user_id?: Int64 | undefined;
  /**
   * User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a
   * number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or as it is dialled in the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
}

/** The people of the app: what it takes. */
export interface AdminUserListRequest {
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: Int64 | undefined;
  /** How many at most; 100 by default. */
  readonly limit?: number | undefined;
}

/** The people of the app: what it answers. */
export interface AdminUserListResponse {
  /** People. */
  readonly list: readonly User[];
  /** Send it as `after` for the rows that follow; null: there are no more. */
  readonly next: bigint | null;
}

/** Change a person's login names: what it takes. */
export interface AdminUserUpdateRequest {
  /** User ID. */
  readonly user_id: Int64;
  /**
   * User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a
   * number or email.
   */
  readonly name?: string | undefined;
  /** Mobile number, with `+` and country code or as it is dialled in the app's `country`. */
  readonly mobile?: string | undefined;
  /** Email address. */
  readonly email?: string | undefined;
  /** Login names to take away: `name`, `mobile`, `email`. */
  readonly remove?: readonly ('name' | 'mobile' | 'email')[] | undefined;
}

/** Set a person's password: what it takes. */
export interface AdminUserPasswordRequest {
  /** User ID. */
  readonly user_id: Int64;
  /** Password, 8 to 256 characters. Spaces count. */
  readonly password?: string | undefined;
}

/** Log a person out everywhere: what it takes. */
export interface AdminUserKickRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Shut a person out: what it takes. */
export interface AdminUserDisableRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Let a person in again: what it takes. */
export interface AdminUserEnableRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Log a person in without a password: what it takes. */
export interface AdminUserTokenRequest {
  /** User ID. */
  readonly user_id: Int64;
  /** Device ID, 1–128 bytes; when set, the answer contains a push token. */
  readonly device_guid?: string | undefined;
}

/** Make a group: what it takes. */
export interface AdminGroupCreateRequest {
  /** Group ID; blank: we choose one. */
  readonly group_id?: Int64 | undefined;
  /** Name of the group. */
  readonly name: string;
}

/** Make a group: what it answers. */
export interface AdminGroupCreateResponse {
  /** Group ID. */
  readonly group_id: bigint;
}

/** The groups of the app: what it takes. */
export interface AdminGroupListRequest {
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: Int64 | undefined;
  /** How many at most; 100 by default. */
  readonly limit?: number | undefined;
}

/** The groups of the app: what it answers. */
export interface AdminGroupListResponse {
  /** Groups. */
  readonly list: readonly Group[];
  /** Send it as `after` for the rows that follow; null: there are no more. */
  readonly next: bigint | null;
}

/** Add members to a group: what it takes. */
export interface AdminGroupAddRequest {
  /** Group ID. */
  readonly group_id: Int64;
  /** User IDs, at most 500. */
  readonly list: readonly Int64[];
}

/** The members of a group: what it takes. */
export interface AdminGroupMembersRequest {
  /** Group ID. */
  readonly group_id: Int64;
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: Int64 | undefined;
  /** How many at most; 100 by default. */
  readonly limit?: number | undefined;
}

/** The members of a group: what it answers. */
export interface AdminGroupMembersResponse {
  /** User IDs. */
  readonly list: readonly bigint[];
  /** Send it as `after` for the rows that follow; null: there are no more. */
  readonly next: bigint | null;
}

/** Take members out of a group: what it takes. */
export interface AdminGroupRemoveRequest {
  /** Group ID. */
  readonly group_id: Int64;
  /** User IDs, at most 500. */
  readonly list: readonly Int64[];
}

/** Delete a group: what it takes. */
export interface AdminGroupDeleteRequest {
  /** Group ID. */
  readonly group_id: Int64;
}

/** Save the credentials at a provider: what it takes. */
export interface AdminCertificateSaveRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
  /** Certificate name. */
  readonly name: string;
  /** App ID at the provider. */
  readonly app_id?: string | undefined;
  /** App key at the provider. */
  readonly app_key?: string | undefined;
  /** App secret at the provider; with a p12, its passphrase. */
  readonly app_secret?: string | undefined;
  /**
   * False: they are saved without asking the provider. Else those that it clearly refuses are not saved; a
   * provider that does not answer is no obstacle.
   */
  readonly check?: boolean | undefined;
  /**
   * How many devices, or requests where the provider counts those, may be sent there in a second, if that
   * was agreed with the provider; blank: as many as it lets everyone send.
   */
  readonly per_second?: number | undefined;
  /** Certificate: a key, a service account or base64 of a p12, as the provider has it. */
  readonly certificate?: string | undefined;
}

/** Ask the provider whether it takes the credentials: what it takes. */
export interface AdminCertificateCheckRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Ask the provider whether it takes the credentials: what it answers. */
export interface AdminCertificateCheckResponse {
  /**
   * `good`: the provider takes these credentials. `refused`: it does not. `unknown`: it could not be asked
   * just now.
   */
  readonly result: 'good' | 'refused' | 'unknown';
  /** The provider's words when the result is not `good`; else empty. */
  readonly reason: string;
}

/** Where a provider tells what has arrived: what it takes. */
export interface AdminCertificateCallbackRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** True: the old path ends, because somebody else knows it. */
  readonly renew?: boolean | undefined;
  /** The callback user name, if one is entered at Huawei; then only signed callbacks are taken. */
  readonly user_name?: string | undefined;
  /** The callback key that belongs to it. */
  readonly key?: string | undefined;
  /** False: user name and key were taken away at the provider, and callbacks are not signed any more. */
  readonly signed?: boolean | undefined;
}

/** Where a provider tells what has arrived: what it answers. */
export interface AdminCertificateCallbackResponse {
  /** The path of the callback address. Keep it secret. */
  readonly path: string;
  /** Whether callbacks must be signed. */
  readonly signed: boolean;
}

/** Delete the credentials at a provider: what it takes. */
export interface AdminCertificateDeleteRequest {
  /** 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor. */
  readonly provider: number;
  /** 0 = development, 1 = production; default 1. */
  readonly environment?: number | undefined;
}

/** Find devices: what it takes. */
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
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: Int64 | undefined;
  /** How many at most; 100 by default. */
  readonly limit?: number | undefined;
}

/** Find devices: what it answers. */
export interface AdminDeviceFindResponse {
  /** Devices. */
  readonly list: readonly Device[];
  /** Send it as `after` for the rows that follow; null: there are no more. */
  readonly next: bigint | null;
}

/** Delete a device: what it takes. */
export interface AdminDeviceDeleteRequest {
  /** Push token. */
  readonly push_token?: string | undefined;
  /** Device ID. */
  readonly device_guid?: string | undefined;
}

/** Delete a person: what it takes. */
export interface AdminUserDeleteRequest {
  /** User ID. */
  readonly user_id: Int64;
}

/** Who did what: what it takes. */
export interface AdminAuditListRequest {
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: Int64 | undefined;
  /** How many at most; 100 by default. */
  readonly limit?: number | undefined;
}

/** Who did what: what it answers. */
export interface AdminAuditListResponse {
  /** Calls. */
  readonly list: readonly AuditEntry[];
  /** Send it as `after` for those before; null: there are none. */
  readonly next: bigint | null;
}

/** Hold the ledger to its laws: what it takes. */
export interface AdminLedgerVerifyRequest {
  /** `next` of the answer before; blank begins at the start. */
  readonly after?: string | undefined;
}

/** Hold the ledger to its laws: what it answers. */
export interface AdminLedgerVerifyResponse {
  /** The laws that this part was held to, by their numbers. */
  readonly laws: readonly string[];
  /** Tasks whose last part this was. */
  readonly tasks: bigint;
  /** Slices that were looked at. */
  readonly slices: bigint;
  /** Places of devices that were looked at. */
  readonly places: bigint;
  /** What is broken, at most 20 of each kind; empty: all is well. */
  readonly list: readonly {
    /** Its number. */
    readonly law: string;
    /** What does not hold. */
    readonly what: string;
    /** Push task ID. */
    readonly task_id: bigint | null;
    /** Shard of the slice. */
    readonly shard: number | null;
    /** Number of the slice. */
    readonly slice: number | null;
  }[];
  /** Send it as `after` for the part that follows; null: this was the last. */
  readonly next: string | null;
}

/** What each operation takes. */
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

/** The data that each operation answers. */
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
