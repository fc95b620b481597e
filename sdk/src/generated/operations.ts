// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.

import type { Operation } from '../operation.ts';
import type { OperationPath } from './types.ts';
import { wire } from './wire.ts';

/** Every operation of the API, by path. */
export const operations: Readonly<Record<OperationPath, Operation>> = {
  '/token/id': {
    ...wire['/token/id'],
    path: '/token/id',
    summary: 'Get a token by user ID and password',
    description:
      'Issues an access token to an ordinary user. The header `access-token` is not required, and `user_id` and `group_id` are ignored. An unknown user and a wrong password return the same error.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID, for login by user ID only.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces count: it is blank only when absent, null or "".',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the response contains a push token.',
      },
    ],
  },
  '/token/login': {
    ...wire['/token/login'],
    path: '/token/login',
    summary: 'Get a token by login name and password',
    description:
      'Issues an access token to an ordinary user. The header `access-token` is not required, and `user_id` and `group_id` are ignored. An unknown user and a wrong password return the same error. A login name that contains `@` is an email address, one without letters is a mobile number, and any other is a user name. Mobile numbers and email addresses match in any notation.',
    fields: [
      { name: 'login_name', kind: 'text', required: true, description: 'Mobile number, email or user name.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces count: it is blank only when absent, null or "".',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the response contains a push token.',
      },
    ],
  },
  '/token/user': {
    ...wire['/token/user'],
    path: '/token/user',
    summary: 'Get a token by user name and password',
    description:
      'Issues an access token to an ordinary user. The header `access-token` is not required, and `user_id` and `group_id` are ignored. An unknown user and a wrong password return the same error.',
    fields: [
      { name: 'name', kind: 'text', required: true, description: 'User name, for login by user name only.' },
      {
        name: 'password',
        kind: 'text',
        required: true,
        description: 'Password. Spaces count: it is blank only when absent, null or "".',
      },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the response contains a push token.',
      },
    ],
  },
  '/user/register': {
    ...wire['/user/register'],
    path: '/user/register',
    summary: 'Register a user',
    description:
      'Creates a user and logs them in, in apps that allow it (`registration`); other apps reject the request. At least one of `name`, `mobile` and `email` is required. Mobile numbers and email addresses are not verified.',
    fields: [
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that it is never mistaken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or in the national format of the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      { name: 'password', kind: 'text', required: true, description: 'Password, 8 to 256 characters. Spaces count.' },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the response contains a push token.',
      },
    ],
  },
  '/push/certificate': {
    ...wire['/push/certificate'],
    path: '/push/certificate',
    summary: 'Get a push certificate',
    description:
      "Returns the app's credentials for a vendor. An admin token gets all of them; a user token gets the same fields with the server's secrets empty. An admin token needs the scope `secrets`.",
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
    ],
  },
  '/push/notify': {
    ...wire['/push/notify'],
    path: '/push/notify',
    summary: 'Send a push notification',
    description:
      'Accepts a notification for an audience and returns a task ID. The task is then stored durably and retried until it is delivered, rejected or expires. `audience` and `message` must not be blank; an audience that matches no devices is accepted too. An admin token can reach all devices, or with `group_id` those of the group members. A user token can reach only its own user, unless the app allows more. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'audience',
        kind: 'object',
        required: true,
        description: 'Target: `all`, or an object with exactly one key, whose list has 1–500 items.',
        choices: ['all'],
        fields: [
          { name: 'tag', kind: 'text', list: true, description: 'Devices labelled with any listed tag.' },
          { name: 'alias', kind: 'text', list: true, description: 'Devices with any listed alias.' },
          { name: 'user_id', kind: 'int64', list: true, description: 'Devices of any listed user ID.' },
          { name: 'push_token', kind: 'text', list: true, description: 'Devices with any listed push token.' },
        ],
      },
      {
        name: 'setting',
        kind: 'object',
        description: 'Push settings; may be blank.',
        fields: [
          {
            name: 'request_id',
            kind: 'text',
            description:
              'Idempotency key, kept for 90 days. If the same key was used before, nothing is sent and the first task ID is returned. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: Carillon channel first, vendor channel if the device is offline or does not acknowledge; `nativepush_only`: Carillon channel only; `ospush_only`: vendor channels only. Blank means `combined`.',
            choices: ['combined', 'nativepush_only', 'ospush_only'],
          },
          {
            name: 'ospush_sequence',
            kind: 'text',
            list: true,
            description:
              'Vendor push priority. `ups` stands for the domestic vendors (Xiaomi, Huawei, Honor, Meizu, OPPO, vivo). Blank means [ups, fcm].',
            choices: ['ups', 'fcm', 'huawei', 'xiaomi', 'oppo', 'vivo', 'meizu'],
          },
        ],
      },
      {
        name: 'message',
        kind: 'object',
        required: true,
        description: 'Message body; must not be blank.',
        fields: [
          {
            name: 'type',
            kind: 'text',
            description: '`text`, `image` or `cmd` (data-only message). Blank means `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          { name: 'title', kind: 'text', description: 'Title.' },
          { name: 'body', kind: 'text', description: 'Content.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB; 876x324 px recommended.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'If set and the vendor supports large text, this text is sent as large text; otherwise `body` is sent as ordinary text.',
          },
          {
            name: 'badge',
            kind: 'text',
            description:
              'Numeric string: badge is set to that number. String starting with `+`: that number is added to the badge. Blank means `+1`.',
          },
          {
            name: 'ext',
            kind: 'object',
            description: 'Free-form JSON object of extension fields: at most 4 KiB, at most 8 levels deep.',
          },
          {
            name: 'show_begin_time',
            kind: 'int64',
            description:
              'Time from which the notification is sent, Unix seconds, at most 30 days ahead; blank means immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description: 'Time after which the notification is no longer sent, Unix seconds.',
          },
          {
            name: 'ios',
            kind: 'object',
            description: '',
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'content_available', kind: 'boolean', description: 'APNs content-available.' },
              { name: 'mutable_content', kind: 'boolean', description: 'APNs mutable-content.' },
              { name: 'category', kind: 'text', description: 'APNs payload category.' },
              { name: 'thread_id', kind: 'text', description: 'APNs thread-id: groups notifications.' },
              { name: 'subtitle', kind: 'text', description: 'Subtitle.' },
              {
                name: 'apns_collapse_id',
                kind: 'text',
                description:
                  'A notification with this ID replaces earlier ones with the same ID in the notification center.',
              },
            ],
          },
          {
            name: 'android',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Class name of the entry activity of the app, used for the badge on the launcher icon.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
              {
                name: 'importance',
                kind: 'text',
                description: 'Importance: `LOW` is quiet; blank means the importance set in the credentials.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Class name of the entry activity of the app, used for the badge on the launcher icon.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description:
                  'Template of a private message; blank means the template set in the credentials, if their channel is used.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  'Variables of the template, a JSON object of at most 9 strings of 1 to 128 characters; blank means title and text as `keywords1` and `keywords2`.',
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  'Notification level: 1 = in the notification bar, 2 = also on the lock screen, 16 = also with a banner, sound and vibration. Only used with a category; blank means the level set in the credentials, which applies only to the category set in the credentials.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
              { name: 'push_mode', kind: 'integer', description: '0 = production push, 1 = testing push; default 0.' },
              {
                name: 'classification',
                kind: 'integer',
                description: '0 = operational message, 1 = system message; default 0.',
              },
            ],
          },
          {
            name: 'flyme',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description: '0 = public, 1 = private; blank means the type set in the credentials.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
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
      'Returns the 27 counters of each task, exact at the time of the request. If the data of a task is no longer kept (`CARILLON_RETENTION_DAYS`), its final counters are returned (for `CARILLON_COUNTS_DAYS`). Unknown task IDs and those that this caller may not see are omitted. The order of the request is kept, and duplicates are returned once. An admin token needs the scope `push`.',
    fields: [{ name: 'list', kind: 'int64', list: true, required: true, description: 'Task IDs, at most 500.' }],
  },
  '/push/task/list': {
    ...wire['/push/task/list'],
    path: '/push/task/list',
    summary: 'List push tasks',
    description:
      'Returns the tasks that this caller may see, latest first, in pages. An admin sees all tasks of the app, a group admin those of the group, and a user those they created. Only tasks that are still kept are listed (`CARILLON_RETENTION_DAYS`); `/push/task/detail` also returns the counters of older tasks. An admin token needs the scope `push`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the previous response; blank starts at the beginning.' },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows; 100 by default.' },
    ],
  },
  '/push/task/trace': {
    ...wire['/push/task/trace'],
    path: '/push/task/trace',
    summary: 'Trace a push task to a device',
    description:
      "Explains for one task why a notification did or did not reach a device, or each device of a user. Returns every attempt in order, with the channel's own code and a plain sentence. Tasks are visible as in `/push/task/detail`. An admin can trace every device, a group admin the devices of group members, and a user their own devices. Send exactly one of `push_token` and `user_id`. An admin token needs the scope `push`.",
    fields: [
      { name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' },
      { name: 'push_token', kind: 'text', description: 'Push token of the device.' },
      { name: 'user_id', kind: 'int64', description: 'User ID, to trace all devices of this user.' },
    ],
  },
  '/push/task/cancel': {
    ...wire['/push/task/cancel'],
    path: '/push/task/cancel',
    summary: 'Cancel a push task',
    description:
      'Cancels deliveries that are not sent yet: devices that were not tried, that wait for a retry, or that have the notification in their inbox. Deliveries in progress may still be received, and received notifications cannot be recalled. Cancelling twice is harmless, and a finished task stays unchanged. The response is sent after the cancellation is committed; every worker applies it from its next step on. An admin token needs the scope `push`.',
    fields: [{ name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' }],
  },
  '/push/validate': {
    ...wire['/push/validate'],
    path: '/push/validate',
    summary: 'Check a notification without sending it',
    description:
      'Accepts the request of `/push/notify` and checks it in the same way, but sends nothing. Returns the number of devices that the notification would reach now, the content that would be cut, and the demotions and caps that vendors would apply. `request_id` is not used up. An admin token needs the scope `push`.',
    fields: [
      {
        name: 'audience',
        kind: 'object',
        required: true,
        description: 'Target: `all`, or an object with exactly one key, whose list has 1–500 items.',
        choices: ['all'],
        fields: [
          { name: 'tag', kind: 'text', list: true, description: 'Devices labelled with any listed tag.' },
          { name: 'alias', kind: 'text', list: true, description: 'Devices with any listed alias.' },
          { name: 'user_id', kind: 'int64', list: true, description: 'Devices of any listed user ID.' },
          { name: 'push_token', kind: 'text', list: true, description: 'Devices with any listed push token.' },
        ],
      },
      {
        name: 'setting',
        kind: 'object',
        description: 'Push settings; may be blank.',
        fields: [
          {
            name: 'request_id',
            kind: 'text',
            description:
              'Idempotency key, kept for 90 days. If the same key was used before, nothing is sent and the first task ID is returned. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: Carillon channel first, vendor channel if the device is offline or does not acknowledge; `nativepush_only`: Carillon channel only; `ospush_only`: vendor channels only. Blank means `combined`.',
            choices: ['combined', 'nativepush_only', 'ospush_only'],
          },
          {
            name: 'ospush_sequence',
            kind: 'text',
            list: true,
            description:
              'Vendor push priority. `ups` stands for the domestic vendors (Xiaomi, Huawei, Honor, Meizu, OPPO, vivo). Blank means [ups, fcm].',
            choices: ['ups', 'fcm', 'huawei', 'xiaomi', 'oppo', 'vivo', 'meizu'],
          },
        ],
      },
      {
        name: 'message',
        kind: 'object',
        required: true,
        description: 'Message body; must not be blank.',
        fields: [
          {
            name: 'type',
            kind: 'text',
            description: '`text`, `image` or `cmd` (data-only message). Blank means `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          { name: 'title', kind: 'text', description: 'Title.' },
          { name: 'body', kind: 'text', description: 'Content.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB; 876x324 px recommended.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'If set and the vendor supports large text, this text is sent as large text; otherwise `body` is sent as ordinary text.',
          },
          {
            name: 'badge',
            kind: 'text',
            description:
              'Numeric string: badge is set to that number. String starting with `+`: that number is added to the badge. Blank means `+1`.',
          },
          {
            name: 'ext',
            kind: 'object',
            description: 'Free-form JSON object of extension fields: at most 4 KiB, at most 8 levels deep.',
          },
          {
            name: 'show_begin_time',
            kind: 'int64',
            description:
              'Time from which the notification is sent, Unix seconds, at most 30 days ahead; blank means immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description: 'Time after which the notification is no longer sent, Unix seconds.',
          },
          {
            name: 'ios',
            kind: 'object',
            description: '',
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'content_available', kind: 'boolean', description: 'APNs content-available.' },
              { name: 'mutable_content', kind: 'boolean', description: 'APNs mutable-content.' },
              { name: 'category', kind: 'text', description: 'APNs payload category.' },
              { name: 'thread_id', kind: 'text', description: 'APNs thread-id: groups notifications.' },
              { name: 'subtitle', kind: 'text', description: 'Subtitle.' },
              {
                name: 'apns_collapse_id',
                kind: 'text',
                description:
                  'A notification with this ID replaces earlier ones with the same ID in the notification center.',
              },
            ],
          },
          {
            name: 'android',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Class name of the entry activity of the app, used for the badge on the launcher icon.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
              {
                name: 'importance',
                kind: 'text',
                description: 'Importance: `LOW` is quiet; blank means the importance set in the credentials.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'badge_class',
                kind: 'text',
                description: 'Class name of the entry activity of the app, used for the badge on the launcher icon.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description:
                  'Template of a private message; blank means the template set in the credentials, if their channel is used.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  'Variables of the template, a JSON object of at most 9 strings of 1 to 128 characters; blank means title and text as `keywords1` and `keywords2`.',
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  'Notification level: 1 = in the notification bar, 2 = also on the lock screen, 16 = also with a banner, sound and vibration. Only used with a category; blank means the level set in the credentials, which applies only to the category set in the credentials.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description:
                  "Message category, in the vendor's notation; blank means the category set in the credentials.",
              },
              { name: 'push_mode', kind: 'integer', description: '0 = production push, 1 = testing push; default 0.' },
              {
                name: 'classification',
                kind: 'integer',
                description: '0 = operational message, 1 = system message; default 0.',
              },
            ],
          },
          {
            name: 'flyme',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description: '0 = public, 1 = private; blank means the type set in the credentials.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description:
              "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'ID of the notification channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description:
                  'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
              },
            ],
          },
        ],
      },
    ],
  },
  '/device/bind': {
    ...wire['/device/bind'],
    path: '/device/bind',
    summary: 'Bind a vendor token to a device',
    description:
      'Registers the token that a vendor issued for a device. A vendor token belongs to the device that bound it last, and a device has one active token per vendor. An admin token needs the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'token', kind: 'text', required: true, description: 'Vendor token of the device.' },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device of the access token. Required with an admin token.',
      },
    ],
  },
  '/device/unbind': {
    ...wire['/device/unbind'],
    path: '/device/unbind',
    summary: 'Unbind a vendor token from a device',
    description:
      'The device is no longer reached through this vendor. The response is the same if the device has no token of this vendor. An admin token needs the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device of the access token. Required with an admin token.',
      },
    ],
  },
  '/device/list': {
    ...wire['/device/list'],
    path: '/device/list',
    summary: 'List the devices of a user',
    description:
      'Returns the devices on which this user is logged in, latest first, at most 20. With an admin token, set the header `user_id` to choose the user. An admin token needs the scope `manage`.',
    fields: [],
  },
  '/device/tag': {
    ...wire['/device/tag'],
    path: '/device/tag',
    summary: 'Change the tags of a device',
    description:
      'Changes the tags of a device: first `clear`, then `remove`, then `add`. A device has at most 100 tags of 64 bytes; a request that exceeds this limit is rejected and changes nothing. A request without any of the three fields only returns the tags. An admin token needs the scope `manage`.',
    fields: [
      { name: 'add', kind: 'text', list: true, description: 'Tags to add.' },
      { name: 'remove', kind: 'text', list: true, description: 'Tags to remove.' },
      { name: 'clear', kind: 'boolean', description: 'Whether all tags are removed first.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device of the access token. Required with an admin token.',
      },
    ],
  },
  '/device/alias': {
    ...wire['/device/alias'],
    path: '/device/alias',
    summary: 'Set the alias of a device',
    description:
      'Sets the alias of a device; a blank alias removes it. Devices of one user can share an alias. An alias that is used by a device of another user is rejected. An admin token needs the scope `manage`.',
    fields: [
      { name: 'alias', kind: 'text', description: 'Alias, at most 64 bytes; blank means none.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device of the access token. Required with an admin token.',
      },
    ],
  },
  '/device/badge': {
    ...wire['/device/badge'],
    path: '/device/badge',
    summary: 'Set the badge number of a device',
    description:
      'Reports the badge number that the device shows now, so that the next notification counts from that number. Apps usually send 0 when they are opened. An admin token needs the scope `manage`.',
    fields: [
      { name: 'badge', kind: 'integer', description: 'Badge number; 0 by default.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device of the access token. Required with an admin token.',
      },
    ],
  },
  '/device/receipt': {
    ...wire['/device/receipt'],
    path: '/device/receipt',
    summary: 'Report received notifications',
    description:
      'For vendors that do not report delivery: the app reports the notifications that it displayed, by the `reference` of each. A notification that is reported twice counts once. References of other devices and of notifications that were never sent to this device are ignored. An admin token needs the scope `manage`.',
    fields: [
      { name: 'list', kind: 'text', list: true, required: true, description: 'References, at most 100.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device of the access token. Required with an admin token.',
      },
    ],
  },
  '/token/logout': {
    ...wire['/token/logout'],
    path: '/token/logout',
    summary: 'Log out',
    description:
      'Revokes this access token. If it was issued with a device, the device is logged out: its session ends, and its push token, vendor tokens, tags, alias and waiting notifications are deleted. Nothing is delivered to the device until a user logs in on it again.',
    fields: [],
  },
  '/admin/app/get': {
    ...wire['/admin/app/get'],
    path: '/admin/app/get',
    summary: 'Get this app',
    description: 'Returns the app of the token, with its settings. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/app/update': {
    ...wire['/admin/app/update'],
    path: '/admin/app/update',
    summary: "Change this app's settings",
    description:
      'Sets the given fields and leaves the others unchanged. Every process uses the new settings within three seconds. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'name', kind: 'text', description: 'Name of the app.' },
      { name: 'token_days', kind: 'integer', description: 'Lifetime of an access token, in days.' },
      {
        name: 'http_errors',
        kind: 'text',
        description:
          '`status`: errors have an HTTP error status. `always200`: every response has status 200, for clients that expect it.',
        choices: ['status', 'always200'],
      },
      {
        name: 'user_push',
        kind: 'text',
        description: 'Users that a user token can notify: none, its own user, or any.',
        choices: ['none', 'self', 'any'],
      },
      { name: 'registration', kind: 'boolean', description: 'Whether users can register themselves.' },
      {
        name: 'country',
        kind: 'text',
        description: 'Country of mobile numbers without a country code, as two letters (ISO 3166).',
      },
      {
        name: 'notify_per_second',
        kind: 'integer',
        description: 'Notify and validate requests allowed per second; 0 means no limit.',
      },
    ],
  },
  '/admin/app/create': {
    ...wire['/admin/app/create'],
    path: '/admin/app/create',
    summary: 'Create an app',
    description:
      'Creates an app with its own key pair and an admin token for it, which is returned only once. For operators of the whole installation: the scope `*` does not include `platform`. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'new_app_id',
        kind: 'text',
        required: true,
        description: 'App ID: at most 64 letters, digits, `.`, `_` and `-`.',
      },
      { name: 'name', kind: 'text', required: true, description: 'Name of the app.' },
      { name: 'token_days', kind: 'integer', description: 'Lifetime of an access token, in days.' },
      {
        name: 'http_errors',
        kind: 'text',
        description:
          '`status`: errors have an HTTP error status. `always200`: every response has status 200, for clients that expect it.',
        choices: ['status', 'always200'],
      },
      {
        name: 'user_push',
        kind: 'text',
        description: 'Users that a user token can notify: none, its own user, or any.',
        choices: ['none', 'self', 'any'],
      },
      { name: 'registration', kind: 'boolean', description: 'Whether users can register themselves.' },
      {
        name: 'country',
        kind: 'text',
        description: 'Country of mobile numbers without a country code, as two letters (ISO 3166).',
      },
      {
        name: 'notify_per_second',
        kind: 'integer',
        description: 'Notify and validate requests allowed per second; 0 means no limit.',
      },
    ],
  },
  '/admin/app/list': {
    ...wire['/admin/app/list'],
    path: '/admin/app/list',
    summary: 'List all apps of the installation',
    description:
      'Returns at most 1,000 apps, ordered by ID. For operators of the whole installation. Requires an admin token with the scope `platform`.',
    fields: [],
  },
  '/admin/app/disable': {
    ...wire['/admin/app/disable'],
    path: '/admin/app/disable',
    summary: 'Disable an app',
    description:
      'Rejects every request for this app and closes every session of its devices within five seconds. Cancels its open tasks, including scheduled ones, as `/push/task/cancel` does; this takes several seconds if there are thousands of tasks. The data of the app is kept. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description: 'App ID: at most 64 letters, digits, `.`, `_` and `-`.',
      },
    ],
  },
  '/admin/app/enable': {
    ...wire['/admin/app/enable'],
    path: '/admin/app/enable',
    summary: 'Enable an app',
    description:
      'Requests are accepted and devices can connect again. Tasks that were cancelled because the app was disabled stay cancelled. Requires an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description: 'App ID: at most 64 letters, digits, `.`, `_` and `-`.',
      },
    ],
  },
  '/admin/token/create': {
    ...wire['/admin/token/create'],
    path: '/admin/token/create',
    summary: 'Create an admin token',
    description:
      'Creates an admin token of this app. It cannot have more scopes or a longer lifetime than the token that creates it. The token is returned only once; only its hash is stored. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'name', kind: 'text', required: true, description: 'Purpose of the token.' },
      {
        name: 'scopes',
        kind: 'text',
        list: true,
        required: true,
        description: 'Scopes: `push`, `secrets`, `manage`, `platform`; `*` is all but `platform`.',
        choices: ['*', 'push', 'secrets', 'manage', 'platform'],
      },
      {
        name: 'days',
        kind: 'integer',
        description: 'Days until the token expires. Blank means never, unless the token that creates it expires.',
      },
    ],
  },
  '/admin/token/list': {
    ...wire['/admin/token/list'],
    path: '/admin/token/list',
    summary: 'List the admin tokens of this app',
    description:
      'Returns at most 1,000 tokens that are not revoked, ordered by creation. The tokens themselves are not stored, so they are not returned. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/token/revoke': {
    ...wire['/admin/token/revoke'],
    path: '/admin/token/revoke',
    summary: 'Revoke an admin token',
    description:
      'The token is rejected within five seconds. A token can revoke itself. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'token_id', kind: 'int64', required: true, description: 'ID of the token.' }],
  },
  '/admin/user/create': {
    ...wire['/admin/user/create'],
    path: '/admin/user/create',
    summary: 'Create a user',
    description:
      'Creates a user with an ID that you choose or a generated one. If your app has its own accounts, omit login names and password, and get tokens with `/admin/user/token`. The ID of a deleted user cannot be used again. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID; blank means a generated ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that it is never mistaken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or in the national format of the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      { name: 'password', kind: 'text', description: 'Password, 8 to 256 characters. Spaces count.' },
    ],
  },
  '/admin/user/find': {
    ...wire['/admin/user/find'],
    path: '/admin/user/find',
    summary: 'Find a user',
    description:
      'Returns the user that matches exactly one of the fields. Mobile numbers and email addresses match in any notation. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that it is never mistaken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or in the national format of the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
    ],
  },
  '/admin/user/list': {
    ...wire['/admin/user/list'],
    path: '/admin/user/list',
    summary: 'List the users of the app',
    description: 'Returns the users, ordered by ID, in pages. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the previous response; blank starts at the beginning.' },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows; 100 by default.' },
    ],
  },
  '/admin/user/update': {
    ...wire['/admin/user/update'],
    path: '/admin/user/update',
    summary: "Change a user's login names",
    description:
      'Sets the given login names and leaves the others unchanged. Existing logins stay valid. Use `remove` to delete a login name. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that it is never mistaken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or in the national format of the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      {
        name: 'remove',
        kind: 'text',
        list: true,
        description: 'Login names to remove: `name`, `mobile`, `email`.',
        choices: ['name', 'mobile', 'email'],
      },
    ],
  },
  '/admin/user/password': {
    ...wire['/admin/user/password'],
    path: '/admin/user/password',
    summary: "Set a user's password",
    description:
      'Sets the password and logs the user out everywhere, as `/admin/user/kick` does. A blank password removes it: the user can then log in only with tokens from `/admin/user/token`. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      { name: 'password', kind: 'text', description: 'Password, 8 to 256 characters. Spaces count.' },
    ],
  },
  '/admin/user/kick': {
    ...wire['/admin/user/kick'],
    path: '/admin/user/kick',
    summary: 'Log a user out everywhere',
    description:
      'Ends every login of the user. Tokens are rejected and sessions are closed within five seconds. Nothing is delivered to the devices until the user logs in on them again. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/disable': {
    ...wire['/admin/user/disable'],
    path: '/admin/user/disable',
    summary: 'Disable a user',
    description:
      'The user can no longer log in, and every login ends. Tokens are rejected and sessions are closed within five seconds. Nothing more is delivered to the devices on which the user was logged in. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/enable': {
    ...wire['/admin/user/enable'],
    path: '/admin/user/enable',
    summary: 'Enable a user',
    description:
      'The user can log in again. Logins that ended when the user was disabled stay ended. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/token': {
    ...wire['/admin/user/token'],
    path: '/admin/user/token',
    summary: 'Log a user in without a password',
    description:
      'For an app that has its own accounts: after its backend has authenticated a user, it gets a token for that user, as a login does. A disabled user gets no token. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the response contains a push token.',
      },
    ],
  },
  '/admin/group/create': {
    ...wire['/admin/group/create'],
    path: '/admin/group/create',
    summary: 'Create a group',
    description:
      'Creates a group without members. An admin token with the header `group_id` then reaches only its members. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', description: 'Group ID; blank means a generated ID.' },
      { name: 'name', kind: 'text', required: true, description: 'Name of the group.' },
    ],
  },
  '/admin/group/list': {
    ...wire['/admin/group/list'],
    path: '/admin/group/list',
    summary: 'List the groups of the app',
    description: 'Returns the groups, ordered by ID, in pages. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the previous response; blank starts at the beginning.' },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows; 100 by default.' },
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
      'Returns the user IDs of the members in ascending order, in pages. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' },
      { name: 'after', kind: 'int64', description: '`next` of the previous response; blank starts at the beginning.' },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows; 100 by default.' },
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
      'Deletes a group, but not the users in it. Scheduled tasks of the group reach no devices. The ID cannot be used again. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' }],
  },
  '/admin/certificate/save': {
    ...wire['/admin/certificate/save'],
    path: '/admin/certificate/save',
    summary: 'Save the credentials for a vendor',
    description:
      'Checks the credentials and replaces those for the same vendor and environment. `docs/vendors/credentials.md` describes the fields that each vendor requires. APNs accepts a p8 key or a p12 file exported from Keychain. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
      { name: 'name', kind: 'text', required: true, description: 'Name of the credentials.' },
      { name: 'app_id', kind: 'text', description: 'App ID at the vendor.' },
      { name: 'app_key', kind: 'text', description: 'App key at the vendor.' },
      { name: 'app_secret', kind: 'text', description: 'App secret at the vendor; with a p12 file, its passphrase.' },
      {
        name: 'check',
        kind: 'boolean',
        description:
          'If false, the credentials are saved without checking them with the vendor. Otherwise, credentials that the vendor clearly rejects are not saved. If the vendor does not respond, they are saved unchecked.',
      },
      {
        name: 'per_second',
        kind: 'integer',
        description:
          'Rate limit that was agreed with the vendor, in devices per second, or in requests if the vendor counts requests. Blank means the general limit of the vendor.',
      },
      {
        name: 'certificate',
        kind: 'text',
        description: 'Certificate: a key, a service account or a p12 file in base64, depending on the vendor.',
      },
    ],
  },
  '/admin/certificate/list': {
    ...wire['/admin/certificate/list'],
    path: '/admin/certificate/list',
    summary: 'List the credentials of the app',
    description:
      'Returns all vendor credentials without their secrets, ordered by expiry, soonest first. Requires an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/certificate/check': {
    ...wire['/admin/certificate/check'],
    path: '/admin/certificate/check',
    summary: 'Check credentials with the vendor',
    description:
      'Authenticates at the vendor with the saved credentials, as for a notification, but reaches no device. Takes as long as the vendor needs to respond, at most ten seconds. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
    ],
  },
  '/admin/certificate/callback': {
    ...wire['/admin/certificate/callback'],
    path: '/admin/certificate/callback',
    summary: 'Get the callback address for a vendor',
    description:
      'Returns the path of the callback address. Configure the public address of this API, followed by this path, at the vendor. The path is generated by the first call and stays the same until you set `renew`. APNs and FCM do not send callbacks, so requests for these vendors are rejected; apps report receipts with `/device/receipt` instead. Requires an admin token with the scope `secrets`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      {
        name: 'renew',
        kind: 'boolean',
        description: 'Set to true if the path has leaked: the old path stops working and a new one is generated.',
      },
      {
        name: 'user_name',
        kind: 'text',
        description: 'Callback user name, if one is configured at Huawei. Only signed callbacks are then accepted.',
      },
      { name: 'key', kind: 'text', description: 'Callback key that belongs to `user_name`.' },
      {
        name: 'signed',
        kind: 'boolean',
        description:
          'Set to false if user name and key were removed at the vendor. Unsigned callbacks are then accepted.',
      },
    ],
  },
  '/admin/certificate/delete': {
    ...wire['/admin/certificate/delete'],
    path: '/admin/certificate/delete',
    summary: 'Delete the credentials for a vendor',
    description:
      'Notifications are no longer sent through this vendor in this environment. Every worker applies the change within three seconds. Requires an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
    ],
  },
  '/admin/channel/list': {
    ...wire['/admin/channel/list'],
    path: '/admin/channel/list',
    summary: 'List the status of vendor channels',
    description:
      "Returns the status of each of the app's credentials: whether the vendor accepts notifications, which daily quotas are used up and until when, and the current rate limit. Requires an admin token with the scope `manage`.",
    fields: [],
  },
  '/admin/device/find': {
    ...wire['/admin/device/find'],
    path: '/admin/device/find',
    summary: 'Find devices',
    description:
      'Returns the devices that match exactly one of `push_token`, `device_guid`, `user_id`, `alias` and `tag`, in pages. A device on which no user is logged in can be found only by `device_guid`. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token.' },
      { name: 'device_guid', kind: 'text', description: 'Device ID.' },
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      { name: 'alias', kind: 'text', description: 'Alias.' },
      { name: 'tag', kind: 'text', description: 'Tag.' },
      { name: 'after', kind: 'int64', description: '`next` of the previous response; blank starts at the beginning.' },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows; 100 by default.' },
    ],
  },
  '/admin/device/delete': {
    ...wire['/admin/device/delete'],
    path: '/admin/device/delete',
    summary: 'Delete a device',
    description:
      'Erases a device, identified by exactly one of `push_token` and `device_guid`. Its tokens are rejected and its session is closed within five seconds, and nothing more is delivered to it. A later login on it registers a new device. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token.' },
      { name: 'device_guid', kind: 'text', description: 'Device ID.' },
    ],
  },
  '/admin/user/delete': {
    ...wire['/admin/user/delete'],
    path: '/admin/user/delete',
    summary: 'Delete a user',
    description:
      'Erases the user: login names, password, tokens, group memberships, and devices with their vendor tokens, tags, alias and waiting notifications. Accepted tasks keep only the user ID until their data is dropped. The ID cannot be used again. If the call fails, repeat it. Requires an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/audit/list': {
    ...wire['/admin/audit/list'],
    path: '/admin/audit/list',
    summary: 'List audit entries',
    description:
      'Returns every read of a secret and every change made with an admin token of this app, latest first, in pages. Entries are kept for 400 days. Requires an admin token with the scope `manage`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the previous response; blank starts at the beginning.' },
      { name: 'limit', kind: 'integer', description: 'Maximum number of rows; 100 by default.' },
    ],
  },
  '/admin/ledger/verify': {
    ...wire['/admin/ledger/verify'],
    path: '/admin/ledger/verify',
    summary: 'Check the invariants of the ledger',
    description:
      "Checks a part of this app's tasks and counters with each call and changes nothing. Examples of invariants: every received notification was sent, a device has one place per task and channel, and a finished task has no open deliveries. The counters must equal the sums of the bits in the ledger. Repeat the call with `next` until it is null. Requires an admin token with the scope `manage`.",
    fields: [
      { name: 'after', kind: 'text', description: '`next` of the previous response; blank starts at the beginning.' },
    ],
  },
};
