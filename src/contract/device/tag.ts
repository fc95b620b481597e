import { Type } from 'typebox';
import { type Operation, STORABLE } from '../operation.ts';
import { deviceField } from '../schemas/fields.ts';

export const TAGS_MAX = 100;
const TAG_BYTES_MAX = 64;

export const tagText = Type.String({
  minLength: 1,
  maxLength: TAG_BYTES_MAX,
  maxBytes: TAG_BYTES_MAX,
  pattern: STORABLE,
});

const tagList = (description: string) =>
  Type.Optional(Type.Array(tagText, { minItems: 1, maxItems: TAGS_MAX, description }));

export const deviceTag = {
  method: 'POST',
  path: '/device/tag',
  summary: 'Change the tags of a device',
  description:
    'The call first applies `clear`, then `remove`, then `add`. A device can have at most 100 tags of at most 64 bytes each. A request that would exceed this limit is rejected and changes nothing. A request without these three fields only returns the tags.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token'],
  body: Type.Object({
    add: tagList('Tags to add.'),
    remove: tagList('Tags to remove.'),
    clear: Type.Optional(Type.Boolean({ default: false, description: 'Whether all existing tags are removed first.' })),
    push_token: deviceField,
  }),
  data: Type.Object({
    tags: Type.Array(Type.String(), { description: 'Tags of the device after the call, sorted.' }),
  }),
  problems: ['no-such-device', 'list-too-long'],
  examples: [{ name: 'add two tags', body: { add: ['news', 'beta'] }, data: { tags: ['beta', 'news'] } }],
} as const satisfies Operation;
