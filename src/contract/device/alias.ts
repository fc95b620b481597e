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
    'Sets the alias of a device; a blank alias removes it. Devices of one user can share an alias. An alias that is used by a device of another user is rejected.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'alias'],
  body: Type.Object({
    alias: Type.Optional(Type.String({ ...aliasText, description: 'Alias, at most 64 bytes; blank means none.' })),
    push_token: deviceField,
  }),
  data: Type.Object({ alias: NullableText('Current alias of the device.') }),
  problems: ['no-such-device', 'already-exists'],
  examples: [{ name: 'an alias', body: { alias: 'ada' }, data: { alias: 'ada' } }],
} as const satisfies Operation;
