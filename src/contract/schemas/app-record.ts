import { Type } from 'typebox';
import { nameField, StringEnum, timeField } from './fields.ts';

/** Settings that the admins of an app can change. */
export const appSettings = {
  name: Type.Optional(nameField('Name of the app.')),
  token_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3_650, description: 'Days that the token of a login lasts.' }),
  ),
  http_errors: Type.Optional(
    Type.Union([Type.Literal('status'), Type.Literal('always200')], {
      description:
        '`status`: failures have their HTTP status. `always200`: every answer has 200, for clients that expect it.',
    }),
  ),
  user_push: Type.Optional(
    Type.Union([Type.Literal('none'), Type.Literal('self'), Type.Literal('any')], {
      description: 'Whom user tokens may notify: nobody, their own user, anybody.',
    }),
  ),
  registration: Type.Optional(Type.Boolean({ description: 'Whether people may register themselves.' })),
  country: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 2,
      pattern: '^[A-Z]{2}$',
      description: 'The country of mobile numbers without a country code, two letters of ISO 3166.',
    }),
  ),
  notify_per_second: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'How many requests to notify or validate a second; 0: no limit.',
    }),
  ),
};

export const appRecord = Type.Object(
  {
    app_id: Type.String({ description: 'App ID.' }),
    name: Type.String({ description: 'Name of the app.' }),
    token_days: Type.Integer({ description: 'Days that the token of a login lasts.' }),
    http_errors: StringEnum(['status', 'always200'], 'How failures are answered.'),
    user_push: StringEnum(['none', 'self', 'any'], 'Whom user tokens may notify.'),
    registration: Type.Boolean({ description: 'Whether people may register themselves.' }),
    country: Type.String({ description: 'The country of mobile numbers without a country code.' }),
    notify_per_second: Type.Integer({ description: 'How many requests to notify or validate a second; 0: no limit.' }),
    public_key: Type.String({ description: 'Public key (Ed25519, PEM) that verifies store tokens.' }),
    disabled: Type.Boolean({ description: 'Whether the app is shut.' }),
    created_at: timeField('When the app was made'),
  },
  { description: 'An app.' },
);

export const exampleApp = {
  app_id: 'second',
  name: 'Second',
  token_days: 90,
  http_errors: 'status',
  user_push: 'self',
  registration: false,
  country: 'CN',
  notify_per_second: 0,
  public_key: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  disabled: false,
  created_at: 1794700800000,
} as const;

const APP_ID_CHARACTERS_MAX = 64;
const APP_ID = '^[A-Za-z0-9][A-Za-z0-9._-]*$';

export const appIdText = Type.String({
  minLength: 1,
  maxLength: APP_ID_CHARACTERS_MAX,
  pattern: APP_ID,
  description: `App ID: letters, digits, \`.\`, \`_\` and \`-\`, at most ${APP_ID_CHARACTERS_MAX}.`,
});

/** Returns whether a string is a valid app ID, for input that does not come from a request. */
export const isAppId = (text: string): boolean => text.length <= APP_ID_CHARACTERS_MAX && new RegExp(APP_ID).test(text);
