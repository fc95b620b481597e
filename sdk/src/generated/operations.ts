// Made from src/contract by `npm run docs`; a test holds it equal. Change the contract, not this file.

import type { Operation } from '../operation.ts';
import type { OperationPath } from './types.ts';
import { wire } from './wire.ts';

/** Every operation of the interface, by its path. */
export const operations: Readonly<Record<OperationPath, Operation>> = {
  '/token/id': {
    ...wire['/token/id'],
    path: '/token/id',
    summary: 'Token by user ID and password',
    description:
      'Gives an access token to an ordinary user. The header `access-token` is not needed, and `user_id` and `group_id` are ignored. An unknown user and a wrong password get the same answer.',
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
        description: 'Device ID, 1–128 bytes; when set, the answer contains a push token.',
      },
    ],
  },
  '/token/login': {
    ...wire['/token/login'],
    path: '/token/login',
    summary: 'Token by login name and password',
    description:
      'Gives an access token to an ordinary user. The header `access-token` is not needed, and `user_id` and `group_id` are ignored. An unknown user and a wrong password get the same answer. A login name with an `@` is an email, one without a letter a mobile number, anything else a user name. Numbers and addresses are found however they are written.',
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
        description: 'Device ID, 1–128 bytes; when set, the answer contains a push token.',
      },
    ],
  },
  '/token/user': {
    ...wire['/token/user'],
    path: '/token/user',
    summary: 'Token by user name and password',
    description:
      'Gives an access token to an ordinary user. The header `access-token` is not needed, and `user_id` and `group_id` are ignored. An unknown user and a wrong password get the same answer.',
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
        description: 'Device ID, 1–128 bytes; when set, the answer contains a push token.',
      },
    ],
  },
  '/user/register': {
    ...wire['/user/register'],
    path: '/user/register',
    summary: 'Register oneself',
    description:
      'Makes a person and logs them in, in apps that allow it (`registration`); elsewhere it is refused. At least one of `name`, `mobile` and `email` must be given. Neither number nor address is verified here.',
    fields: [
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or as it is dialled in the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      { name: 'password', kind: 'text', required: true, description: 'Password, 8 to 256 characters. Spaces count.' },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the answer contains a push token.',
      },
    ],
  },
  '/push/certificate': {
    ...wire['/push/certificate'],
    path: '/push/certificate',
    summary: 'Get push certificate',
    description:
      "The app's credentials at a push provider. An admin token gets them whole; a user token gets the same fields with the server's secrets empty. An admin token needs the scope `secrets`.",
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
    summary: 'Send push notification',
    description:
      'Accepts a notification for an audience and answers a task ID. Once answered, it is committed and will be delivered whatever fails. `audience` and `message` must not be blank; an audience that matches nobody is accepted all the same. An admin token may reach everyone, with `group_id` the members of that group; a user token only its own user, unless the app allows more. An admin token needs the scope `push`.',
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
              'Deduplication ID, kept for 90 days. If the same ID was used before, nothing is pushed and the first task ID is answered. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: own channel first, vendor channel if the device is not online there or does not answer; `nativepush_only`: own channel only; `ospush_only`: vendor channels only. Blank means `combined`.',
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
            description: '`text`, `image` or `cmd` (pass-through message). Blank means `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          { name: 'title', kind: 'text', description: 'Title.' },
          { name: 'body', kind: 'text', description: 'Content.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png; its size under 1 MB; 876x324 px recommended.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'When set and the vendor supports large text, it is pushed as large text; otherwise body is pushed as ordinary text.',
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
              'Start of timed presentation, Unix seconds, at most 30 days ahead; blank means present immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description: 'End of timed presentation, Unix seconds; nothing is sent after it.',
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
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              { name: 'badge_class', kind: 'text', description: 'Entry activity class of the desktop icon.' },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
              },
              {
                name: 'importance',
                kind: 'text',
                description: 'How loud it is: `LOW` is quiet; blank: that of the certificate.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              { name: 'badge_class', kind: 'text', description: 'Entry activity class of the desktop icon.' },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description: 'The template of a private message; blank: that of the certificate, in its own channel.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  "The template's variables, a JSON object of at most 9 texts of 1 to 128 characters; blank: title and text as `keywords1` and `keywords2`.",
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  'How loud it is: 1 in the bar, 2 also on the locked screen, 16 also with a banner, sound and vibration. Only with a class; blank: that of the certificate, for its own class.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
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
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description: '0 = public, 1 = private; blank: that of the certificate.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
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
      'The 27 counters of each task, exact at the moment of the question. Of tasks that are not kept any more (`CARILLON_RETENTION_DAYS`) they are told as they were at the end (for `CARILLON_COUNTS_DAYS`). Unknown task IDs and those that this caller may not see are left out; the order of the request is kept, and duplicates are answered once. An admin token needs the scope `push`.',
    fields: [{ name: 'list', kind: 'int64', list: true, required: true, description: 'Task IDs, at most 500.' }],
  },
  '/push/task/list': {
    ...wire['/push/task/list'],
    path: '/push/task/list',
    summary: 'Push tasks, the latest first',
    description:
      "The tasks that this caller may see, page by page: an admin the app's, a group's admin the group's, a user those they authored. Only tasks that are still kept are listed (`CARILLON_RETENTION_DAYS`); counters, also of older ones, are told by `/push/task/detail`. An admin token needs the scope `push`.",
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the answer before; blank begins at the start.' },
      { name: 'limit', kind: 'integer', description: 'How many at most; 100 by default.' },
    ],
  },
  '/push/task/trace': {
    ...wire['/push/task/trace'],
    path: '/push/task/trace',
    summary: 'Why a notification did not arrive, or that it did',
    description:
      "For one task and one device, or each device of a user: every attempt in order, in the channel's own words, and a plain sentence. Tasks are seen as in `/push/task/detail`; an admin sees every device, a group's admin those of members, a user their own. Give exactly one of `push_token` and `user_id`. An admin token needs the scope `push`.",
    fields: [
      { name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' },
      { name: 'push_token', kind: 'text', description: 'Push token of the device.' },
      { name: 'user_id', kind: 'int64', description: 'User ID: all devices that are theirs.' },
    ],
  },
  '/push/task/cancel': {
    ...wire['/push/task/cancel'],
    path: '/push/task/cancel',
    summary: 'Stop a push task',
    description:
      'Stops what is not sent yet: devices that were not tried, that are to be tried again, or that have it waiting. What is under way at this moment may still arrive, and what has arrived stays. Said twice it changes nothing; a task that is finished stays as it is. Answered when it is committed; every worker heeds it from its next step on. An admin token needs the scope `push`.',
    fields: [{ name: 'task_id', kind: 'int64', required: true, description: 'Push task ID.' }],
  },
  '/push/validate': {
    ...wire['/push/validate'],
    path: '/push/validate',
    summary: 'What a notification would reach',
    description:
      'Takes the request of `/push/notify`, checks it in the same way, and tells what it would reach at this moment, what would be cut, and what vendors would demote or cap, without sending anything. `request_id` is not used up. An admin token needs the scope `push`.',
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
              'Deduplication ID, kept for 90 days. If the same ID was used before, nothing is pushed and the first task ID is answered. Blank means no deduplication.',
          },
          {
            name: 'distribution_strategy',
            kind: 'text',
            description:
              '`combined`: own channel first, vendor channel if the device is not online there or does not answer; `nativepush_only`: own channel only; `ospush_only`: vendor channels only. Blank means `combined`.',
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
            description: '`text`, `image` or `cmd` (pass-through message). Blank means `text`.',
            choices: ['text', 'image', 'cmd'],
          },
          { name: 'title', kind: 'text', description: 'Title.' },
          { name: 'body', kind: 'text', description: 'Content.' },
          {
            name: 'attachment_url',
            kind: 'text',
            description:
              'URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png; its size under 1 MB; 876x324 px recommended.',
          },
          {
            name: 'big_text',
            kind: 'text',
            description:
              'When set and the vendor supports large text, it is pushed as large text; otherwise body is pushed as ordinary text.',
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
              'Start of timed presentation, Unix seconds, at most 30 days ahead; blank means present immediately.',
          },
          {
            name: 'show_end_time',
            kind: 'int64',
            description: 'End of timed presentation, Unix seconds; nothing is sent after it.',
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
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
            ],
          },
          {
            name: 'huawei',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              { name: 'badge_class', kind: 'text', description: 'Entry activity class of the desktop icon.' },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
              },
              {
                name: 'importance',
                kind: 'text',
                description: 'How loud it is: `LOW` is quiet; blank: that of the certificate.',
                choices: ['LOW', 'NORMAL'],
              },
            ],
          },
          {
            name: 'honor',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              { name: 'badge_class', kind: 'text', description: 'Entry activity class of the desktop icon.' },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
              },
            ],
          },
          {
            name: 'xiaomi',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'template_id',
                kind: 'text',
                description: 'The template of a private message; blank: that of the certificate, in its own channel.',
              },
              {
                name: 'template_param',
                kind: 'text',
                description:
                  "The template's variables, a JSON object of at most 9 texts of 1 to 128 characters; blank: title and text as `keywords1` and `keywords2`.",
              },
            ],
          },
          {
            name: 'oppo',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
              },
              {
                name: 'notify_level',
                kind: 'integer',
                description:
                  'How loud it is: 1 in the bar, 2 also on the locked screen, 16 also with a banner, sound and vibration. Only with a class; blank: that of the certificate, for its own class.',
              },
            ],
          },
          {
            name: 'vivo',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'category',
                kind: 'text',
                description: "The vendor's own class of the message, in its words; blank: that of the certificate.",
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
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
              },
              {
                name: 'notice_msg_type',
                kind: 'integer',
                description: '0 = public, 1 = private; blank: that of the certificate.',
              },
            ],
          },
          {
            name: 'fcm',
            kind: 'object',
            description:
              "A vendor's field beats the `android` field, field by field; `click_action` and `intent` go as a pair.",
            fields: [
              { name: 'sound', kind: 'text', description: 'Alert sound.' },
              { name: 'channel_id', kind: 'text', description: 'Notification bar channel.' },
              {
                name: 'click_action',
                kind: 'text',
                description: 'Action after click: `intent` opens a specific page, `open_app` the home page of the app.',
                choices: ['intent', 'open_app'],
              },
              {
                name: 'intent',
                kind: 'text',
                description:
                  'Page to open; required when `click_action` is `intent`. An intent URI naming the component as package name / activity full path, then optional `S.<key>=<value>` parts, ending in `end`.',
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
    summary: "Bind a vendor's token to a device",
    description:
      'Tells the token that a vendor gave to a device. A vendor token belongs to the device that bound it last, and a device has one live token per vendor. An admin token needs the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'token', kind: 'text', required: true, description: "The device's token at that vendor." },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device that the access token was issued with. An admin token must name one.',
      },
    ],
  },
  '/device/unbind': {
    ...wire['/device/unbind'],
    path: '/device/unbind',
    summary: "End a device's token at a vendor",
    description:
      'The device is not reached by this vendor any more. A device that has no token there stays as it is, and the answer is the same. An admin token needs the scope `manage`.',
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
          'Push token of the device; blank means the device that the access token was issued with. An admin token must name one.',
      },
    ],
  },
  '/device/list': {
    ...wire['/device/list'],
    path: '/device/list',
    summary: "A user's devices",
    description:
      'The devices on which this user is logged in, the latest first, at most 20. An admin token names the user by the header `user_id`. An admin token needs the scope `manage`.',
    fields: [],
  },
  '/device/tag': {
    ...wire['/device/tag'],
    path: '/device/tag',
    summary: 'Label a device',
    description:
      'Changes the tags of a device: first `clear`, then `remove`, then `add`. A device has at most 100 tags of 64 bytes; more are refused and nothing is changed. Without any of the three it only tells the tags. An admin token needs the scope `manage`.',
    fields: [
      { name: 'add', kind: 'text', list: true, description: 'Tags to add.' },
      { name: 'remove', kind: 'text', list: true, description: 'Tags to take away.' },
      { name: 'clear', kind: 'boolean', description: 'Whether all tags are taken away first.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device that the access token was issued with. An admin token must name one.',
      },
    ],
  },
  '/device/alias': {
    ...wire['/device/alias'],
    path: '/device/alias',
    summary: 'Name a device',
    description:
      'Sets the alias of a device; blank takes it away. Devices of one user may share an alias; an alias that a device of another user has is refused. An admin token needs the scope `manage`.',
    fields: [
      { name: 'alias', kind: 'text', description: 'Alias, at most 64 bytes; blank: none.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device that the access token was issued with. An admin token must name one.',
      },
    ],
  },
  '/device/badge': {
    ...wire['/device/badge'],
    path: '/device/badge',
    summary: "Set the number on the app's icon",
    description:
      'Tells what the device shows now, so that the next notification counts on from there. Usually 0, when the app was opened. An admin token needs the scope `manage`.',
    fields: [
      { name: 'badge', kind: 'integer', description: 'The number; 0 by default.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device that the access token was issued with. An admin token must name one.',
      },
    ],
  },
  '/device/receipt': {
    ...wire['/device/receipt'],
    path: '/device/receipt',
    summary: 'Tell that notifications arrived',
    description:
      'For vendors that tell nobody: the app says which notifications it was shown, by the `reference` that came with each. Said twice it counts once. References that are not for this device, and those that it never was sent, are left out. An admin token needs the scope `manage`.',
    fields: [
      { name: 'list', kind: 'text', list: true, required: true, description: 'References, at most 100.' },
      {
        name: 'push_token',
        kind: 'text',
        description:
          'Push token of the device; blank means the device that the access token was issued with. An admin token must name one.',
      },
    ],
  },
  '/token/logout': {
    ...wire['/token/logout'],
    path: '/token/logout',
    summary: 'Log out',
    description:
      'Ends this access token. If it was issued with a device, the device is logged out: its session ends, its push token, vendor tokens, tags, alias and waiting messages are gone, and nothing is delivered to it until somebody logs in on it again.',
    fields: [],
  },
  '/admin/app/get': {
    ...wire['/admin/app/get'],
    path: '/admin/app/get',
    summary: 'This app',
    description: 'The app of the token, with its settings. Takes an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/app/update': {
    ...wire['/admin/app/update'],
    path: '/admin/app/update',
    summary: "Change this app's settings",
    description:
      'Sets what is given and leaves the rest as it is. Within three seconds every process knows. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'name', kind: 'text', description: 'Name of the app.' },
      { name: 'token_days', kind: 'integer', description: 'Days that the token of a login lasts.' },
      {
        name: 'http_errors',
        kind: 'text',
        description:
          '`status`: failures have their HTTP status. `always200`: every answer has 200, for clients that expect it.',
        choices: ['status', 'always200'],
      },
      {
        name: 'user_push',
        kind: 'text',
        description: 'Whom user tokens may notify: nobody, their own user, anybody.',
        choices: ['none', 'self', 'any'],
      },
      { name: 'registration', kind: 'boolean', description: 'Whether people may register themselves.' },
      {
        name: 'country',
        kind: 'text',
        description: 'The country of mobile numbers without a country code, two letters of ISO 3166.',
      },
      {
        name: 'notify_per_second',
        kind: 'integer',
        description: 'How many requests to notify or validate a second; 0: no limit.',
      },
    ],
  },
  '/admin/app/create': {
    ...wire['/admin/app/create'],
    path: '/admin/app/create',
    summary: 'Make an app',
    description:
      'Makes an app with a key pair of its own, and an admin token for it that is shown this once. For operators of the whole installation: the scope `platform`, which `*` does not include. Takes an admin token with the scope `platform`.',
    fields: [
      {
        name: 'new_app_id',
        kind: 'text',
        required: true,
        description: 'App ID: letters, digits, `.`, `_` and `-`, at most 64.',
      },
      { name: 'name', kind: 'text', required: true, description: 'Name of the app.' },
      { name: 'token_days', kind: 'integer', description: 'Days that the token of a login lasts.' },
      {
        name: 'http_errors',
        kind: 'text',
        description:
          '`status`: failures have their HTTP status. `always200`: every answer has 200, for clients that expect it.',
        choices: ['status', 'always200'],
      },
      {
        name: 'user_push',
        kind: 'text',
        description: 'Whom user tokens may notify: nobody, their own user, anybody.',
        choices: ['none', 'self', 'any'],
      },
      { name: 'registration', kind: 'boolean', description: 'Whether people may register themselves.' },
      {
        name: 'country',
        kind: 'text',
        description: 'The country of mobile numbers without a country code, two letters of ISO 3166.',
      },
      {
        name: 'notify_per_second',
        kind: 'integer',
        description: 'How many requests to notify or validate a second; 0: no limit.',
      },
    ],
  },
  '/admin/app/list': {
    ...wire['/admin/app/list'],
    path: '/admin/app/list',
    summary: 'Every app of the installation',
    description:
      'For operators of the whole installation (scope `platform`), in the order of their IDs, at most 1,000. Takes an admin token with the scope `platform`.',
    fields: [],
  },
  '/admin/app/disable': {
    ...wire['/admin/app/disable'],
    path: '/admin/app/disable',
    summary: 'Shut an app',
    description:
      'Every call for this app is refused and every session of its devices closed within five seconds. Its open tasks are cancelled, those that are held for later too, as `/push/task/cancel` would; with thousands of them it takes some seconds. Its data stay. Takes an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description: 'App ID: letters, digits, `.`, `_` and `-`, at most 64.',
      },
    ],
  },
  '/admin/app/enable': {
    ...wire['/admin/app/enable'],
    path: '/admin/app/enable',
    summary: 'Open an app again',
    description:
      'Calls are answered and devices may connect again. What was cancelled when it was shut stays cancelled. Takes an admin token with the scope `platform`.',
    fields: [
      {
        name: 'target_app_id',
        kind: 'text',
        required: true,
        description: 'App ID: letters, digits, `.`, `_` and `-`, at most 64.',
      },
    ],
  },
  '/admin/token/create': {
    ...wire['/admin/token/create'],
    path: '/admin/token/create',
    summary: 'Make an admin token',
    description:
      'Makes an admin token of this app, with no more scopes than the token that makes it and no longer life. The token is shown this once; only its hash is kept. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'name', kind: 'text', required: true, description: 'What it is for.' },
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
        description: 'Days until it expires; blank: it does not, unless the token that makes it does.',
      },
    ],
  },
  '/admin/token/list': {
    ...wire['/admin/token/list'],
    path: '/admin/token/list',
    summary: "This app's admin tokens",
    description:
      'Those that are not revoked, in the order in which they were made, at most 1,000. The tokens themselves are not known any more. Takes an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/token/revoke': {
    ...wire['/admin/token/revoke'],
    path: '/admin/token/revoke',
    summary: 'Revoke an admin token',
    description:
      'The token is refused within five seconds. A token may revoke itself. Takes an admin token with the scope `manage`.',
    fields: [{ name: 'token_id', kind: 'int64', required: true, description: 'ID of the token.' }],
  },
  '/admin/user/create': {
    ...wire['/admin/user/create'],
    path: '/admin/user/create',
    summary: 'Make a person',
    description:
      'Makes a person, under an ID of your own or one of ours. An app with accounts of its own gives neither login name nor password and gets tokens by `/admin/user/token`. The ID of a person who was deleted is not given again. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID; blank: we choose one.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or as it is dialled in the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      { name: 'password', kind: 'text', description: 'Password, 8 to 256 characters. Spaces count.' },
    ],
  },
  '/admin/user/find': {
    ...wire['/admin/user/find'],
    path: '/admin/user/find',
    summary: 'Find a person',
    description:
      'A person, by exactly one of the fields. Numbers and addresses are found however they are written. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or as it is dialled in the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
    ],
  },
  '/admin/user/list': {
    ...wire['/admin/user/list'],
    path: '/admin/user/list',
    summary: 'The people of the app',
    description: 'People in the order of their IDs, page by page. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the answer before; blank begins at the start.' },
      { name: 'limit', kind: 'integer', description: 'How many at most; 100 by default.' },
    ],
  },
  '/admin/user/update': {
    ...wire['/admin/user/update'],
    path: '/admin/user/update',
    summary: "Change a person's login names",
    description:
      'Sets the login names that are given and leaves the others as they are. Whoever is logged in stays so. A name is taken away by `remove`. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'name',
        kind: 'text',
        description:
          'User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a number or email.',
      },
      {
        name: 'mobile',
        kind: 'text',
        description: "Mobile number, with `+` and country code or as it is dialled in the app's `country`.",
      },
      { name: 'email', kind: 'text', description: 'Email address.' },
      {
        name: 'remove',
        kind: 'text',
        list: true,
        description: 'Login names to take away: `name`, `mobile`, `email`.',
        choices: ['name', 'mobile', 'email'],
      },
    ],
  },
  '/admin/user/password': {
    ...wire['/admin/user/password'],
    path: '/admin/user/password',
    summary: "Set a person's password",
    description:
      'Sets the password and logs the person out everywhere, as `/admin/user/kick` does. A blank password takes it away: this person then logs in by tokens of `/admin/user/token` only. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      { name: 'password', kind: 'text', description: 'Password, 8 to 256 characters. Spaces count.' },
    ],
  },
  '/admin/user/kick': {
    ...wire['/admin/user/kick'],
    path: '/admin/user/kick',
    summary: 'Log a person out everywhere',
    description:
      'Ends every login of this person: tokens are refused and sessions closed within five seconds, and nothing is delivered to the devices until they log in there again. Takes an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/disable': {
    ...wire['/admin/user/disable'],
    path: '/admin/user/disable',
    summary: 'Shut a person out',
    description:
      'This person cannot log in any more, and every login ends: tokens are refused and sessions closed within five seconds, and nothing is delivered to the devices they were logged in on. Takes an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/enable': {
    ...wire['/admin/user/enable'],
    path: '/admin/user/enable',
    summary: 'Let a person in again',
    description:
      'This person may log in again. What ended when they were shut out stays ended. Takes an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/user/token': {
    ...wire['/admin/user/token'],
    path: '/admin/user/token',
    summary: 'Log a person in without a password',
    description:
      "For an app that has accounts of its own: its backend knows who somebody is and gets a token for them, the same as a login's. Whoever is shut out gets none. Takes an admin token with the scope `manage`.",
    fields: [
      { name: 'user_id', kind: 'int64', required: true, description: 'User ID.' },
      {
        name: 'device_guid',
        kind: 'text',
        description: 'Device ID, 1–128 bytes; when set, the answer contains a push token.',
      },
    ],
  },
  '/admin/group/create': {
    ...wire['/admin/group/create'],
    path: '/admin/group/create',
    summary: 'Make a group',
    description:
      'Makes a group without members. An admin token with the header `group_id` then reaches its members only. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', description: 'Group ID; blank: we choose one.' },
      { name: 'name', kind: 'text', required: true, description: 'Name of the group.' },
    ],
  },
  '/admin/group/list': {
    ...wire['/admin/group/list'],
    path: '/admin/group/list',
    summary: 'The groups of the app',
    description: 'Groups in the order of their IDs, page by page. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the answer before; blank begins at the start.' },
      { name: 'limit', kind: 'integer', description: 'How many at most; 100 by default.' },
    ],
  },
  '/admin/group/add': {
    ...wire['/admin/group/add'],
    path: '/admin/group/add',
    summary: 'Add members to a group',
    description:
      'People who are members already stay so. If one of them does not exist, nobody is added. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' },
      { name: 'list', kind: 'int64', list: true, required: true, description: 'User IDs, at most 500.' },
    ],
  },
  '/admin/group/members': {
    ...wire['/admin/group/members'],
    path: '/admin/group/members',
    summary: 'The members of a group',
    description: 'User IDs in their order, page by page. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' },
      { name: 'after', kind: 'int64', description: '`next` of the answer before; blank begins at the start.' },
      { name: 'limit', kind: 'integer', description: 'How many at most; 100 by default.' },
    ],
  },
  '/admin/group/remove': {
    ...wire['/admin/group/remove'],
    path: '/admin/group/remove',
    summary: 'Take members out of a group',
    description: 'People who are no members are left out. Takes an admin token with the scope `manage`.',
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
      'Deletes a group; the people in it stay. Tasks of the group that are still held reach nobody, and the ID is not given again. Takes an admin token with the scope `manage`.',
    fields: [{ name: 'group_id', kind: 'int64', required: true, description: 'Group ID.' }],
  },
  '/admin/certificate/save': {
    ...wire['/admin/certificate/save'],
    path: '/admin/certificate/save',
    summary: 'Save the credentials at a provider',
    description:
      'Checks credentials as their provider wants them, and puts them in the place of those for the same provider and environment. What each field holds is told in `docs/certificates.md`; APNs takes a p8 key or a p12 as the Keychain exports it. Takes an admin token with the scope `manage`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'environment', kind: 'integer', description: '0 = development, 1 = production; default 1.' },
      { name: 'name', kind: 'text', required: true, description: 'Certificate name.' },
      { name: 'app_id', kind: 'text', description: 'App ID at the provider.' },
      { name: 'app_key', kind: 'text', description: 'App key at the provider.' },
      { name: 'app_secret', kind: 'text', description: 'App secret at the provider; with a p12, its passphrase.' },
      {
        name: 'check',
        kind: 'boolean',
        description:
          'False: they are saved without asking the provider. Else those that it clearly refuses are not saved; a provider that does not answer is no obstacle.',
      },
      {
        name: 'per_second',
        kind: 'integer',
        description:
          'How many devices, or requests where the provider counts those, may be sent there in a second, if that was agreed with the provider; blank: as many as it lets everyone send.',
      },
      {
        name: 'certificate',
        kind: 'text',
        description: 'Certificate: a key, a service account or base64 of a p12, as the provider has it.',
      },
    ],
  },
  '/admin/certificate/list': {
    ...wire['/admin/certificate/list'],
    path: '/admin/certificate/list',
    summary: "The app's credentials at providers",
    description:
      'All of them, without what is secret, those that expire soonest first. Takes an admin token with the scope `manage`.',
    fields: [],
  },
  '/admin/certificate/check': {
    ...wire['/admin/certificate/check'],
    path: '/admin/certificate/check',
    summary: 'Ask the provider whether it takes the credentials',
    description:
      'Signs in at the provider with the saved credentials, as a notification would, and reaches nobody. Takes as long as the provider needs to answer, ten seconds at most. Takes an admin token with the scope `manage`.',
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
    summary: 'Where a provider tells what has arrived',
    description:
      'Answers the path to enter as callback address at the provider, after the public address of this API. It is made at the first call and stays the same until `renew`. Providers without callbacks (APNs, FCM) are refused: their apps tell by `/device/receipt`. Takes an admin token with the scope `secrets`.',
    fields: [
      {
        name: 'provider',
        kind: 'integer',
        required: true,
        description: '1 = APNs, 2 = Huawei, 3 = Xiaomi, 4 = Meizu, 5 = vivo, 6 = OPPO, 7 = FCM, 8 = Honor.',
      },
      { name: 'renew', kind: 'boolean', description: 'True: the old path ends, because somebody else knows it.' },
      {
        name: 'user_name',
        kind: 'text',
        description: 'The callback user name, if one is entered at Huawei; then only signed callbacks are taken.',
      },
      { name: 'key', kind: 'text', description: 'The callback key that belongs to it.' },
      {
        name: 'signed',
        kind: 'boolean',
        description: 'False: user name and key were taken away at the provider, and callbacks are not signed any more.',
      },
    ],
  },
  '/admin/certificate/delete': {
    ...wire['/admin/certificate/delete'],
    path: '/admin/certificate/delete',
    summary: 'Delete the credentials at a provider',
    description:
      'Nothing is sent by this provider and environment any more; within three seconds every worker knows. Takes an admin token with the scope `manage`.',
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
    summary: 'How it stands with the providers',
    description:
      "For each of the app's certificates: whether the provider takes notifications, which allowance is used up and until when, and how quick it may be. Takes an admin token with the scope `manage`.",
    fields: [],
  },
  '/admin/device/find': {
    ...wire['/admin/device/find'],
    path: '/admin/device/find',
    summary: 'Find devices',
    description:
      'Devices by exactly one of `push_token`, `device_guid`, `user_id`, `alias` and `tag`, page by page. Only by `device_guid` is a device found on which nobody is logged in. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token.' },
      { name: 'device_guid', kind: 'text', description: 'Device ID.' },
      { name: 'user_id', kind: 'int64', description: 'User ID.' },
      { name: 'alias', kind: 'text', description: 'Alias.' },
      { name: 'tag', kind: 'text', description: 'Tag.' },
      { name: 'after', kind: 'int64', description: '`next` of the answer before; blank begins at the start.' },
      { name: 'limit', kind: 'integer', description: 'How many at most; 100 by default.' },
    ],
  },
  '/admin/device/delete': {
    ...wire['/admin/device/delete'],
    path: '/admin/device/delete',
    summary: 'Delete a device',
    description:
      'Erases a device, named by exactly one of `push_token` and `device_guid`: its tokens are refused and its session closed within five seconds, and nothing is delivered to it. Whoever logs in on it again gets a new one. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'push_token', kind: 'text', description: 'Push token.' },
      { name: 'device_guid', kind: 'text', description: 'Device ID.' },
    ],
  },
  '/admin/user/delete': {
    ...wire['/admin/user/delete'],
    path: '/admin/user/delete',
    summary: 'Delete a person',
    description:
      'Erases this person: login names, password, tokens, devices with their vendor tokens, tags, alias and waiting messages, and memberships. Tasks that were accepted keep the bare ID until their days are dropped. The ID is not given again. Repeat the call if it fails half-way. Takes an admin token with the scope `manage`.',
    fields: [{ name: 'user_id', kind: 'int64', required: true, description: 'User ID.' }],
  },
  '/admin/audit/list': {
    ...wire['/admin/audit/list'],
    path: '/admin/audit/list',
    summary: 'Who did what',
    description:
      'Every read of a secret and every change by an admin token of this app, the latest first, page by page. Kept for 400 days. Takes an admin token with the scope `manage`.',
    fields: [
      { name: 'after', kind: 'int64', description: '`next` of the answer before; blank begins at the start.' },
      { name: 'limit', kind: 'integer', description: 'How many at most; 100 by default.' },
    ],
  },
  '/admin/ledger/verify': {
    ...wire['/admin/ledger/verify'],
    path: '/admin/ledger/verify',
    summary: 'Hold the ledger to its laws',
    description:
      "Recomputes what must hold of this app's tasks and counters, a part of them with each call: what was received was sent, a device has one place per task and channel, a finished task has nothing open, the counters are the sums of the single bits, and more. Changes nothing. Go on from `next` until it is null. Takes an admin token with the scope `manage`.",
    fields: [{ name: 'after', kind: 'text', description: '`next` of the answer before; blank begins at the start.' }],
  },
};
