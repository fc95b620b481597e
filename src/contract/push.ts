import { Type } from 'typebox';
import { channels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { messageSchema } from './message.ts';
import type { Operation } from './operation.ts';

const AUDIENCE_ITEMS_MAX = 500;
const TASKS_MAX = 500;

const list = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Int64>>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: AUDIENCE_ITEMS_MAX, description }));
const name = Type.String({ pattern: '\\S', maxLength: 256 });

export const pushNotify = {
  method: 'POST',
  path: '/push/notify',
  summary: 'Send a push notification',
  body: Type.Object({
    audience: Type.Union([
      Type.Literal('all'),
      Type.Object({
        tag: list(name, 'Devices labelled with any of these tags.'),
        alias: list(name, 'Devices with any of these aliases.'),
        user_id: list(Int64(), 'Devices of any of these users.'),
        push_token: list(name, 'Devices with any of these push tokens.'),
      }),
    ]),
    setting: Type.Optional(
      Type.Object({
        request_id: Type.Optional(
          Type.String({ maxLength: 128, description: 'Deduplication ID: if it was used before, nothing is pushed.' }),
        ),
        distribution_strategy: Type.Optional(
          Type.Union([Type.Literal('combined'), Type.Literal('nativepush_only'), Type.Literal('ospush_only')], {
            description: 'Blank means `combined`.',
          }),
        ),
        ospush_sequence: Type.Optional(
          Type.Array(
            Type.Union(
              (['ups', 'fcm', 'huawei', 'xiaomi', 'oppo', 'vivo', 'meizu'] as const).map((word) => Type.Literal(word)),
            ),
            { maxItems: 20, description: 'Vendor push priority. Blank means `["ups", "fcm"]`.' },
          ),
        ),
      }),
    ),
    message: messageSchema,
  }),
  data: Type.Object({ task_id: Int64({ description: 'Task ID.' }) }),
} as const satisfies Operation;

const counters = Object.fromEntries(
  channels.flatMap((channel) => [
    [`${channel}_sent`, Int64({ description: `Sent number, ${channel}.` })],
    [`${channel}_received`, Int64({ description: `Delivery number, ${channel}.` })],
    [`${channel}_target`, Int64({ description: `Valid target number, ${channel}.` })],
  ]),
);

export const pushTaskDetail = {
  method: 'POST',
  path: '/push/task/detail',
  summary: 'Query push statistics',
  body: Type.Object({ list: Type.Array(Int64(), { maxItems: TASKS_MAX, description: 'Task IDs.' }) }),
  data: Type.Array(Type.Object({ task_id: Int64({ description: 'Task ID.' }), ...counters })),
} as const satisfies Operation;

export const pushCertificate = {
  method: 'GET',
  path: '/push/certificate',
  summary: 'Get a push certificate',
  query: Type.Object({
    provider: Type.Integer({
      minimum: 1,
      maximum: 8,
      description: '1 APNS, 2 Huawei, 3 Xiaomi, 4 Meizu, 5 VIVO, 6 OPPO, 7 FCM, 8 Honor.',
    }),
    environment: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, default: 1, description: '0 development, 1 production.' }),
    ),
  }),
  data: Type.Object({
    app_id: Type.String({ description: 'App ID at the provider.' }),
    app_key: Type.String({ description: 'App key at the provider.' }),
    app_secret: Type.String({ description: 'App secret at the provider.' }),
    certificate: Type.String({ description: 'Certificate.' }),
    name: Type.String({ description: 'Certificate name.' }),
  }),
} as const satisfies Operation;
