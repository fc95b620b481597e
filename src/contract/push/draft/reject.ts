import { Type } from 'typebox';
import { type Operation, STORABLE } from '../../operation.ts';
import { draftIdField } from '../../schemas/draft-record.ts';
import { emptyData } from '../../schemas/fields.ts';

export const pushDraftReject = {
  method: 'POST',
  path: '/push/draft/reject',
  summary: 'Reject a draft',
  description:
    'Ends a draft, so that it cannot be approved. Every admin who can see the draft can reject it, including its creator. You can repeat the call: the first reason stays. Requires an admin token.',
  access: 'token',
  scope: 'push',
  audit: ['draft_id'],
  body: Type.Object({
    draft_id: draftIdField,
    reason: Type.Optional(Type.String({ maxLength: 1_000, pattern: STORABLE, description: 'Reason for the creator.' })),
  }),
  data: emptyData,
  problems: ['no-such-draft', 'draft-decided'],
  examples: [{ name: 'with a reason', body: { draft_id: 12, reason: 'The price is wrong.' }, data: {} }],
} as const satisfies Operation;
