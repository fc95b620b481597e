import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from './operation.ts';

/** Longest password that is hashed; a longer one only costs time. */
const PASSWORD_CHARACTERS_MAX = 256;
const LOGIN_CHARACTERS_MAX = 256;

const password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_CHARACTERS_MAX,
  description: 'Password. Spaces count.',
  keepBlank: true,
});
const deviceGuid = Type.Optional(
  Type.String({ minLength: 1, maxLength: 128, description: 'Device ID; when set, the answer contains a push token.' }),
);

const tokenRecord = Type.Object({
  access_key_secret: Type.String({ description: 'File key.' }),
  encrypt_type: Type.Integer({ description: '0: the connection is protected by TLS.' }),
  expire: Int64({ description: 'When the token expires, Unix epoch milliseconds.' }),
  public_key: Type.String({ description: 'Public key (Ed25519, PEM) that verifies `store_token`.' }),
  push_token: Type.Optional(Type.String({ description: 'Push token of the device.' })),
  store_token: Type.String({ description: 'File token.' }),
  token: Type.String({ description: 'Access token: the value of the header `access-token` from now on.' }),
  user_id: Int64({ description: 'User ID.' }),
});

export const tokenById = {
  method: 'POST',
  path: '/token/id',
  summary: 'Token by user ID and password',
  body: Type.Object({ user_id: Int64({ description: 'User ID.' }), password, device_guid: deviceGuid }),
  data: tokenRecord,
} as const satisfies Operation;

export const tokenByLogin = {
  method: 'POST',
  path: '/token/login',
  summary: 'Token by login name and password',
  body: Type.Object({
    login_name: Type.String({
      maxLength: LOGIN_CHARACTERS_MAX,
      description: 'Mobile number, email or user name.',
    }),
    password,
    device_guid: deviceGuid,
  }),
  data: tokenRecord,
} as const satisfies Operation;

export const tokenByUser = {
  method: 'POST',
  path: '/token/user',
  summary: 'Token by user name and password',
  body: Type.Object({
    name: Type.String({ maxLength: LOGIN_CHARACTERS_MAX, description: 'User name.' }),
    password,
    device_guid: deviceGuid,
  }),
  data: tokenRecord,
} as const satisfies Operation;
