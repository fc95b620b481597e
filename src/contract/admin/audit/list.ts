import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import {
  NullableInt64,
  NullableText,
  orderField,
  pageFields,
  SHORT_PAGES,
  searchField,
  timeField,
  timeRangeFields,
} from '../../schemas/fields.ts';

export const adminAuditList = {
  method: 'POST',
  path: '/admin/audit/list',
  summary: 'List audit entries',
  description: `Returns the calls with admin tokens of this app and of operators that changed data or read a secret, and the calls with which users changed their password. The latest entry is first. An entry is written before the call runs, and is never changed. A call that creates an object has a second entry with the ID of the object. ${SHORT_PAGES} Entries are kept for 400 days.`,
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({
    ...pageFields,
    order: orderField,
    ...timeRangeFields('calls'),
    operation: searchField(
      'Only operations whose path starts with this text, such as `/admin/user/` or `/push/certificate`.',
    ),
    token_id: Type.Optional(
      Int64({ description: 'Only calls with this admin token. 0 returns the calls of operators and users.' }),
    ),
    operator_id: Type.Optional(Int64({ description: 'Only calls of this operator.' })),
    text: searchField('Only entries with this text in `detail`. Upper and lower case are the same.'),
    installation: Type.Optional(
      Type.Boolean({
        description:
          'True returns the calls that belong to no app instead, such as changes to operators, and sign-ins with OpenID Connect that changed the rights of an operator. Requires the scope `platform`. Default: false.',
      }),
    ),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        audit_id: Int64({ description: 'ID of the entry.' }),
        at: timeField('Time of the call'),
        token_id: Int64({ description: 'ID of the admin token. 0 for other callers.' }),
        token_name: Type.String({
          description:
            'Name of the admin token, or email address of the operator. `command on the server` for a command. Blank if a user made the call.',
        }),
        operator_id: NullableInt64('ID of the operator who made the call. Null for other callers.'),
        operator_name: NullableText('Current name of this operator. Null for other callers.'),
        operation: Type.String({ description: 'Path of the operation, or name of a command on the server.' }),
        detail: Type.String({
          description:
            'Request fields that identify the changed or read object, as a JSON string. It contains no secrets.',
        }),
        address: Type.String({ description: 'IP address of the caller. Blank for a command on the server.' }),
        result_of: NullableInt64(
          'ID of the entry that was written before the call ran. This entry adds the ID of the created object. Null for other entries.',
        ),
      }),
      { description: 'Recorded calls.' },
    ),
    next: NullableInt64('Value for `after` that returns the next page. Null if there are no more entries.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the latest entry',
      body: { limit: 1 },
      data: {
        list: [
          {
            audit_id: 12,
            at: 1794700800000,
            token_id: 1,
            token_name: 'operator',
            operator_id: null,
            operator_name: null,
            operation: '/push/certificate',
            detail: '{"provider":1,"environment":1}',
            address: '127.0.0.1',
            result_of: null,
          },
        ],
        next: 12,
      },
    },
    {
      name: 'changes of one user by one token',
      body: { operation: '/admin/user/', token_id: 1, text: '"user_id":42', order: 'oldest' },
      data: { list: [], next: null },
    },
  ],
} as const satisfies Operation;
