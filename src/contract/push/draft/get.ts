import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { draftFields, draftIdField, exampleDraft } from '../../schemas/draft-record.ts';

export const pushDraftGet = {
  method: 'POST',
  path: '/push/draft/get',
  summary: 'Get a draft with its request',
  description: 'Returns a draft and the request of `/push/notify` that it contains. Requires an admin token.',
  access: 'token',
  scope: 'push',
  reads: true,
  body: Type.Object({ draft_id: draftIdField }),
  data: Type.Object({
    ...draftFields,
    request: Type.String({
      description: 'Request of `/push/notify` as a JSON string, with the default of each blank field.',
    }),
  }),
  problems: ['no-such-draft'],
  examples: [
    {
      name: 'one draft',
      body: { draft_id: 12 },
      data: {
        ...exampleDraft,
        request:
          '{"audience":"all","setting":{},"message":{"title":"Summer sale","body":"Everything is cheaper.","badge":"+1"}}',
      },
    },
  ],
} as const satisfies Operation;
