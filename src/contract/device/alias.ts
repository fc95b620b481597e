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
  summary: 'Name a device',
  description:
    'Sets the alias of a device; blank takes it away. Devices of one user may share an alias; an alias that a device of another user has is refused.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'alias'],
  body: Type.Object({
    alias: Type.Optional(Type.String({ ...aliasText, description: 'Alias, at most 64 bytes; blank: none.' })),
    push_token: deviceField,
  }),
  data: Type.Object({ alias: NullableText('The alias that the device has now.') }),
  problems: ['no-such-device', 'already-exists'],
  examples: [{ name: 'an alias', body: { alias: 'ada' }, data: { alias: 'ada' } }],
} as const satisfies Operation;
