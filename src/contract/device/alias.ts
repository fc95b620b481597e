import { Type } from 'typebox';
import { type Operation, STORABLE } from '../operation.ts';
import { deviceField, NullableText } from '../schemas/fields.ts';

const ALIAS_BYTES_MAX = 64;

export const aliasText = Type.String({
  minLength: 1,
  maxLength: ALIAS_BYTES_MAX,
  maxBytes: ALIAS_BYTES_MAX,
  pattern: STORABLE,
});

export const deviceAlias = {
  method: 'POST',
  path: '/device/alias',
  summary: 'Set the alias of a device',
  description:
    'A device has at most one alias. Devices of the same user can share an alias. If a device of another user has this alias, the call is rejected.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'alias'],
  body: Type.Object({
    alias: Type.Optional(
      Type.String({ ...aliasText, description: 'Alias, at most 64 bytes. Blank removes the alias.' }),
    ),
    push_token: deviceField,
  }),
  data: Type.Object({ alias: NullableText('Alias of the device after the call. Null if it has none.') }),
  problems: ['no-such-device', 'already-exists'],
  examples: [{ name: 'set an alias', body: { alias: 'ada' }, data: { alias: 'ada' } }],
} as const satisfies Operation;
