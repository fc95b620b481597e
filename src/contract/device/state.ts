import { Type } from 'typebox';
import { notificationPermissions } from '#src/domain/trace/reported-state.ts';
import { type Operation, STORABLE } from '../operation.ts';
import { providerField } from '../push/certificate.ts';
import { choiceField, deviceField, emptyData } from '../schemas/fields.ts';

const CLIENT_BYTES_MAX = 64;
const VENDOR_ERRORS_MAX = 10;
const ERROR_CHARACTERS_MAX = 200;

export const deviceState = {
  method: 'POST',
  path: '/device/state',
  summary: 'Report the state of a device',
  description:
    'Stores the state that the app on a device reports, with the time. `/push/task/trace` uses it to explain why a notification was not displayed. Call the operation after each login, at each start of the app, and when the state changes. A call replaces the earlier report, and an omitted field removes its earlier value. A logout deletes the report. An equal report is stored at most once a day.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token'],
  body: Type.Object({
    client: Type.Optional(
      Type.String({
        maxLength: CLIENT_BYTES_MAX,
        maxBytes: CLIENT_BYTES_MAX,
        pattern: STORABLE,
        description: 'Name and version of the SDK, such as `android 0.1.0`.',
      }),
    ),
    notifications: choiceField(notificationPermissions, {
      description: 'Whether the phone allows the app to display notifications: `allowed` or `denied`.',
    }),
    vendor_errors: Type.Optional(
      Type.Array(
        Type.Object({
          provider: providerField,
          error: Type.String({
            minLength: 1,
            maxLength: ERROR_CHARACTERS_MAX,
            pattern: STORABLE,
            description: 'Reason why the vendor issued no vendor token, such as an error code of its SDK.',
          }),
        }),
        { maxItems: VENDOR_ERRORS_MAX, description: 'Vendors that issued no vendor token to the app.' },
      ),
    ),
    push_token: deviceField,
  }),
  data: emptyData,
  problems: ['no-such-device', 'list-too-long'],
  examples: [
    {
      name: 'a phone without permission and without a vendor token',
      body: {
        client: 'android 0.1.0',
        notifications: 'denied',
        vendor_errors: [{ provider: 2, error: '907135000' }],
      },
      data: {},
    },
  ],
} as const satisfies Operation;
