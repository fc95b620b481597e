// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

import type { Operation } from '../operation.ts';
import type { OperationPath } from './types.ts';
import { wire } from './wire.ts';

/** Every operation of the API, by path. */
export const operations: Readonly<Record<OperationPath, Operation>> = {
  '/token/id': {
    ...wire['/token/id'],
    path: '/token/id',
    summary: 'Get an access token by user ID and password',
    description:
      'Returns an access token for a user. Only the header `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong password cause the same error. A user can have at most 100 access tokens; a further login revokes the oldest.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces are significant, so a password that consists of spaces is not blank.',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID that the app has generated. If set, the response contains a push token.',
      },
    ],
  },
  '/token/login': {
    ...wire['/token/login'],
    path: '/token/login',
    summary: 'Get an access token by login name and password',
    description:
      'Returns an access token for a user. Only the header `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong password cause the same error. A user can have at most 100 access tokens; a further login revokes the oldest. A login name that contains `@` is an email address. A login name without letters is a mobile number, and any other is a user name. Mobile numbers match in any common format, and email addresses match in upper or lower case.',
    fields: [
      {
        name: 'login_name',
        kind: 'text',
        required: true,
        description: 'Mobile number, email address or user name. In `/token/user`, this field is `name`.',
      },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces are significant, so a password that consists of spaces is not blank.',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID that the app has generated. If set, the response contains a push token.',
      },
    ],
  },
  '/token/user': {
    ...wire['/token/user'],
    path: '/token/user',
    summary: 'Get an access token by user name and password',
    description:
      'Returns an access token for a user. Only the header `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong password cause the same error. A user can have at most 100 access tokens; a further login revokes the oldest.',
    fields: [
      {
        name: 'name',
        kind: 'text',
        required: true,
        description:
          'User name. For mobile numbers and email addresses, use `/token/login`, where this field is `login_name`.',
      },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces are significant, so a password that consists of spaces is not blank.',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID that the app has generated. If set, the response contains a push token.',
      },
    ],
  },
  '/user/register': {
    ...wire['/user/register'],
    path: '/user/register',
    summary: 'Register a user',
    description:
      'Creates a user and logs the user in. The app setting `registration` must be true. At least one of `name`, `mobile` and `email` is required. Carillon does not verify mobile numbers and email addresses.',
    fields: [
      {
        name: 'name',
        kind: 'text',
        description:
          'User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or trailing spaces.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description:
          'Mobile number: with `+` and country code, or in the national format of the country in the app setting `country`.',
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID that the app has generated. If set, the response contains a push token.',
      },
    ],
  },
  '/user/password': {
    ...wire['/user/password'],
    path: '/user/password',
    summary: 'Change your password',
    description:
      'Changes the password of the user who owns the access token. All other access tokens of the user are revoked, and the user is logged out of all devices except the device of this call. Wrong values of `old_password` have the same limits as failed logins. You can repeat the call with the same fields after an error. To set the password of another user, use `/admin/user/password`.',
    fields: [
      { name: 'old_password', kind: 'text', required: true, description: 'Current password. Spaces are significant.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
    ],
  },
  '/push/certificate': {
    ...wire['/push/certificate'],
    path: '/push/certificate',
    summary: 'Get the credentials for a vendor',
    description:
      'Returns the credentials of the app for one vendor and environment. With an admin token, the response contains all values. With an access token, `app_secret` and `certificate` are empty, because they are secrets of the server. OPPO is an exception: with an access token, `app_secret` is the AppSecret, which the app needs. The MasterSecret of OPPO is never returned to an app. For Web Push, `app_key` is the public VAPID key, which a page passes to `pushManager.subscribe` as `applicationServerKey`. An admin token needs the scope `secrets`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      { name: 'environment', kind: 'integer', description: 'Environment: 0 = development, 1 = production; default 1.' },
    ],
  },
  '/push/notify': {
    ...wire['/push/notify'],
    path: '/push/notify',
    summary: 'Send a push notification',
    description:
      'Accepts a notification for an audience and returns a task ID. The task is stored durably before the response is sent. Carillon retries the task until it is delivered, rejected by every channel, or expires. `audience` and `message` must not be blank. An audience without devices is not an error. An admin token can notify all devices of the app. With the header `group_id`, it can notify only the devices of group members. The app setting `user_push` determines which devices an access token can notify. Unknown fields are ignored, and the response header `carillon-ignored-fields` lists them. An unknown field whose name is close to a known field of the same object is rejected, unless the app setting `reject_typos` is off. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'audience',
        kind: 'object',
        required: true,
        description:
          'Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id` and `push_token`.',
        choices: ['all'],
        fields: [
          {
            name: 'tag',
            kind: 'text',
            list: true,
            description: 'Devices that have at least one of these tags, of at most 64 bytes each.',
          },
          {
            name: 'alias',
            kind: 'text',
            list: true,
            description: 'Devices that have one of these aliases, of at most 64 bytes each.',
          },
          { name: 'user_id', kind: 'int64', list: true, description: 'Devices of the users with these IDs.' },
          { name: 'push_token', kind: 'text', list: true, description: 'Devices with these push tokens.' },
        ],
      },
      {
        name: 'setting',
        kind: 'object',
        description: 'Push settings. Blank means the default of each setting.',
        fields: [
          {
            name: 'request_id',
            kind: 'text',
            description:
              'Idempotency key, kept for 90 days. If an earlier request had the same key, nothing is sent, and the response contains the task ID of that request. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: the Carillon channel first, then a vendor if the device is offline or does not acknowledge. `nativepush_only`: only the Carillon channel. `ospush_only`: only vendors. Blank means `combined`.',
            choices: ['combined', 'nativepush_only', 'ospush_only'],
          },
          {
            name: 'ospush_sequence',
            kind: 'text',
            list: true,
            description:
              'Order in which vendors are tried. `ups` stands for Xiaomi, HarmonyOS, Huawei, Honor, Meizu, OPPO and vivo; the vendor that the device registered last comes first. `fcm` stands for FCM, then Web Push. Blank means [ups, fcm]. APNs is not affected.',
            choices: ['ups', 'fcm', 'webpush', 'huawei', 'harmony', 'xiaomi', 'oppo', 'vivo', 'meizu'],
          },
          {
            name: 'hold_seconds',
            kind: 'integer',
            description:
              'Number of seconds for which the task is held before sending starts, from 0 to 300. Until then, `/push/task/cancel` cancels the task before any device receives it. Blank means 0. If `show_begin_time` is later, sending starts at that time.',
          },
        ],
      },
      {
        name: 'message',
        kind: 'object',
        required: true,
        description: 'Content of the notification; must not be blank.',
        fields: [
          {
            name: 'type',
            kind: 'text',
            description:
              '`text`, `image` or `cmd` (data-only message). Blank means `text`. An `image` without `attachment_url` is sent as `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          {
            name: 'title',
            kind: 'text',
            description:
              'Title of the notification. For an image without any text, vendors display the name of the app.',
          },
          { name: 'body', kind: 'text', description: 'Text of the notification.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video file. For the type `image`, the URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB (1,048,576 bytes). The recommended size is 876x324 pixels.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'Long text. Depending on the vendor, it replaces `body` or is displayed when the user expands the notification. Vendors that do not support long text display `body`, or `big_text` if `body` is blank.',
          },
          {
            name: 'badge',
            kind: 'text',
            description:
              'Badge number of the app icon: `5` sets it to 5, and `+5` increases it by 5. Blank means `+1`.',
          },
          {
            name: 'ext',
            kind: 'object',
            description:
              'JSON object with custom fields for the app: at most 4 KiB, and at most 8 levels deep. Left out for vendors whose limit it exceeds.',
          },
          {
            name: 'show_begin_time',
            kind: 'int64',
            description:
              'Time at which sending starts, in Unix seconds, at most 30 days ahead. Blank means immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description:
              'Time at which the notification expires, in Unix seconds, at most 30 days after sending starts. Blank means 24 hours after sending starts.',
          },
          {
            name: 'ios',
            kind: 'object',
            description: 'Parameters for iPhones (APNs).',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description: 'Name of a sound file in the app. Blank means the default sound, `none` means no sound.',
              },
              {
                name: 'content_available',
                kind: 'boolean',
                description: 'Whether the APNs payload contains `content-available`.',
              },
              {
                name: 'mutable_content',
                kind: 'boolean',
                description: 'Whether the APNs payload contains `mutable-content`.',
              },
              { name: 'category', kind: 'text', description: 'Value of `category` in the APNs payload.' },
              {
                name: 'thread_id',
                kind: 'text',
                description: 'Value of `thread-id` in the APNs payload. Notifications with the same value are grouped.',
              },
              { name: 'subtitle', kind: 'text', description: 'Subtitle of the notification.' },
              {
                name: 'apns_collapse_id',
                kind: 'text',
                description:
                  'Value of the APNs header `apns-collapse-id`. A notification replaces earlier ones with the same ID in the notification center.',
              },
            ],
          },
          {
            name: 'android',
            kind: 'object',
            description:
              'Parameters for all Android vendors. A field in the object of a vendor overrides the same field here. If that object sets `click_action`, the `intent` here is ignored.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description: 'Parameters for Huawei, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Full class name of the launcher activity. If blank, the badge does not change.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'importance',
                kind: 'text',
                description:
                  'Importance of the notification. `LOW` is displayed without a sound. Blank means `importance` in the credentials.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'harmony',
            kind: 'object',
            description: 'Parameters for HarmonyOS. The parameters in `android` do not apply to it.',
            fields: [
              {
                name: 'category',
                kind: 'text',
                description:
                  'Message category, as defined by HarmonyOS, such as `IM`. Blank means `category` in the credentials, or `MARKETING` if they have none.',
              },
              {
                name: 'sound',
                kind: 'text',
                description: 'Name of a sound file in `resources/rawfile` of the app. Blank means the default sound.',
              },
              {
                name: 'action',
                kind: 'text',
                description: 'Action of the page to open when the user taps the notification. Blank opens the app.',
              },
              {
                name: 'uri',
                kind: 'text',
                description: 'URI of the page to open when the user taps the notification. Blank opens the app.',
              },
              {
                name: 'collapse_key',
                kind: 'integer',
                description:
                  'Group of the notification, 0 to 100. An offline device receives only the latest notification of a group. -1 means no group. Blank means -1.',
              },
              {
                name: 'foreground_show',
                kind: 'boolean',
                description:
                  'Whether the notification is displayed while the app is in the foreground. If false, the app receives the data instead. Blank means true.',
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description: 'Parameters for Honor, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Full class name of the launcher activity. If blank, the badge does not change.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  'Importance of the notification: `LOW` or `NORMAL`. Blank or any other value means `importance` in the credentials.',
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description: 'Parameters for Xiaomi, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description:
                  'ID of the template of a private message. Blank means `template_id` in the credentials, if the message uses the channel in the credentials.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  'Variables of the template: a JSON object, as a string, with at most 9 string values of 1 to 128 characters each. If blank, `keywords1` is the title and `keywords2` is the body.',
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description: 'Parameters for OPPO, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  '1 = notification bar; 2 = also lock screen; 16 = also banner, sound and vibration. Used only for a message with a category. Blank means `notify_level` in the credentials, if the category is the one in the credentials.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description: 'Parameters for vivo, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'push_mode',
                kind: 'integer',
                description:
                  '0 = production message, 1 = test message; default 0. In environment 0, every message is a test message.',
              },
              {
                name: 'classification',
                kind: 'integer',
                description:
                  '0 = operational message, 1 = system message; default 0. A `category` of vivo in the message overrides this value.',
              },
            ],
          },
          {
            name: 'flyme',
            kind: 'object',
            description: 'Parameters for Meizu, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description:
                  '0 = public message, 1 = private message. Blank means `notice_msg_type` in the credentials.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description: 'Parameters for FCM, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
            ],
          },
          {
            name: 'webpush',
            kind: 'object',
            description: 'Parameters for Web Push. The parameters in `android` do not apply to it.',
            fields: [
              {
                name: 'navigate',
                kind: 'text',
                description:
                  'Page that opens when the user clicks the notification, as an https URL. Blank means `navigate` in the credentials.',
              },
              {
                name: 'tag',
                kind: 'text',
                description:
                  'Notifications with the same tag replace each other, on the screen and while the browser is offline. Blank means the task ID.',
              },
              {
                name: 'icon',
                kind: 'text',
                description: 'Icon of the notification, as an https URL. Not every browser supports it.',
              },
              { name: 'lang', kind: 'text', description: 'Language of the text, such as `en-US`.' },
              {
                name: 'dir',
                kind: 'text',
                description: 'Direction of the text. Blank means the direction of the browser.',
                choices: ['auto', 'ltr', 'rtl'],
              },
              {
                name: 'silent',
                kind: 'boolean',
                description: 'Whether the notification is displayed without sound and vibration.',
              },
              {
                name: 'urgency',
                kind: 'text',
                description:
                  'Urgency. A device that saves power receives less urgent notifications later. Blank means `high`.',
                choices: ['very-low', 'low', 'normal', 'high'],
              },
            ],
          },
        ],
      },
    ],
  },
  '/push/task/detail': {
    ...wire['/push/task/detail'],
    path: '/push/task/detail',
    summary: 'Query push statistics',
    description:
      'Returns the counters of each task: three for each of the nine specified channels. If the app setting `extra_counters` is on, the counters of `harmony`, `webpush` follow. Without it, devices on these channels are in no counter of this response; `/push/task/report` always contains them. The counters are exact at the time of the request. Task data is deleted after `CARILLON_RETENTION_DAYS`. After that, this call returns the final counters until `CARILLON_COUNTS_DAYS` have passed. Tasks that do not exist, or that the caller cannot see, are omitted. The response has the order of the request, and contains each task only once. An admin token needs the scope `push`.',
    fields: [{ name: 'list', kind: 'int64', list: true, required: true, description: 'Task IDs, at most 500.' }],
  },
  '/push/task/list': {
    ...wire['/push/task/list'],
    path: '/push/task/list',
    summary: 'List push tasks',
    description:
      'Returns the tasks that the caller can see, latest first, one page at a time. An admin can see all tasks of the app. A group admin can see the tasks of the group, and a user the tasks that the user created. With filters, a page can have fewer rows than `limit`, or none, because a call reads at most 5,000 rows. The list ends when `next` is null. Tasks are listed for `CARILLON_RETENTION_DAYS`. For older tasks, `/push/task/detail` still returns the counters. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
      {
        name: 'order',
        kind: 'text',
        description: 'Order of the list: `newest` first by default, or `oldest` first.',
        choices: ['newest', 'oldest'],
      },
      {
        name: 'from',
        kind: 'int64',
        description: 'Only tasks that were accepted at or after this time, in Unix epoch milliseconds.',
      },
      {
        name: 'to',
        kind: 'int64',
        description: 'Only tasks that were accepted before this time, in Unix epoch milliseconds.',
      },
      {
        name: 'state',
        kind: 'text',
        description: 'Only tasks in this state.',
        choices: ['held', 'sending', 'finished', 'cancelled'],
      },
      {
        name: 'author',
        kind: 'text',
        description: 'Only tasks of this creator, as in the response: `admin`, `group:<id>`, `user:<id>` or `erased`.',
      },
      {
        name: 'token_kind',
        kind: 'text',
        description: 'Only tasks that were sent with this kind of token, as in the response. Requires an admin token.',
        choices: ['admin', 'operator', 'user'],
      },
      {
        name: 'token_id',
        kind: 'int64',
        description:
          'Only tasks that were sent with the token with this ID, as in the response. Tokens of different kinds can have the same ID, so send `token_kind` too. Requires an admin token.',
      },
      {
        name: 'audience',
        kind: 'text',
        description: 'Only tasks with this kind of audience.',
        choices: ['all', 'tag', 'alias', 'user_id', 'push_token'],
      },
      {
        name: 'text',
        kind: 'text',
        description: 'Only tasks with this text in the title or the body. Upper and lower case are the same.',
      },
      {
        name: 'channel_failed',
        kind: 'text',
        description:
          'Only tasks with devices that were not reached through this channel. Another channel may have reached them. With this filter, a call checks at most 500 tasks.',
        choices: [
          'apns',
          'fcm',
          'flyme',
          'harmony',
          'honor',
          'huawei',
          'nativepush',
          'oppo',
          'vivo',
          'webpush',
          'xiaomi',
        ],
      },
      { name: 'counts', kind: 'boolean', description: 'Whether to also return the counters of each task.' },
      {
        name: 'content',
        kind: 'boolean',
        description:
          'Whether to also return the message and the audience of each task. A page then has at most 20 tasks. Requires an admin token.',
      },
    ],
  },
  '/push/task/report': {
    ...wire['/push/task/report'],
    path: '/push/task/report',
    summary: 'Report the results of a push task',
    description:
      'Returns the counters of a task for each channel that was used, with clicks and with the reasons of failures. The counters are exact at the time of the request, unless `incomplete` is true. Failures are the last reasons for which devices were not reached through a channel; these devices may have been reached through another one. After the data of a task was deleted, the response contains its final counters without failures and recalls. An admin token needs the scope `push`.',
    fields: [{ name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' }],
  },
  '/push/task/trace': {
    ...wire['/push/task/trace'],
    path: '/push/task/trace',
    summary: 'Trace a push task to a device',
    description:
      'Explains why the notification of a task reached or did not reach a device. Send either `push_token`, to trace one device, or `user_id`, to trace all devices of a user. Returns every attempt in order, with the code of the channel and an explanation. The caller can trace the tasks that `/push/task/list` returns. An admin can trace them to all devices, a group admin to devices of group members, and a user to their own devices. The header `accept-language` selects the language of sentences: English or Chinese. An admin token needs the scope `push`.',
    fields: [
      { name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' },
      { name: 'push_token', kind: 'text', description: 'Push token of the device.' },
      { name: 'user_id', kind: 'int64', description: 'ID of the user whose devices are traced.' },
    ],
  },
  '/push/task/cancel': {
    ...wire['/push/task/cancel'],
    path: '/push/task/cancel',
    summary: 'Cancel a push task',
    description:
      'Cancels the deliveries that have not been sent yet. These are deliveries to devices that were not tried, that wait for a retry, or whose inbox contains the notification. A delivery in progress may still reach its device. With `recall`, workers also remove delivered notifications from devices, for up to 24 hours, on channels that support it. `/push/task/report` returns the results of the recall. The cancellation is stored before the response is sent, and no delivery starts more than 5 seconds after it. You can repeat the call. A finished task stays unchanged, but it can be recalled. An admin token needs the scope `push`.',
    fields: [
      { name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' },
      {
        name: 'recall',
        kind: 'boolean',
        description: 'True to also remove delivered notifications from devices whose user has not opened them.',
      },
    ],
  },
  '/push/statistics/daily': {
    ...wire['/push/statistics/daily'],
    path: '/push/statistics/daily',
    summary: 'Query push statistics by day and channel',
    description:
      'Returns the counters of all tasks of the app, added up by day and channel. A task belongs to the day in UTC on which it was accepted. The counters are stored sums, which a worker refreshes about once a minute. Only days and channels with at least one device are in the list. Counters are kept for `CARILLON_COUNTS_DAYS`. Requires an admin token with the scope `push`.',
    fields: [
      { name: 'from', kind: 'text', required: true, description: 'First day, such as `2026-11-01`.' },
      { name: 'to', kind: 'text', required: true, description: 'Last day. The range can have at most 92 days.' },
      {
        name: 'channel',
        kind: 'text',
        description: 'Only this channel.',
        choices: [
          'apns',
          'fcm',
          'flyme',
          'harmony',
          'honor',
          'huawei',
          'nativepush',
          'oppo',
          'vivo',
          'webpush',
          'xiaomi',
        ],
      },
    ],
  },
  '/push/validate': {
    ...wire['/push/validate'],
    path: '/push/validate',
    summary: 'Check a notification without sending it',
    description:
      'Accepts the same request as `/push/notify`, but sends nothing. Returns the number of devices that the notification would reach now, and the content that vendors would truncate. Also returns restrictions by vendors, such as a lower message class or a daily limit per device, and a preview for each channel. `request_id` is not recorded, so you can use it afterwards. The header `accept-language` selects the language of sentences: English or Chinese. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'audience',
        kind: 'object',
        required: true,
        description:
          'Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id` and `push_token`.',
        choices: ['all'],
        fields: [
          {
            name: 'tag',
            kind: 'text',
            list: true,
            description: 'Devices that have at least one of these tags, of at most 64 bytes each.',
          },
          {
            name: 'alias',
            kind: 'text',
            list: true,
            description: 'Devices that have one of these aliases, of at most 64 bytes each.',
          },
          { name: 'user_id', kind: 'int64', list: true, description: 'Devices of the users with these IDs.' },
          { name: 'push_token', kind: 'text', list: true, description: 'Devices with these push tokens.' },
        ],
      },
      {
        name: 'setting',
        kind: 'object',
        description: 'Push settings. Blank means the default of each setting.',
        fields: [
          {
            name: 'request_id',
            kind: 'text',
            description:
              'Idempotency key, kept for 90 days. If an earlier request had the same key, nothing is sent, and the response contains the task ID of that request. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: the Carillon channel first, then a vendor if the device is offline or does not acknowledge. `nativepush_only`: only the Carillon channel. `ospush_only`: only vendors. Blank means `combined`.',
            choices: ['combined', 'nativepush_only', 'ospush_only'],
          },
          {
            name: 'ospush_sequence',
            kind: 'text',
            list: true,
            description:
              'Order in which vendors are tried. `ups` stands for Xiaomi, HarmonyOS, Huawei, Honor, Meizu, OPPO and vivo; the vendor that the device registered last comes first. `fcm` stands for FCM, then Web Push. Blank means [ups, fcm]. APNs is not affected.',
            choices: ['ups', 'fcm', 'webpush', 'huawei', 'harmony', 'xiaomi', 'oppo', 'vivo', 'meizu'],
          },
          {
            name: 'hold_seconds',
            kind: 'integer',
            description:
              'Number of seconds for which the task is held before sending starts, from 0 to 300. Until then, `/push/task/cancel` cancels the task before any device receives it. Blank means 0. If `show_begin_time` is later, sending starts at that time.',
          },
        ],
      },
      {
        name: 'message',
        kind: 'object',
        required: true,
        description: 'Content of the notification; must not be blank.',
        fields: [
          {
            name: 'type',
            kind: 'text',
            description:
              '`text`, `image` or `cmd` (data-only message). Blank means `text`. An `image` without `attachment_url` is sent as `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          {
            name: 'title',
            kind: 'text',
            description:
              'Title of the notification. For an image without any text, vendors display the name of the app.',
          },
          { name: 'body', kind: 'text', description: 'Text of the notification.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video file. For the type `image`, the URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB (1,048,576 bytes). The recommended size is 876x324 pixels.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'Long text. Depending on the vendor, it replaces `body` or is displayed when the user expands the notification. Vendors that do not support long text display `body`, or `big_text` if `body` is blank.',
          },
          {
            name: 'badge',
            kind: 'text',
            description:
              'Badge number of the app icon: `5` sets it to 5, and `+5` increases it by 5. Blank means `+1`.',
          },
          {
            name: 'ext',
            kind: 'object',
            description:
              'JSON object with custom fields for the app: at most 4 KiB, and at most 8 levels deep. Left out for vendors whose limit it exceeds.',
          },
          {
            name: 'show_begin_time',
            kind: 'int64',
            description:
              'Time at which sending starts, in Unix seconds, at most 30 days ahead. Blank means immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description:
              'Time at which the notification expires, in Unix seconds, at most 30 days after sending starts. Blank means 24 hours after sending starts.',
          },
          {
            name: 'ios',
            kind: 'object',
            description: 'Parameters for iPhones (APNs).',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description: 'Name of a sound file in the app. Blank means the default sound, `none` means no sound.',
              },
              {
                name: 'content_available',
                kind: 'boolean',
                description: 'Whether the APNs payload contains `content-available`.',
              },
              {
                name: 'mutable_content',
                kind: 'boolean',
                description: 'Whether the APNs payload contains `mutable-content`.',
              },
              { name: 'category', kind: 'text', description: 'Value of `category` in the APNs payload.' },
              {
                name: 'thread_id',
                kind: 'text',
                description: 'Value of `thread-id` in the APNs payload. Notifications with the same value are grouped.',
              },
              { name: 'subtitle', kind: 'text', description: 'Subtitle of the notification.' },
              {
                name: 'apns_collapse_id',
                kind: 'text',
                description:
                  'Value of the APNs header `apns-collapse-id`. A notification replaces earlier ones with the same ID in the notification center.',
              },
            ],
          },
          {
            name: 'android',
            kind: 'object',
            description:
              'Parameters for all Android vendors. A field in the object of a vendor overrides the same field here. If that object sets `click_action`, the `intent` here is ignored.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description: 'Parameters for Huawei, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Full class name of the launcher activity. If blank, the badge does not change.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'importance',
                kind: 'text',
                description:
                  'Importance of the notification. `LOW` is displayed without a sound. Blank means `importance` in the credentials.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'harmony',
            kind: 'object',
            description: 'Parameters for HarmonyOS. The parameters in `android` do not apply to it.',
            fields: [
              {
                name: 'category',
                kind: 'text',
                description:
                  'Message category, as defined by HarmonyOS, such as `IM`. Blank means `category` in the credentials, or `MARKETING` if they have none.',
              },
              {
                name: 'sound',
                kind: 'text',
                description: 'Name of a sound file in `resources/rawfile` of the app. Blank means the default sound.',
              },
              {
                name: 'action',
                kind: 'text',
                description: 'Action of the page to open when the user taps the notification. Blank opens the app.',
              },
              {
                name: 'uri',
                kind: 'text',
                description: 'URI of the page to open when the user taps the notification. Blank opens the app.',
              },
              {
                name: 'collapse_key',
                kind: 'integer',
                description:
                  'Group of the notification, 0 to 100. An offline device receives only the latest notification of a group. -1 means no group. Blank means -1.',
              },
              {
                name: 'foreground_show',
                kind: 'boolean',
                description:
                  'Whether the notification is displayed while the app is in the foreground. If false, the app receives the data instead. Blank means true.',
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description: 'Parameters for Honor, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Full class name of the launcher activity. If blank, the badge does not change.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  'Importance of the notification: `LOW` or `NORMAL`. Blank or any other value means `importance` in the credentials.',
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description: 'Parameters for Xiaomi, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description:
                  'ID of the template of a private message. Blank means `template_id` in the credentials, if the message uses the channel in the credentials.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  'Variables of the template: a JSON object, as a string, with at most 9 string values of 1 to 128 characters each. If blank, `keywords1` is the title and `keywords2` is the body.',
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description: 'Parameters for OPPO, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  '1 = notification bar; 2 = also lock screen; 16 = also banner, sound and vibration. Used only for a message with a category. Blank means `notify_level` in the credentials, if the category is the one in the credentials.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description: 'Parameters for vivo, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'push_mode',
                kind: 'integer',
                description:
                  '0 = production message, 1 = test message; default 0. In environment 0, every message is a test message.',
              },
              {
                name: 'classification',
                kind: 'integer',
                description:
                  '0 = operational message, 1 = system message; default 0. A `category` of vivo in the message overrides this value.',
              },
            ],
          },
          {
            name: 'flyme',
            kind: 'object',
            description: 'Parameters for Meizu, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description:
                  '0 = public message, 1 = private message. Blank means `notice_msg_type` in the credentials.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description: 'Parameters for FCM, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
            ],
          },
          {
            name: 'webpush',
            kind: 'object',
            description: 'Parameters for Web Push. The parameters in `android` do not apply to it.',
            fields: [
              {
                name: 'navigate',
                kind: 'text',
                description:
                  'Page that opens when the user clicks the notification, as an https URL. Blank means `navigate` in the credentials.',
              },
              {
                name: 'tag',
                kind: 'text',
                description:
                  'Notifications with the same tag replace each other, on the screen and while the browser is offline. Blank means the task ID.',
              },
              {
                name: 'icon',
                kind: 'text',
                description: 'Icon of the notification, as an https URL. Not every browser supports it.',
              },
              { name: 'lang', kind: 'text', description: 'Language of the text, such as `en-US`.' },
              {
                name: 'dir',
                kind: 'text',
                description: 'Direction of the text. Blank means the direction of the browser.',
                choices: ['auto', 'ltr', 'rtl'],
              },
              {
                name: 'silent',
                kind: 'boolean',
                description: 'Whether the notification is displayed without sound and vibration.',
              },
              {
                name: 'urgency',
                kind: 'text',
                description:
                  'Urgency. A device that saves power receives less urgent notifications later. Blank means `high`.',
                choices: ['very-low', 'low', 'normal', 'high'],
              },
            ],
          },
        ],
      },
    ],
  },
  '/push/draft/create': {
    ...wire['/push/draft/create'],
    path: '/push/draft/create',
    summary: 'Create a draft of a notification',
    description:
      'Checks a request of `/push/notify`, counts the devices of its audience, and stores it as a draft. Nothing is sent until `/push/draft/approve` is called. If the audience has more devices than the app setting `approval_above`, only another token can approve the draft. The same applies if a database was unavailable during the count. A draft is deleted after 7 days. If the same token repeats a request with a `request_id`, the first draft is returned. An app can have 1,000 open drafts. Access tokens of users cannot use drafts. An admin can see all drafts of the app, and a group admin those of the group. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'audience',
        kind: 'object',
        required: true,
        description:
          'Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id` and `push_token`.',
        choices: ['all'],
        fields: [
          {
            name: 'tag',
            kind: 'text',
            list: true,
            description: 'Devices that have at least one of these tags, of at most 64 bytes each.',
          },
          {
            name: 'alias',
            kind: 'text',
            list: true,
            description: 'Devices that have one of these aliases, of at most 64 bytes each.',
          },
          { name: 'user_id', kind: 'int64', list: true, description: 'Devices of the users with these IDs.' },
          { name: 'push_token', kind: 'text', list: true, description: 'Devices with these push tokens.' },
        ],
      },
      {
        name: 'setting',
        kind: 'object',
        description: 'Push settings. Blank means the default of each setting.',
        fields: [
          {
            name: 'request_id',
            kind: 'text',
            description:
              'Idempotency key, kept for 90 days. If an earlier request had the same key, nothing is sent, and the response contains the task ID of that request. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: the Carillon channel first, then a vendor if the device is offline or does not acknowledge. `nativepush_only`: only the Carillon channel. `ospush_only`: only vendors. Blank means `combined`.',
            choices: ['combined', 'nativepush_only', 'ospush_only'],
          },
          {
            name: 'ospush_sequence',
            kind: 'text',
            list: true,
            description:
              'Order in which vendors are tried. `ups` stands for Xiaomi, HarmonyOS, Huawei, Honor, Meizu, OPPO and vivo; the vendor that the device registered last comes first. `fcm` stands for FCM, then Web Push. Blank means [ups, fcm]. APNs is not affected.',
            choices: ['ups', 'fcm', 'webpush', 'huawei', 'harmony', 'xiaomi', 'oppo', 'vivo', 'meizu'],
          },
          {
            name: 'hold_seconds',
            kind: 'integer',
            description:
              'Number of seconds for which the task is held before sending starts, from 0 to 300. Until then, `/push/task/cancel` cancels the task before any device receives it. Blank means 0. If `show_begin_time` is later, sending starts at that time.',
          },
        ],
      },
      {
        name: 'message',
        kind: 'object',
        required: true,
        description: 'Content of the notification; must not be blank.',
        fields: [
          {
            name: 'type',
            kind: 'text',
            description:
              '`text`, `image` or `cmd` (data-only message). Blank means `text`. An `image` without `attachment_url` is sent as `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          {
            name: 'title',
            kind: 'text',
            description:
              'Title of the notification. For an image without any text, vendors display the name of the app.',
          },
          { name: 'body', kind: 'text', description: 'Text of the notification.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video file. For the type `image`, the URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB (1,048,576 bytes). The recommended size is 876x324 pixels.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'Long text. Depending on the vendor, it replaces `body` or is displayed when the user expands the notification. Vendors that do not support long text display `body`, or `big_text` if `body` is blank.',
          },
          {
            name: 'badge',
            kind: 'text',
            description:
              'Badge number of the app icon: `5` sets it to 5, and `+5` increases it by 5. Blank means `+1`.',
          },
          {
            name: 'ext',
            kind: 'object',
            description:
              'JSON object with custom fields for the app: at most 4 KiB, and at most 8 levels deep. Left out for vendors whose limit it exceeds.',
          },
          {
            name: 'show_begin_time',
            kind: 'int64',
            description:
              'Time at which sending starts, in Unix seconds, at most 30 days ahead. Blank means immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description:
              'Time at which the notification expires, in Unix seconds, at most 30 days after sending starts. Blank means 24 hours after sending starts.',
          },
          {
            name: 'ios',
            kind: 'object',
            description: 'Parameters for iPhones (APNs).',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description: 'Name of a sound file in the app. Blank means the default sound, `none` means no sound.',
              },
              {
                name: 'content_available',
                kind: 'boolean',
                description: 'Whether the APNs payload contains `content-available`.',
              },
              {
                name: 'mutable_content',
                kind: 'boolean',
                description: 'Whether the APNs payload contains `mutable-content`.',
              },
              { name: 'category', kind: 'text', description: 'Value of `category` in the APNs payload.' },
              {
                name: 'thread_id',
                kind: 'text',
                description: 'Value of `thread-id` in the APNs payload. Notifications with the same value are grouped.',
              },
              { name: 'subtitle', kind: 'text', description: 'Subtitle of the notification.' },
              {
                name: 'apns_collapse_id',
                kind: 'text',
                description:
                  'Value of the APNs header `apns-collapse-id`. A notification replaces earlier ones with the same ID in the notification center.',
              },
            ],
          },
          {
            name: 'android',
            kind: 'object',
            description:
              'Parameters for all Android vendors. A field in the object of a vendor overrides the same field here. If that object sets `click_action`, the `intent` here is ignored.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description: 'Parameters for Huawei, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Full class name of the launcher activity. If blank, the badge does not change.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'importance',
                kind: 'text',
                description:
                  'Importance of the notification. `LOW` is displayed without a sound. Blank means `importance` in the credentials.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'harmony',
            kind: 'object',
            description: 'Parameters for HarmonyOS. The parameters in `android` do not apply to it.',
            fields: [
              {
                name: 'category',
                kind: 'text',
                description:
                  'Message category, as defined by HarmonyOS, such as `IM`. Blank means `category` in the credentials, or `MARKETING` if they have none.',
              },
              {
                name: 'sound',
                kind: 'text',
                description: 'Name of a sound file in `resources/rawfile` of the app. Blank means the default sound.',
              },
              {
                name: 'action',
                kind: 'text',
                description: 'Action of the page to open when the user taps the notification. Blank opens the app.',
              },
              {
                name: 'uri',
                kind: 'text',
                description: 'URI of the page to open when the user taps the notification. Blank opens the app.',
              },
              {
                name: 'collapse_key',
                kind: 'integer',
                description:
                  'Group of the notification, 0 to 100. An offline device receives only the latest notification of a group. -1 means no group. Blank means -1.',
              },
              {
                name: 'foreground_show',
                kind: 'boolean',
                description:
                  'Whether the notification is displayed while the app is in the foreground. If false, the app receives the data instead. Blank means true.',
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description: 'Parameters for Honor, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Full class name of the launcher activity. If blank, the badge does not change.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  'Importance of the notification: `LOW` or `NORMAL`. Blank or any other value means `importance` in the credentials.',
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description: 'Parameters for Xiaomi, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description:
                  'ID of the template of a private message. Blank means `template_id` in the credentials, if the message uses the channel in the credentials.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  'Variables of the template: a JSON object, as a string, with at most 9 string values of 1 to 128 characters each. If blank, `keywords1` is the title and `keywords2` is the body.',
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description: 'Parameters for OPPO, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  '1 = notification bar; 2 = also lock screen; 16 = also banner, sound and vibration. Used only for a message with a category. Blank means `notify_level` in the credentials, if the category is the one in the credentials.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description: 'Parameters for vivo, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'category',
                kind: 'text',
                description: 'Message category, as defined by the vendor. Blank means `category` in the credentials.',
              },
              {
                name: 'push_mode',
                kind: 'integer',
                description:
                  '0 = production message, 1 = test message; default 0. In environment 0, every message is a test message.',
              },
              {
                name: 'classification',
                kind: 'integer',
                description:
                  '0 = operational message, 1 = system message; default 0. A `category` of vivo in the message overrides this value.',
              },
            ],
          },
          {
            name: 'flyme',
            kind: 'object',
            description: 'Parameters for Meizu, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description:
                  '0 = public message, 1 = private message. Blank means `notice_msg_type` in the credentials.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description: 'Parameters for FCM, which override those in `android`.',
            fields: [
              {
                name: 'sound',
                kind: 'text',
                description:
                  'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
              },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
              },
            ],
          },
          {
            name: 'webpush',
            kind: 'object',
            description: 'Parameters for Web Push. The parameters in `android` do not apply to it.',
            fields: [
              {
                name: 'navigate',
                kind: 'text',
                description:
                  'Page that opens when the user clicks the notification, as an https URL. Blank means `navigate` in the credentials.',
              },
              {
                name: 'tag',
                kind: 'text',
                description:
                  'Notifications with the same tag replace each other, on the screen and while the browser is offline. Blank means the task ID.',
              },
              {
                name: 'icon',
                kind: 'text',
                description: 'Icon of the notification, as an https URL. Not every browser supports it.',
              },
              { name: 'lang', kind: 'text', description: 'Language of the text, such as `en-US`.' },
              {
                name: 'dir',
                kind: 'text',
                description: 'Direction of the text. Blank means the direction of the browser.',
                choices: ['auto', 'ltr', 'rtl'],
              },
              {
                name: 'silent',
                kind: 'boolean',
                description: 'Whether the notification is displayed without sound and vibration.',
              },
              {
                name: 'urgency',
                kind: 'text',
                description:
                  'Urgency. A device that saves power receives less urgent notifications later. Blank means `high`.',
                choices: ['very-low', 'low', 'normal', 'high'],
              },
            ],
          },
        ],
      },
      { name: 'note', kind: 'text', description: 'Note for the approver.' },
    ],
  },
  '/push/draft/get': {
    ...wire['/push/draft/get'],
    path: '/push/draft/get',
    summary: 'Get a draft with its request',
    description:
      'Returns a draft and the request of `/push/notify` that it contains. Requires an admin token. An admin token needs the scope `push`.',
    fields: [{ name: 'draft_id', kind: 'int64', required: true, description: 'Draft ID.' }],
  },
  '/push/draft/list': {
    ...wire['/push/draft/list'],
    path: '/push/draft/list',
    summary: 'List drafts',
    description:
      'Returns the drafts that the caller can see, latest first, one page at a time. Drafts are listed for 7 days. Requires an admin token. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of drafts in the response; 100 by default.' },
      {
        name: 'state',
        kind: 'text',
        description: 'State of the drafts to return. Blank returns all.',
        choices: ['open', 'approved', 'rejected'],
      },
    ],
  },
  '/push/draft/approve': {
    ...wire['/push/draft/approve'],
    path: '/push/draft/approve',
    summary: 'Approve a draft and send its notification',
    description:
      'Checks the request of the draft again, and accepts it like `/push/notify`. Returns the task ID. The author of the task is the author of the draft. If the draft needs approval, the token that created it cannot approve it. For this decision, the devices of the audience are counted again, and the larger number counts. You can repeat the call: the notification is sent once, also if several tokens approve the draft at the same time. Requires an admin token. An admin token needs the scope `push`.',
    fields: [
      { name: 'draft_id', kind: 'int64', required: true, description: 'Draft ID.' },
      {
        name: 'hold_seconds',
        kind: 'integer',
        description:
          'Number of seconds for which the task is held before sending starts. Blank means the value in the draft.',
      },
    ],
  },
  '/push/draft/reject': {
    ...wire['/push/draft/reject'],
    path: '/push/draft/reject',
    summary: 'Reject a draft',
    description:
      'Ends a draft, so that it cannot be approved. Every admin who can see the draft can reject it, including its creator. You can repeat the call: the first reason stays. Requires an admin token. An admin token needs the scope `push`.',
    fields: [
      { name: 'draft_id', kind: 'int64', required: true, description: 'Draft ID.' },
      { name: 'reason', kind: 'text', description: 'Reason for the creator.' },
    ],
  },
  '/device/bind': {
    ...wire['/device/bind'],
    path: '/device/bind',
    summary: 'Bind a vendor token to a device',
    description:
      'Registers the token that a vendor issued for a device. A vendor token belongs to the device that registered it last. A device has one vendor token per vendor, and a new one replaces the previous one. An admin token needs the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      {
        name: 'token',
        kind: 'text',
        required: true,
        description:
          'Vendor token of the device, unchanged. A token that contains characters that the vendor does not use, such as commas or spaces, is rejected. Web Push: the JSON of the subscription, as `JSON.stringify(subscription)` returns it.',
      },
      { name: 'environment', kind: 'integer', description: 'Environment: 0 = development, 1 = production; default 1.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/device/unbind': {
    ...wire['/device/unbind'],
    path: '/device/unbind',
    summary: 'Unbind a vendor token from a device',
    description:
      'Carillon then no longer sends notifications to the device through this vendor. If the device has no token of this vendor, the call also succeeds. An admin token needs the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/device/list': {
    ...wire['/device/list'],
    path: '/device/list',
    summary: 'List the devices of a user',
    description:
      'Returns the devices on which the user is logged in, at most 20. The device that was seen last comes first. With an admin token, set the header `user_id` to choose the user. An admin token needs the scope `manage`.',
    fields: [],
  },
  '/device/tag': {
    ...wire['/device/tag'],
    path: '/device/tag',
    summary: 'Change the tags of a device',
    description:
      'The call first applies `clear`, then `remove`, then `add`. A device can have at most 100 tags of at most 64 bytes each. A request that would exceed this limit is rejected and changes nothing. A request without these three fields only returns the tags. An admin token needs the scope `manage`.',
    fields: [
      { name: 'add', kind: 'text', list: true, description: 'Tags to add.' },
      { name: 'remove', kind: 'text', list: true, description: 'Tags to remove.' },
      { name: 'clear', kind: 'boolean', description: 'Whether all existing tags are removed first.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/device/alias': {
    ...wire['/device/alias'],
    path: '/device/alias',
    summary: 'Set the alias of a device',
    description:
      'A device has at most one alias. Devices of the same user can share an alias. If a device of another user has this alias, the call is rejected. An admin token needs the scope `manage`.',
    fields: [
      { name: 'alias', kind: 'text', description: 'Alias, at most 64 bytes. Blank removes the alias.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/device/badge': {
    ...wire['/device/badge'],
    path: '/device/badge',
    summary: 'Set the badge number of a device',
    description:
      'Stores the badge number that the app icon of an iPhone or a web app shows. If the next notification has a relative badge, such as `+1`, Carillon adds it to this number. Apps usually report 0 when the user opens them. An admin token needs the scope `manage`.',
    fields: [
      { name: 'badge', kind: 'integer', description: 'Badge number that the app icon shows; default 0.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/device/receipt': {
    ...wire['/device/receipt'],
    path: '/device/receipt',
    summary: 'Report received or clicked notifications',
    description:
      'Reports notifications that arrived through a vendor, by the `reference` in each notification. APNs, FCM and Web Push do not report delivery, so these reports are their only receipts. A notification that is reported twice counts once. References of other devices, and of notifications that were not sent to this device, are ignored. An admin token needs the scope `manage`.',
    fields: [
      {
        name: 'list',
        kind: 'text',
        list: true,
        required: true,
        description: 'References of the notifications, at most 100.',
      },
      {
        name: 'event',
        kind: 'text',
        description:
          '`received` if the notification was displayed, `clicked` if the user opened it. A click also counts as received. Blank means `received`.',
        choices: ['received', 'clicked'],
      },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/device/state': {
    ...wire['/device/state'],
    path: '/device/state',
    summary: 'Report the state of a device',
    description:
      'Stores the state that the app on a device reports, with the time. `/push/task/trace` uses it to explain why a notification was not displayed. Call the operation after each login, at each start of the app, and when the state changes. A call replaces the earlier report, and an omitted field removes its earlier value. A logout deletes the report. An equal report is stored at most once a day. An admin token needs the scope `manage`.',
    fields: [
      { name: 'client', kind: 'text', description: 'Name and version of the SDK, such as `android 0.1.0`.' },
      {
        name: 'notifications',
        kind: 'text',
        description: 'Whether the phone allows the app to display notifications: `allowed` or `denied`.',
        choices: ['allowed', 'denied'],
      },
      {
        name: 'vendor_errors',
        kind: 'object',
        list: true,
        description: 'Vendors that issued no vendor token to the app.',
        fields: [
          {
            name: 'provider',
            kind: 'integer',
            required: true,
            description:
              'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
          },
          {
            name: 'error',
            kind: 'text',
            required: true,
            description: 'Reason why the vendor issued no vendor token, such as an error code of its SDK.',
          },
        ],
      },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
      },
    ],
  },
  '/token/logout': {
    ...wire['/token/logout'],
    path: '/token/logout',
    summary: 'Log out',
    description:
      'Revokes the access token of this call. If the token was issued for a device, the device is logged out. Its connection is closed, and its push token, vendor tokens, tags, alias and waiting notifications are deleted. Nothing is delivered to the device until a user logs in on it again. To revoke an admin token, use `/admin/token/revoke`.',
    fields: [],
  },
  '/admin/app/get': {
    ...wire['/admin/app/get'],
    path: '/admin/app/get',
    summary: 'Get this app',
    description:
      'Returns the app to which the admin token belongs, with its settings. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/app/update': {
    ...wire['/admin/app/update'],
    path: '/admin/app/update',
    summary: "Change this app's settings",
    description:
      'Sets the given fields and leaves the others unchanged. All processes apply the new settings within three seconds. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'name', kind: 'text', description: 'Name of the app.' },
      { name: 'token_days', kind: 'integer', description: 'Lifetime of an access token, in days.' },
      {
        name: 'http_errors',
        kind: 'text',
        description:
          '`status`: failed calls have an HTTP error status. `always200`: every response has the status 200.',
        choices: ['status', 'always200'],
      },
      {
        name: 'user_push',
        kind: 'text',
        description:
          'Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this user. `any`: all devices of the app.',
        choices: ['none', 'self', 'any'],
      },
      {
        name: 'registration',
        kind: 'boolean',
        description: 'Whether users can register themselves with `/user/register`.',
      },
      {
        name: 'country',
        kind: 'text',
        description: 'Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166).',
      },
      {
        name: 'notify_per_second',
        kind: 'integer',
        description:
          'Maximum number of calls of `/push/notify` per second, and of `/push/validate`, which is counted separately. 0 means no limit. If the ceiling of the app is lower, the ceiling applies.',
      },
      {
        name: 'extra_counters',
        kind: 'boolean',
        description:
          'Whether `/push/task/detail` also returns the counters of `harmony` and `webpush`, after the specified ones.',
      },
      {
        name: 'reject_typos',
        kind: 'boolean',
        description:
          'Whether `/push/notify`, `/push/validate` and `/push/draft/create` reject unknown fields with names that are close to a known field of the same object.',
      },
      {
        name: 'approval_above',
        kind: 'integer',
        description:
          'Drafts of `/push/draft/create` for more devices than this need the approval of another token. -1 means that no draft needs it.',
      },
      {
        name: 'cors_origins',
        kind: 'text',
        list: true,
        description:
          'Origins whose web pages can call the operations that need no admin token: at most 20, without wildcards. An origin consists of the scheme, the host and, unless it is the default, the port. The list replaces the previous one. A list with only `none` removes all origins.',
      },
    ],
  },
  '/admin/app/create': {
    ...wire['/admin/app/create'],
    path: '/admin/app/create',
    summary: 'Create an app',
    description:
      'Creates an app with a new key pair, and an admin token for the new app. The admin token is returned only once. This operation is for operators of the whole installation: its scope `platform` is not included in `*`. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'new_app_id',
        kind: 'text',
        required: true,
        description:
          'App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit.',
      },
      { name: 'name', kind: 'text', required: true, description: 'Name of the app.' },
      { name: 'token_days', kind: 'integer', description: 'Lifetime of an access token, in days.' },
      {
        name: 'http_errors',
        kind: 'text',
        description:
          '`status`: failed calls have an HTTP error status. `always200`: every response has the status 200.',
        choices: ['status', 'always200'],
      },
      {
        name: 'user_push',
        kind: 'text',
        description:
          'Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this user. `any`: all devices of the app.',
        choices: ['none', 'self', 'any'],
      },
      {
        name: 'registration',
        kind: 'boolean',
        description: 'Whether users can register themselves with `/user/register`.',
      },
      {
        name: 'country',
        kind: 'text',
        description: 'Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166).',
      },
      {
        name: 'notify_per_second',
        kind: 'integer',
        description:
          'Maximum number of calls of `/push/notify` per second, and of `/push/validate`, which is counted separately. 0 means no limit. If the ceiling of the app is lower, the ceiling applies.',
      },
      {
        name: 'extra_counters',
        kind: 'boolean',
        description:
          'Whether `/push/task/detail` also returns the counters of `harmony` and `webpush`, after the specified ones.',
      },
      {
        name: 'reject_typos',
        kind: 'boolean',
        description:
          'Whether `/push/notify`, `/push/validate` and `/push/draft/create` reject unknown fields with names that are close to a known field of the same object.',
      },
      {
        name: 'approval_above',
        kind: 'integer',
        description:
          'Drafts of `/push/draft/create` for more devices than this need the approval of another token. -1 means that no draft needs it.',
      },
      {
        name: 'cors_origins',
        kind: 'text',
        list: true,
        description:
          'Origins whose web pages can call the operations that need no admin token: at most 20, without wildcards. An origin consists of the scheme, the host and, unless it is the default, the port. The list replaces the previous one. A list with only `none` removes all origins.',
      },
    ],
  },
  '/admin/app/ceilings': {
    ...wire['/admin/app/ceilings'],
    path: '/admin/app/ceilings',
    summary: 'Set the ceilings of an app',
    description:
      'Sets the given ceilings of an app, and leaves the others unchanged. Returns all ceilings of the app and its usage. All processes apply new ceilings within seconds, and gateways within `CARILLON_USAGE_COUNT_SECONDS`. A ceiling below the current usage deletes nothing, but the app cannot add anything until its usage is lower. The admins of the app can read its ceilings with `/admin/app/get`, but cannot change them. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description:
          'App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit.',
      },
      {
        name: 'notify_per_second',
        kind: 'int64',
        description:
          'Number of calls of `/push/notify` per second on each API process. `/push/validate` is counted separately, with the same ceiling. 0 means no ceiling. -1 restores the default of the installation.',
      },
      {
        name: 'open_tasks',
        kind: 'int64',
        description:
          'Number of tasks that are not finished, including scheduled tasks and tasks that wait in inboxes. 0 means no ceiling. -1 restores the default of the installation.',
      },
      {
        name: 'users',
        kind: 'int64',
        description: 'Number of users. 0 means no ceiling. -1 restores the default of the installation.',
      },
      {
        name: 'devices',
        kind: 'int64',
        description:
          'Number of devices, including those without a user. 0 means no ceiling. -1 restores the default of the installation.',
      },
      {
        name: 'stored_bytes',
        kind: 'int64',
        description:
          'Number of bytes of stored messages with their audiences, and of inboxes with 200 bytes per notification. 0 means no ceiling. -1 restores the default of the installation.',
      },
      {
        name: 'sessions',
        kind: 'int64',
        description:
          'Number of connected devices, on all gateways together. 0 means no ceiling. -1 restores the default of the installation.',
      },
    ],
  },
  '/admin/app/list': {
    ...wire['/admin/app/list'],
    path: '/admin/app/list',
    summary: 'List all apps of the installation',
    description:
      'Returns all apps, ordered by app ID, at most 1,000. This operation is for operators of the whole installation. Requires an admin token with the scope `platform`.',
    fields: [],
  },
  '/admin/app/disable': {
    ...wire['/admin/app/disable'],
    path: '/admin/app/disable',
    summary: 'Disable an app',
    description:
      'Within five seconds, all requests for the app are rejected, and all connections of its devices are closed. Its open and scheduled tasks are cancelled as with `/push/task/cancel`, which takes several seconds for thousands of tasks. The data of the app is kept. An app cannot disable itself. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description:
          'App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit.',
      },
    ],
  },
  '/admin/app/enable': {
    ...wire['/admin/app/enable'],
    path: '/admin/app/enable',
    summary: 'Enable an app',
    description:
      'Requests for the app are accepted again, and its devices can connect again. Tasks that were cancelled because the app was disabled stay cancelled. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description:
          'App ID: at most 64 letters, digits, `.`, `_` and `-`. The first character is a letter or a digit.',
      },
    ],
  },
  '/admin/token/create': {
    ...wire['/admin/token/create'],
    path: '/admin/token/create',
    summary: 'Create an admin token',
    description:
      'The new token belongs to this app. It cannot have more scopes or a longer lifetime than the token that creates it. It is returned only once, because Carillon stores only its hash. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'name', kind: 'text', required: true, description: 'Purpose of the token.' },
      {
        name: 'scopes',
        kind: 'text',
        list: true,
        required: true,
        description:
          'Scopes of the token: `push`, `secrets`, `manage`, `platform`. `*` stands for all scopes except `platform`.',
        choices: ['*', 'push', 'secrets', 'manage', 'platform'],
      },
      {
        name: 'group_id',
        kind: 'int64',
        description: 'Group that the token is limited to. It then always acts as an admin of this group.',
      },
      {
        name: 'days',
        kind: 'integer',
        description:
          'Number of days until the token expires. Blank means that it expires with the token that creates it, or never.',
      },
    ],
  },
  '/admin/token/list': {
    ...wire['/admin/token/list'],
    path: '/admin/token/list',
    summary: 'List the admin tokens of this app',
    description:
      'Returns the admin tokens that are not revoked, oldest first, at most 1,000. The values of the tokens are not returned, because Carillon stores only their hashes. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/token/revoke': {
    ...wire['/admin/token/revoke'],
    path: '/admin/token/revoke',
    summary: 'Revoke an admin token',
    description:
      'Also revokes all admin tokens that were created with this token, and all access tokens that these admin tokens created with `/admin/user/token`. All processes reject them within five seconds. A token can revoke itself, but not a token with scopes that it does not have. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'token_id', kind: 'int64', required: true, description: 'ID of the token.' },
      {
        name: 'keep_user_tokens',
        kind: 'boolean',
        description:
          'True if access tokens stay valid, for example when a backend changes its admin token. Default: false.',
      },
    ],
  },
  '/admin/user/create': {
    ...wire['/admin/user/create'],
    path: '/admin/user/create',
    summary: 'Create a user',
    description:
      'Creates a user with an ID that you choose, or with a generated ID. If your app has its own accounts, omit login names and password, and get access tokens with `/admin/user/token`. The ID of a deleted user cannot be used again. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID. If blank, Carillon generates an ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or trailing spaces.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description:
          'Mobile number: with `+` and country code, or in the national format of the country in the app setting `country`.',
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      {
        name: 'password',
        kind: 'text',
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
    ],
  },
  '/admin/user/find': {
    ...wire['/admin/user/find'],
    path: '/admin/user/find',
    summary: 'Find a user',
    description:
      'Returns one user. Send exactly one of `user_id`, `name`, `mobile` and `email`. Mobile numbers match in any common format, and email addresses match in upper or lower case. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or trailing spaces.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description:
          'Mobile number: with `+` and country code, or in the national format of the country in the app setting `country`.',
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
    ],
  },
  '/admin/user/list': {
    ...wire['/admin/user/list'],
    path: '/admin/user/list',
    summary: 'List the users of the app',
    description:
      'Returns the users, ordered by ID, one page at a time. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
    ],
  },
  '/admin/user/update': {
    ...wire['/admin/user/update'],
    path: '/admin/user/update',
    summary: "Change a user's login names",
    description:
      'Sets the given login names and leaves the others unchanged. Existing logins stay valid. To delete a login name, list it in `remove`. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or trailing spaces.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description:
          'Mobile number: with `+` and country code, or in the national format of the country in the app setting `country`.',
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      {
        name: 'remove',
        kind: 'text',
        list: true,
        description: 'Login names to delete: `name`, `mobile` or `email`.',
        choices: ['name', 'mobile', 'email'],
      },
    ],
  },
  '/admin/user/password': {
    ...wire['/admin/user/password'],
    path: '/admin/user/password',
    summary: "Set a user's password",
    description:
      'Sets the password of a user and ends all logins of the user, as `/admin/user/kick` does. A blank password removes the existing one. The user then needs access tokens from `/admin/user/token`. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'password',
        kind: 'text',
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
    ],
  },
  '/admin/user/kick': {
    ...wire['/admin/user/kick'],
    path: '/admin/user/kick',
    summary: 'Log a user out everywhere',
    description:
      'Ends all logins of a user. Within five seconds, the access tokens of the user are rejected, and the connections are closed. Nothing is delivered to the devices of the user until a user logs in on them again. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/disable': {
    ...wire['/admin/user/disable'],
    path: '/admin/user/disable',
    summary: 'Disable a user',
    description:
      'Ends all logins of a user and prevents new ones. Within five seconds, the access tokens of the user are rejected, and the connections are closed. Nothing more is delivered to the devices of the user. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/enable': {
    ...wire['/admin/user/enable'],
    path: '/admin/user/enable',
    summary: 'Enable a user',
    description:
      'Allows a disabled user to log in again. Logins that ended when the user was disabled are not restored. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/token': {
    ...wire['/admin/user/token'],
    path: '/admin/user/token',
    summary: 'Log a user in without a password',
    description:
      'Returns an access token for a user whom your backend has authenticated. Use this operation if your app has its own accounts. The response has the same fields as the response of a login. The call is rejected if the user is disabled. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID that the app has generated. If set, the response contains a push token.',
      },
    ],
  },
  '/admin/user/export': {
    ...wire['/admin/user/export'],
    path: '/admin/user/export',
    summary: 'Export the personal data of a user',
    description:
      'Returns the stored data about a user: login names, access tokens (without their values), devices, groups, tasks and drafts to or from the user with their messages, counters of old tasks, and audit entries. Tasks and drafts to all devices, tags or groups are not included. Each call returns one page, which can be empty. Repeat the call with `next` of the response as `after`, until `next` is null. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'after',
        kind: 'text',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
    ],
  },
  '/admin/group/create': {
    ...wire['/admin/group/create'],
    path: '/admin/group/create',
    summary: 'Create a group',
    description:
      'Creates a group without members. A call with an admin token and the header `group_id` reaches only the members of that group. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', description: 'Group ID. If blank, Carillon generates an ID.' },
      { name: 'name', kind: 'text', required: true, description: 'Name of the group.' },
    ],
  },
  '/admin/group/list': {
    ...wire['/admin/group/list'],
    path: '/admin/group/list',
    summary: 'List the groups of the app',
    description:
      'Returns the groups, ordered by ID, one page at a time. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
    ],
  },
  '/admin/group/add': {
    ...wire['/admin/group/add'],
    path: '/admin/group/add',
    summary: 'Add members to a group',
    description:
      'Users who are already members stay members. If one of the users does not exist, no members are added. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' },
      { name: 'list', kind: 'int64', list: true, required: true, description: 'User IDs, at most 500.' },
    ],
  },
  '/admin/group/members': {
    ...wire['/admin/group/members'],
    path: '/admin/group/members',
    summary: 'List the members of a group',
    description:
      'Returns the user IDs of the members in ascending order, one page at a time. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' },
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
    ],
  },
  '/admin/group/remove': {
    ...wire['/admin/group/remove'],
    path: '/admin/group/remove',
    summary: 'Remove members from a group',
    description: 'Users who are not members are ignored. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' },
      { name: 'list', kind: 'int64', list: true, required: true, description: 'User IDs, at most 500.' },
    ],
  },
  '/admin/group/delete': {
    ...wire['/admin/group/delete'],
    path: '/admin/group/delete',
    summary: 'Delete a group',
    description:
      'Deletes a group, but not its members. Scheduled tasks of the group then reach no devices. The ID of a deleted group cannot be used again. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' }],
  },
  '/admin/certificate/save': {
    ...wire['/admin/certificate/save'],
    path: '/admin/certificate/save',
    summary: 'Save the credentials for a vendor',
    description:
      'The new credentials replace those for the same vendor and environment. For Web Push, saving without `app_key` and `app_secret` keeps the saved key pair, or creates one if there is none. The page "Vendor credentials" in the documentation lists the fields that each vendor requires. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      { name: 'environment', kind: 'integer', description: 'Environment: 0 = development, 1 = production; default 1.' },
      { name: 'name', kind: 'text', required: true, description: 'Name of the credentials.' },
      {
        name: 'app_id',
        kind: 'text',
        description:
          'App ID at the vendor. APNs: bundle ID. FCM: project ID. Web Push: contact, as a `mailto:` or `https:` URL.',
      },
      {
        name: 'app_key',
        kind: 'text',
        description:
          'App key at the vendor. APNs with a .p8 file: Key ID. Huawei: project ID. Honor: Client ID. Web Push: public VAPID key.',
      },
      {
        name: 'app_secret',
        kind: 'text',
        description:
          'App secret at the vendor. APNs: Team ID for a .p8 file, or passphrase of a .p12 file. OPPO: MasterSecret. Honor: Client Secret. Web Push: private VAPID key.',
      },
      {
        name: 'check',
        kind: 'boolean',
        description:
          'Whether Carillon first checks the credentials with the vendor. Credentials that the vendor rejects are not saved. If the vendor does not respond, the credentials are saved unchecked.',
      },
      {
        name: 'per_second',
        kind: 'integer',
        description:
          'Rate limit that you agreed with the vendor, in devices per second (Xiaomi and Meizu: requests per second). Blank means the default limit of the vendor.',
      },
      {
        name: 'certificate',
        kind: 'text',
        description:
          'Depends on the vendor. APNs: contents of the .p8 file, a .p12 file in base64, or PEM. FCM: the service account JSON. Other vendors: a JSON string with settings. Huawei also accepts a service account file.',
      },
    ],
  },
  '/admin/certificate/list': {
    ...wire['/admin/certificate/list'],
    path: '/admin/certificate/list',
    summary: 'List the credentials of the app',
    description:
      'Returns the credentials of the app for all vendors, without secrets. The credentials that expire first come first. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/certificate/check': {
    ...wire['/admin/certificate/check'],
    path: '/admin/certificate/check',
    summary: 'Check credentials with the vendor',
    description:
      'Authenticates at the vendor with the saved credentials, without sending a notification to a device. The call lasts until the vendor responds, at most ten seconds. The header `accept-language` selects the language of sentences: English or Chinese. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      { name: 'environment', kind: 'integer', description: 'Environment: 0 = development, 1 = production; default 1.' },
    ],
  },
  '/admin/certificate/callback': {
    ...wire['/admin/certificate/callback'],
    path: '/admin/certificate/callback',
    summary: 'Get the callback path for a vendor',
    description:
      'Returns the path of the callback URL, to which a vendor sends receipts. The callback URL is the public URL of this API followed by this path. Save it in the console of Huawei, Honor, vivo or Meizu. Carillon sends it with each message to Xiaomi, OPPO and Meizu. The first call generates the path, which stays the same until you set `renew`. APNs and FCM do not send callbacks, so the call is rejected for them; use `/device/receipt` instead. Requires an admin token with the scope `secrets`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      {
        name: 'renew',
        kind: 'boolean',
        description:
          'Set to true if the path has leaked. Carillon then generates a new path, and the old one stops working.',
      },
      {
        name: 'user_name',
        kind: 'text',
        description:
          'Huawei: the callback user name in its console. Meizu: any value. If set, Carillon accepts only signed callbacks.',
      },
      {
        name: 'key',
        kind: 'text',
        description: 'Huawei: the callback key that belongs to `user_name`. Meizu: the secret string in its console.',
      },
      {
        name: 'signed',
        kind: 'boolean',
        description:
          'Set to false if you removed the user name and the key at the vendor. Carillon then accepts unsigned callbacks.',
      },
    ],
  },
  '/admin/certificate/delete': {
    ...wire['/admin/certificate/delete'],
    path: '/admin/certificate/delete',
    summary: 'Delete the credentials for a vendor',
    description:
      'Carillon then no longer sends notifications through this vendor in this environment. All workers apply the change within three seconds. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      { name: 'environment', kind: 'integer', description: 'Environment: 0 = development, 1 = production; default 1.' },
    ],
  },
  '/admin/channel/list': {
    ...wire['/admin/channel/list'],
    path: '/admin/channel/list',
    summary: 'List the status of vendor channels',
    description:
      'Returns one row for each of the saved credentials. It shows whether the channel is paused, which daily quotas are used up, how much of a quota is used, the current rate limit, the last response of the vendor, and the time of its last receipt. The header `accept-language` selects the language of sentences: English or Chinese. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/channel/resume': {
    ...wire['/admin/channel/resume'],
    path: '/admin/channel/resume',
    summary: 'Resume a paused vendor channel',
    description:
      'Ends the pause of a channel, instead of waiting for a successful probe. Call it after you have removed the cause of the pause, for example at the vendor. If the channel is paused, the call takes about a second, until all workers know that it is open. Carillon then sends new notifications immediately, and retries the 1,000 oldest waiting batches of each database within seconds. It retries the others at their next attempt, within about five minutes. If the vendor still does not respond or rejects the credentials, the channel is paused again after the next calls. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description:
          'Vendor: 1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor, 9 = HarmonyOS, 10 = Web Push.',
      },
      { name: 'environment', kind: 'integer', description: 'Environment: 0 = development, 1 = production; default 1.' },
    ],
  },
  '/admin/device/find': {
    ...wire['/admin/device/find'],
    path: '/admin/device/find',
    summary: 'Find devices',
    description:
      'Returns matching devices, one page at a time. Send exactly one of `push_token`, `device_guid`, `user_id`, `alias` or `tag`. A `device_guid` has one device for each user who has logged in with it. A device on which no user is logged in can be found only by `device_guid`. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token of the device.' },
      { name: 'device_guid', kind: 'text', description: 'Device ID.' },
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      { name: 'alias', kind: 'text', description: 'Alias of the device.' },
      { name: 'tag', kind: 'text', description: 'Tag of the device.' },
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
    ],
  },
  '/admin/device/get': {
    ...wire['/admin/device/get'],
    path: '/admin/device/get',
    summary: 'Get a device with its inbox and connection',
    description:
      'Returns a device with its badge, the notifications that wait in its inbox, and its connection to the Carillon channel. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'push_token', kind: 'text', required: true, description: 'Push token of the device.' }],
  },
  '/admin/device/notifications': {
    ...wire['/admin/device/notifications'],
    path: '/admin/device/notifications',
    summary: 'List the notifications of a user or device',
    description:
      'Returns the notifications for one device, or for all devices of a user, latest first, one page at a time. Send either `push_token` or `user_id`. Each row has the state and the explanation of `/push/task/trace`, which returns the single attempts. A notification is listed when its audience is resolved to devices, for `CARILLON_RETENTION_DAYS`. A call searches a limited number of notifications, so a page can have few rows or none although `next` is not null. A device that its user was logged out of is listed only with `user_id`. The header `accept-language` selects the language of sentences: English or Chinese. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token of the device.' },
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      {
        name: 'limit',
        kind: 'integer',
        description:
          'Maximum number of rows; 20 by default. The rows of one task are never divided, so a page can have more rows if the user has more devices.',
      },
    ],
  },
  '/admin/device/logout': {
    ...wire['/admin/device/logout'],
    path: '/admin/device/logout',
    summary: 'Log a user out on one device',
    description:
      'Ends the login on a device, for example on a lost phone. Within five seconds, the access tokens of this login are rejected, and the connection of the device is closed. Nothing is delivered to the device until a user logs in on it again. Other logins of the user stay valid. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'push_token', kind: 'text', required: true, description: 'Push token of the device.' }],
  },
  '/admin/device/delete': {
    ...wire['/admin/device/delete'],
    path: '/admin/device/delete',
    summary: 'Delete a device',
    description:
      'Deletes a device with all its data. Send exactly one of `push_token` and `device_guid`. With `device_guid`, the devices of all users who have logged in with it are deleted. Within five seconds, the access tokens of the device are rejected, and its connection is closed. Nothing more is delivered to the device. A later login on the device registers a new device. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token of the device.' },
      { name: 'device_guid', kind: 'text', description: 'Device ID.' },
    ],
  },
  '/admin/user/delete': {
    ...wire['/admin/user/delete'],
    path: '/admin/user/delete',
    summary: 'Delete a user',
    description:
      'Deletes a user with login names, password, access tokens and group memberships. Also deletes the devices of the user with their vendor tokens, tags, aliases and waiting notifications. Existing tasks keep the user ID until their data is deleted; `/admin/user/erase` removes it. The ID cannot be used again. If the call fails, repeat it. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/erase': {
    ...wire['/admin/user/erase'],
    path: '/admin/user/erase',
    summary: 'Erase the personal data of a user',
    description:
      'Deletes a user like `/admin/user/delete`, and removes the user from stored tasks, counters and idempotency keys. Audit entries are kept for 400 days. The text of notifications whose only recipient is the user is erased too; if such a notification is not finished, it is cancelled. The user is deleted before the response. Workers erase the rest within about 10 minutes, or when an unavailable database is back; `/admin/user/erasures` returns the progress. A repeated call changes nothing while the erasure is running, and starts it again afterwards. You can also erase a user who was deleted before. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/erasures': {
    ...wire['/admin/user/erasures'],
    path: '/admin/user/erasures',
    summary: 'List erasures of users',
    description:
      'Returns the erasures that `/admin/user/erase` started, with their progress, latest first, one page at a time. With `user_id`, returns only the erasure of this user. Entries are kept, because they prove the erasure and prevent the reuse of the ID. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
    ],
  },
  '/admin/audit/list': {
    ...wire['/admin/audit/list'],
    path: '/admin/audit/list',
    summary: 'List audit entries',
    description:
      'Returns the calls with admin tokens of this app and of operators that changed data or read a secret, and the calls with which users changed their password. The latest entry is first. An entry is written before the call runs, and is never changed. A call that creates an object has a second entry with the ID of the object. With filters, a page can have fewer rows than `limit`, or none, because a call reads at most 5,000 rows. The list ends when `next` is null. Entries are kept for 400 days. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
      {
        name: 'order',
        kind: 'text',
        description: 'Order of the list: `newest` first by default, or `oldest` first.',
        choices: ['newest', 'oldest'],
      },
      { name: 'from', kind: 'int64', description: 'Only calls at or after this time, in Unix epoch milliseconds.' },
      { name: 'to', kind: 'int64', description: 'Only calls before this time, in Unix epoch milliseconds.' },
      {
        name: 'operation',
        kind: 'text',
        description: 'Only operations whose path starts with this text, such as `/admin/user/` or `/push/certificate`.',
      },
      {
        name: 'token_id',
        kind: 'int64',
        description: 'Only calls with this admin token. 0 returns the calls of operators and users.',
      },
      { name: 'operator_id', kind: 'int64', description: 'Only calls of this operator.' },
      {
        name: 'text',
        kind: 'text',
        description: 'Only entries with this text in `detail`. Upper and lower case are the same.',
      },
      {
        name: 'installation',
        kind: 'boolean',
        description:
          'True returns the calls that belong to no app instead, such as changes to operators, and sign-ins with OpenID Connect that changed the rights of an operator. Requires the scope `platform`. Default: false.',
      },
    ],
  },
  '/admin/audit/verify': {
    ...wire['/admin/audit/verify'],
    path: '/admin/audit/verify',
    summary: 'Verify the audit log',
    description:
      'Computes the hashes of the audit entries of all apps again, and compares them with the stored chain of hashes. It changes nothing. Each call checks up to 1,000 entries. Repeat the call with `next` of the response as `after`, until `next` is null. The check ends at the first entry that does not match. Keep the last `hash` outside the database, and send it as `expect` the next time. Otherwise, an attacker who controls the database could remove the last entries, or compute all hashes again. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'after',
        kind: 'text',
        description: 'Value of `next` in the previous response. Blank starts with the oldest entry.',
      },
      {
        name: 'expect',
        kind: 'text',
        description: 'Hash that the chain must contain: `hash` of an earlier verification.',
      },
    ],
  },
  '/admin/ledger/verify': {
    ...wire['/admin/ledger/verify'],
    path: '/admin/ledger/verify',
    summary: 'Check the invariants of the ledger',
    description:
      'Checks the tasks and counters of this app for violated invariants, and changes nothing. For example, every received notification must have been sent, and the counters must equal the sums in the ledger. Each call checks one part. Repeat the call with `next` of the response as `after`, until `next` is null. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'after',
        kind: 'text',
        description: 'Value of `next` in the previous response. Blank checks the first part.',
      },
    ],
  },
  '/admin/lookup': {
    ...wire['/admin/lookup'],
    path: '/admin/lookup',
    summary: 'Look up any ID',
    description:
      'Returns the users, devices, tasks and groups that a string can identify, at most 20. The string can be a user ID, user name, mobile number, email address, alias, push token, `device_guid`, vendor token, task ID, `request_id` or group ID. A number can have several matches. Mobile numbers match in any common format. A `request_id` is found only if an admin sent it, not a user or a group admin. The header `X-Request-Id` is not stored, so it cannot be found here. Search the access log of your proxy for it. Use `task_id` with `user_id` or `push_token` in `/push/task/trace`. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'text',
        kind: 'text',
        required: true,
        description:
          'The string to look up. Spaces before and after it are ignored. Case matters, except in email addresses.',
      },
    ],
  },
  '/admin/task/quarantined': {
    ...wire['/admin/task/quarantined'],
    path: '/admin/task/quarantined',
    summary: 'List quarantined tasks',
    description:
      'Returns up to 1,000 tasks of this app that have quarantined work, starting with the last failure. Work is quarantined after five failures that only it caused, and is not retried. Fix the cause, and call `/admin/task/retry`. To give the task up, call `/push/task/cancel`. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/task/retry': {
    ...wire['/admin/task/retry'],
    path: '/admin/task/retry',
    summary: 'Retry a quarantined task',
    description:
      'Makes the quarantined work of a task due. A worker processes it within seconds. If it fails four more times, it is quarantined again. Entries that are finished are not sent again. `/admin/task/quarantined` lists these tasks. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' }],
  },
  '/operator/methods': {
    ...wire['/operator/methods'],
    path: '/operator/methods',
    summary: 'Show how operators can sign in',
    description: 'Returns the ways in which operators can sign in to the console. Requires no header.',
    fields: [],
  },
  '/operator/login': {
    ...wire['/operator/login'],
    path: '/operator/login',
    summary: 'Sign in as an operator',
    description:
      'Checks the password of an operator, and starts a session of at most 12 hours, which ends after 2 hours without a request. The session is in a cookie that scripts cannot read. Every other request of the session must have the header `carillon-csrf` with the value of `csrf_token`. An unknown operator and a wrong password cause the same error.',
    fields: [
      {
        name: 'email',
        kind: 'text',
        required: true,
        description: 'Email address of the operator. It matches in upper or lower case.',
      },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces are significant, so a password that consists of spaces is not blank.',
      },
    ],
  },
  '/operator/session': {
    ...wire['/operator/session'],
    path: '/operator/session',
    summary: 'Show the operator who is signed in',
    description:
      'Returns the operator of the session, and the CSRF token that all other requests of the session need. This operation itself needs no CSRF token. Requires the session of an operator.',
    fields: [],
  },
  '/operator/logout': {
    ...wire['/operator/logout'],
    path: '/operator/logout',
    summary: 'Sign out',
    description: 'Ends the session and deletes its cookie. Requires the session of an operator.',
    fields: [],
  },
  '/operator/password': {
    ...wire['/operator/password'],
    path: '/operator/password',
    summary: 'Change your password as an operator',
    description:
      'Changes the password of the operator who is signed in, and ends all other sessions of the operator. Wrong values of `old_password` have the same limits as failed sign-ins. Requires the session of an operator.',
    fields: [
      { name: 'old_password', kind: 'text', required: true, description: 'Current password. Spaces are significant.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
    ],
  },
  '/operator/session/list': {
    ...wire['/operator/session/list'],
    path: '/operator/session/list',
    summary: 'List the sessions of an operator',
    description:
      'Returns the sessions of the operator who is signed in, the latest first, at most 50. A platform operator can choose another operator. Requires the session of an operator.',
    fields: [
      { name: 'operator_id', kind: 'int64', description: 'Operator ID. Blank selects the operator who is signed in.' },
    ],
  },
  '/operator/session/revoke': {
    ...wire['/operator/session/revoke'],
    path: '/operator/session/revoke',
    summary: 'End sessions of an operator',
    description:
      'Ends a session of the operator who is signed in. A platform operator can choose another operator. With `operator_id` and without `session_id`, all sessions of the operator end, except the session of the call. All processes reject an ended session within five seconds. Requires the session of an operator.',
    fields: [
      {
        name: 'session_id',
        kind: 'int64',
        description: 'ID of the session. Blank ends all sessions of `operator_id`.',
      },
      { name: 'operator_id', kind: 'int64', description: 'Operator ID. Blank selects the operator who is signed in.' },
    ],
  },
  '/operator/create': {
    ...wire['/operator/create'],
    path: '/operator/create',
    summary: 'Create an operator',
    description:
      'Creates an operator who signs in with a password. The operator has no role in any app until `/operator/role/set` gives one. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'email',
        kind: 'text',
        required: true,
        description: 'Email address of the operator. It matches in upper or lower case.',
      },
      { name: 'name', kind: 'text', required: true, description: 'Displayed name.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
      {
        name: 'is_platform',
        kind: 'boolean',
        description:
          'True creates a platform operator, who is an admin of every app and manages operators. Default: false.',
      },
    ],
  },
  '/operator/list': {
    ...wire['/operator/list'],
    path: '/operator/list',
    summary: 'List the operators',
    description:
      'Returns all operators of the installation, oldest first. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'after',
        kind: 'int64',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows in the response; 100 by default.' },
    ],
  },
  '/operator/update': {
    ...wire['/operator/update'],
    path: '/operator/update',
    summary: 'Change an operator',
    description:
      'Changes only the given fields. A new password ends all sessions of the operator. An operator who signs in with OpenID Connect has no password, and gets the name, the email address and the roles from the identity provider at each sign-in. Requires an admin token with the scope `platform`.',
    fields: [
      { name: 'operator_id', kind: 'int64', required: true, description: 'Operator ID.' },
      { name: 'email', kind: 'text', description: 'Email address of the operator. It matches in upper or lower case.' },
      { name: 'name', kind: 'text', description: 'Displayed name.' },
      {
        name: 'password',
        kind: 'text',
        description:
          'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
      },
      { name: 'is_platform', kind: 'boolean', description: 'Whether this is a platform operator.' },
    ],
  },
  '/operator/disable': {
    ...wire['/operator/disable'],
    path: '/operator/disable',
    summary: 'Disable an operator',
    description:
      'Ends all sessions of the operator, who cannot sign in until `/operator/enable`. All processes reject the sessions within five seconds. Admin tokens that the operator created stay valid. Requires an admin token with the scope `platform`.',
    fields: [{ name: 'operator_id', kind: 'int64', required: true, description: 'Operator ID.' }],
  },
  '/operator/enable': {
    ...wire['/operator/enable'],
    path: '/operator/enable',
    summary: 'Enable an operator',
    description:
      'Lets a disabled operator sign in again. Sessions that have ended stay ended. Requires an admin token with the scope `platform`.',
    fields: [{ name: 'operator_id', kind: 'int64', required: true, description: 'Operator ID.' }],
  },
  '/operator/role/set': {
    ...wire['/operator/role/set'],
    path: '/operator/role/set',
    summary: 'Set the role of an operator in an app',
    description:
      'Gives an operator a role in an app, or removes the role. The change takes effect within five seconds. Requires an admin token with the scope `platform`.',
    fields: [
      { name: 'operator_id', kind: 'int64', required: true, description: 'Operator ID.' },
      { name: 'app_id', kind: 'text', required: true, description: 'App ID.' },
      {
        name: 'role',
        kind: 'text',
        description:
          'Role in the app. `viewer`: read. `sender`: also send and cancel notifications. `admin`: also manage the app and read its secrets. Blank removes the role.',
        choices: ['viewer', 'sender', 'admin'],
      },
    ],
  },
};
