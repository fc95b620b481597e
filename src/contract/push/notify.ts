import { Type } from 'typebox';
import { domesticVendors, sequenceWords, vendorFacts } from '#src/domain/channel.ts';
import { HOLD_SECONDS_MAX } from '#src/domain/task.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { LARGE_BODY_BYTES_MAX, type Operation, STORABLE } from '../operation.ts';
import { messageSchema } from '../schemas/message.ts';

const AUDIENCE_ITEMS_MAX = 500;
const NAME_BYTES_MAX = 64;
const PUSH_TOKEN_CHARACTERS_MAX = 128;
const REQUEST_ID_BYTES_MAX = 128;

const AUDIENCE_LIST = { minItems: 1, maxItems: AUDIENCE_ITEMS_MAX };
/** Not blank: contains a character other than whitespace, and no NUL, which PostgreSQL rejects. */
const NOT_BLANK = '^(?=[\\s\\S]*[^\\s\\u0000])[^\\u0000]*$';
const audienceName = Type.String({ pattern: NOT_BLANK, maxBytes: NAME_BYTES_MAX });

const audienceSchema = Type.Union(
  [
    Type.Literal('all', { description: 'All devices.' }),
    Type.Object(
      {
        tag: Type.Optional(
          Type.Array(audienceName, {
            ...AUDIENCE_LIST,
            description: 'Devices that have at least one of these tags, of at most 64 bytes each.',
          }),
        ),
        alias: Type.Optional(
          Type.Array(audienceName, {
            ...AUDIENCE_LIST,
            description: 'Devices that have one of these aliases, of at most 64 bytes each.',
          }),
        ),
        user_id: Type.Optional(
          Type.Array(Int64(), { ...AUDIENCE_LIST, description: 'Devices of the users with these IDs.' }),
        ),
        push_token: Type.Optional(
          Type.Array(Type.String({ pattern: NOT_BLANK, maxLength: PUSH_TOKEN_CHARACTERS_MAX }), {
            ...AUDIENCE_LIST,
            description: 'Devices with these push tokens.',
          }),
        ),
      },
      {
        minProperties: 1,
        description: 'Object with exactly one of the keys `tag`, `alias`, `user_id` and `push_token`.',
      },
    ),
  ],
  {
    description:
      'Target devices: the string `all`, or an object with exactly one of the keys `tag`, `alias`, `user_id` and `push_token`.',
  },
);

const domesticNames = new Intl.ListFormat('en-GB').format(
  domesticVendors.map((vendor) => vendorFacts[vendor].displayName),
);

const settingSchema = Type.Object(
  {
    request_id: Type.Optional(
      Type.String({
        maxLength: REQUEST_ID_BYTES_MAX,
        maxBytes: REQUEST_ID_BYTES_MAX,
        pattern: STORABLE,
        description:
          'Idempotency key, kept for 90 days. If an earlier request had the same key, nothing is sent, and the response contains the task ID of that request. Blank means no deduplication.',
      }),
    ),
    distribution_strategy: Type.Optional(
      Type.Union([Type.Literal('combined'), Type.Literal('nativepush_only'), Type.Literal('ospush_only')], {
        default: 'combined',
        description:
          '`combined`: the Carillon channel first, then a vendor if the device is offline or does not acknowledge. `nativepush_only`: only the Carillon channel. `ospush_only`: only vendors. Blank means `combined`.',
      }),
    ),
    ospush_sequence: Type.Optional(
      Type.Array(Type.Union(sequenceWords.map((word) => Type.Literal(word))), {
        minItems: 1,
        maxItems: 20,
        default: ['ups', 'fcm'],
        description: `Order in which vendors are tried. \`ups\` stands for ${domesticNames}; the vendor that the device registered last comes first. \`fcm\` stands for FCM, then Web Push. Blank means [ups, fcm]. APNs is not affected.`,
      }),
    ),
    hold_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: HOLD_SECONDS_MAX,
        default: 0,
        description:
          'Number of seconds for which the task is held before sending starts, from 0 to 300. Until then, `/push/task/cancel` cancels the task before any device receives it. Blank means 0. If `show_begin_time` is later, sending starts at that time.',
      }),
    ),
  },
  { default: {}, description: 'Push settings. Blank means the default of each setting.' },
);

export const pushNotify = {
  method: 'POST',
  path: '/push/notify',
  summary: 'Send a push notification',
  description:
    'Accepts a notification for an audience and returns a task ID. The task is stored durably before the response is sent. Carillon retries the task until it is delivered, rejected by every channel, or expires. `audience` and `message` must not be blank. An audience without devices is not an error. An admin token can notify all devices of the app. With the header `group_id`, it can notify only the devices of group members. The app setting `user_push` determines which devices an access token can notify. Unknown fields are ignored, and the response header `carillon-ignored-fields` lists them. An unknown field whose name is close to a known field of the same object is rejected, unless the app setting `reject_typos` is off.',
  access: 'token',
  scope: 'push',
  bodyBytesMax: LARGE_BODY_BYTES_MAX,
  checksFieldNames: true,
  body: Type.Object({ audience: audienceSchema, setting: Type.Optional(settingSchema), message: messageSchema }),
  data: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  problems: ['list-too-long', 'image-too-large', 'bad-time-window', 'too-many-requests', 'ceiling-reached'],
  examples: [
    {
      name: 'to one user',
      body: {
        audience: { user_id: [100001] },
        setting: { request_id: 'order-4711-shipped' },
        message: { title: 'Your order is on its way', body: 'It arrives tomorrow between 9 and 12.' },
      },
      data: { task_id: 115258093993985 },
    },
    {
      name: 'with many fields',
      body: {
        audience: { push_token: ['p05RJ4IcHz2u0icZJ8KD695LgAlXMC'] },
        setting: { distribution_strategy: 'combined', ospush_sequence: ['ups', 'fcm'] },
        message: {
          type: 'text',
          title: 'Concert tonight',
          body: 'Doors open at seven.',
          big_text: 'Doors open at seven. Bring this message and a friend.',
          badge: '+1',
          ext: { concert_id: 9007199254740993n, seats: ['A1', 'A2'] },
          ios: { sound: 'default', thread_id: 'concerts', subtitle: 'St. Rumbold', mutable_content: true },
          android: {
            channel_id: 'events',
            click_action: 'intent',
            intent: 'intent:#Intent;component=com.example.app/com.example.app.ConcertActivity;S.id=7;end',
          },
          huawei: { badge_class: 'com.example.app.MainActivity' },
          vivo: { push_mode: 0, classification: 1 },
        },
      },
      data: { task_id: 115258093993986 },
    },
  ],
} as const satisfies Operation;
