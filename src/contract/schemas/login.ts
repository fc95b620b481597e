import { Type } from 'typebox';
import type { ProblemName } from '#src/domain/problem.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { STORABLE } from '../operation.ts';
import { deviceGuidText } from './fields.ts';

/** Schemas that the three login operations share. */

/** Maximum number of characters. A longer password would only take more time to hash. */
const PASSWORD_CHARACTERS_MAX = 256;

export const loginNameText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 256, pattern: STORABLE, description });

export const passwordField = Type.String({
  minLength: 1,
  maxLength: PASSWORD_CHARACTERS_MAX,
  description: 'Password. Spaces are significant, so a password that consists of spaces is not blank.',
  keepWhitespace: true,
});

export const deviceGuidField = Type.Optional(
  deviceGuidText('Device ID that the app has generated. If set, the response contains a push token.'),
);

export const tokenRecord = Type.Object(
  {
    access_key_secret: Type.String({
      description: 'File key: a random secret for a file service. `store_token` contains its SHA-256 hash.',
    }),
    encrypt_type: Type.Integer({ description: 'Always 0: only TLS encrypts the connection.' }),
    expire: Int64({ description: 'Time at which the access token expires, in Unix epoch milliseconds.' }),
    public_key: Type.String({
      description: 'Public key of the app (Ed25519, PEM). A file service uses it to verify `store_token`.',
    }),
    push_token: Type.Optional(
      Type.String({ description: 'Push token of the device. Absent if the request has no `device_guid`.' }),
    ),
    store_token: Type.String({
      description:
        'File token: a signed JWT for a file service. Its claim `aud` is `store`, and it expires after one hour.',
    }),
    token: Type.String({ description: 'Access token. Send it in the header `access-token` of later calls.' }),
    user_id: Int64({ description: 'User ID.' }),
  },
  { description: 'Token record.' },
);

export const loginDescription =
  'Returns an access token for a user. Only the header `app_id` is required; `access-token`, `user_id` and `group_id` are ignored. An unknown user and a wrong password cause the same error. A user can have at most 100 access tokens; a further login revokes the oldest.';

export const loginProblems: readonly ProblemName[] = ['login-refused', 'too-many-logins', 'ceiling-reached'];

/** The user in the examples. `test/contract/examples.test.ts` creates this user. */
export const exampleLogin = {
  userId: 100001,
  name: 'ada',
  mobile: '+8613800138000',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
} as const;

export const exampleToken = {
  access_key_secret: '9xgDvP3sk739sLzNALpt91GRJ0Bs2Uiarar7RUHKm2B',
  encrypt_type: 0,
  expire: 1802481269514,
  public_key: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  push_token: 'p05RJ4IcHz2u0icZJ8KD695LgAlXMC',
  store_token: 'eyJhbGciOiJFZERTQSJ9.…',
  token: 'cu_23bT5wswevLgChhtxwx303Hi18yisklmes74lWtEzT2NOpay1',
  user_id: exampleLogin.userId,
} as const;
