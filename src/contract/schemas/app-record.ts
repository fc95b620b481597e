import { Type } from 'typebox';
import { nameField, StringEnum, timeField } from './fields.ts';

const HTTP_ERRORS = '`status`: failed calls have an HTTP error status. `always200`: every response has the status 200.';
const USER_PUSH =
  'Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this user. `any`: all devices of the app.';
const COUNTRY = 'Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166).';
const NOTIFY_PER_SECOND =
  'Maximum number of calls of `/push/notify` and `/push/validate` together per second. 0 means no limit.';

/** Settings that the admins of an app can change. */
export const appSettings = {
  name: Type.Optional(nameField('Name of the app.')),
  token_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3_650, description: 'Lifetime of an access token, in days.' }),
  ),
  http_errors: Type.Optional(
    Type.Union([Type.Literal('status'), Type.Literal('always200')], {
      description: HTTP_ERRORS,
    }),
  ),
  user_push: Type.Optional(
    Type.Union([Type.Literal('none'), Type.Literal('self'), Type.Literal('any')], {
      description: USER_PUSH,
    }),
  ),
  registration: Type.Optional(
    Type.Boolean({ description: 'Whether users can register themselves with `/user/register`.' }),
  ),
  country: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 2,
      pattern: '^[A-Z]{2}$',
      description: COUNTRY,
    }),
  ),
  notify_per_second: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: NOTIFY_PER_SECOND,
    }),
  ),
};

export const appRecord = Type.Object(
  {
    app_id: Type.String({ description: 'App ID.' }),
    name: Type.String({ description: 'Name of the app.' }),
    token_days: Type.Integer({ description: 'Lifetime of an access token, in days.' }),
    http_errors: StringEnum(['status', 'always200'], HTTP_ERRORS),
    user_push: StringEnum(['none', 'self', 'any'], USER_PUSH),
    registration: Type.Boolean({ description: 'Whether users can register themselves with `/user/register`.' }),
    country: Type.String({ description: COUNTRY }),
    notify_per_second: Type.Integer({
      description: NOTIFY_PER_SECOND,
    }),
    public_key: Type.String({
      description: 'Public key of the app (Ed25519, PEM). A file service uses it to verify `store_token`.',
    }),
    disabled: Type.Boolean({ description: 'Whether the app is disabled.' }),
    created_at: timeField('Creation time'),
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
  description: `App ID: at most ${APP_ID_CHARACTERS_MAX} letters, digits, \`.\`, \`_\` and \`-\`. The first character is a letter or a digit.`,
});

/** Returns whether a string is a valid app ID, for input that does not come from a request. */
export const isAppId = (text: string): boolean => text.length <= APP_ID_CHARACTERS_MAX && new RegExp(APP_ID).test(text);
