import { type TOptional, type TUnsafe, Type } from 'typebox';
import { extraChannels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { NullableInt64, nameField, StringEnum, timeField } from './fields.ts';

const HTTP_ERRORS = '`status`: failed calls have an HTTP error status. `always200`: every response has the status 200.';
const USER_PUSH =
  'Devices that a user can notify with an access token. `none`: no devices. `self`: the devices of this user. `any`: all devices of the app.';
const COUNTRY = 'Country that applies to mobile numbers without a country code, as 2 letters (ISO 3166).';
const NOTIFY_PER_SECOND =
  'Maximum number of calls of `/push/notify` per second, and of `/push/validate`, which is counted separately. 0 means no limit. If the ceiling of the app is lower, the ceiling applies.';

const EXTRA_COUNTERS = `Whether \`/push/task/detail\` also returns the counters of ${extraChannels.map((channel) => `\`${channel}\``).join(' and ')}, after the specified ones.`;

const REJECT_TYPOS =
  'Whether `/push/notify`, `/push/validate` and `/push/draft/create` reject unknown fields with names that are close to a known field of the same object.';
const CORS_ORIGINS_MAX = 20;
/** A host name has at most 253 characters. */
const ORIGIN_CHARACTERS_MAX = 267;
const CORS_ORIGINS = `Origins whose web pages can call the operations that need no admin token: at most ${CORS_ORIGINS_MAX}, without wildcards. An origin consists of the scheme, the host and, unless it is the default, the port.`;

const APPROVAL_ABOVE = 'Drafts of `/push/draft/create` for more devices than this need the approval of another token.';

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
  extra_counters: Type.Optional(Type.Boolean({ description: EXTRA_COUNTERS })),
  reject_typos: Type.Optional(Type.Boolean({ description: REJECT_TYPOS })),
  approval_above: Type.Optional(
    Type.Integer({
      minimum: -1,
      maximum: 2_147_483_647,
      description: `${APPROVAL_ABOVE} -1 means that no draft needs it.`,
    }),
  ),
  cors_origins: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: ORIGIN_CHARACTERS_MAX }), {
      maxItems: CORS_ORIGINS_MAX,
      description: `${CORS_ORIGINS} The list replaces the previous one. A list with only \`none\` removes all origins.`,
    }),
  ),
};

const CEILING_DESCRIPTIONS = {
  notify_per_second:
    'Number of calls of `/push/notify` per second on each API process. `/push/validate` is counted separately, with the same ceiling.',
  open_tasks: 'Number of tasks that are not finished, including scheduled tasks and tasks that wait in inboxes.',
  users: 'Number of users.',
  devices: 'Number of devices, including those without a user.',
  stored_bytes:
    'Number of bytes of stored messages with their audiences, and of inboxes with 200 bytes per notification.',
  sessions: 'Number of connected devices, on all gateways together.',
} as const;

const count = (description: string) => Int64({ description });

/** Ceilings that the operator of the installation sets. Blank leaves a ceiling unchanged. */
export const ceilingFields = Object.fromEntries(
  Object.entries(CEILING_DESCRIPTIONS).map(([name, description]) => [
    name,
    Type.Optional(
      Int64({
        minimum: -1,
        description: `${description} 0 means no ceiling. -1 restores the default of the installation.`,
      }),
    ),
  ]),
) as Record<keyof typeof CEILING_DESCRIPTIONS, TOptional<TUnsafe<bigint>>>;

export const ceilingsRecord = Type.Object(
  {
    notify_per_second: count(CEILING_DESCRIPTIONS.notify_per_second),
    open_tasks: count(CEILING_DESCRIPTIONS.open_tasks),
    users: count(CEILING_DESCRIPTIONS.users),
    devices: count(CEILING_DESCRIPTIONS.devices),
    stored_bytes: count(CEILING_DESCRIPTIONS.stored_bytes),
    sessions: count(CEILING_DESCRIPTIONS.sessions),
  },
  { description: 'Ceilings of the app, which only the operator of the installation can set. 0 means no ceiling.' },
);

export const usageRecord = Type.Object(
  {
    open_tasks: count(CEILING_DESCRIPTIONS.open_tasks),
    users: count(CEILING_DESCRIPTIONS.users),
    devices: count(CEILING_DESCRIPTIONS.devices),
    stored_bytes: count(CEILING_DESCRIPTIONS.stored_bytes),
    sessions: count(CEILING_DESCRIPTIONS.sessions),
  },
  { description: 'Usage of the app, according to the last count.' },
);

export const exampleLimits = {
  ceilings: {
    notify_per_second: 10_000,
    open_tasks: 10_000_000,
    users: 100_000_000,
    devices: 100_000_000,
    stored_bytes: 1_000_000_000_000,
    sessions: 10_000_000,
  },
  usage: { open_tasks: 3, users: 1_200, devices: 1_900, stored_bytes: 52_000, sessions: 310 },
} as const;

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
    extra_counters: Type.Boolean({ description: EXTRA_COUNTERS }),
    reject_typos: Type.Boolean({ description: REJECT_TYPOS }),
    approval_above: NullableInt64(`${APPROVAL_ABOVE} Null means that no draft needs it.`),
    cors_origins: Type.Array(Type.String(), { description: CORS_ORIGINS }),
    public_key: Type.String({
      description: 'Public key of the app (Ed25519, PEM). A file service uses it to verify `store_token`.',
    }),
    disabled: Type.Boolean({ description: 'Whether the app is disabled.' }),
    created_at: timeField('Creation time'),
    ceilings: ceilingsRecord,
    usage: usageRecord,
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
  extra_counters: false,
  reject_typos: true,
  approval_above: null,
  cors_origins: [],
  public_key: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  disabled: false,
  created_at: 1794700800000,
  ...exampleLimits,
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
