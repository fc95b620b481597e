import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { draftRecord, draftStates, exampleApproval, exampleDraft } from '../../schemas/draft-record.ts';
import { NullableInt64, PAGE_DEFAULT, pageFields } from '../../schemas/fields.ts';

export const pushDraftList = {
  method: 'POST',
  path: '/push/draft/list',
  summary: 'List drafts',
  description:
    'Returns the drafts that the caller can see, latest first, one page at a time. Drafts are listed for 7 days. Requires an admin token.',
  access: 'token',
  scope: 'push',
  reads: true,
  body: Type.Object({
    ...pageFields,
    limit: Type.Optional(
      // Each draft contains its whole request, which can have 256 KiB.
      Type.Integer({
        minimum: 1,
        maximum: PAGE_DEFAULT,
        default: PAGE_DEFAULT,
        description: `Maximum number of drafts in the response; ${PAGE_DEFAULT} by default.`,
      }),
    ),
    state: Type.Optional(
      Type.Union(
        draftStates.map((state) => Type.Literal(state)),
        { description: 'State of the drafts to return. Blank returns all.' },
      ),
    ),
  }),
  data: Type.Object({
    list: Type.Array(draftRecord, { description: 'Drafts.' }),
    next: NullableInt64('Value for `after` that returns older drafts. Null if there are none.'),
  }),
  problems: [],
  examples: [
    {
      name: 'approved drafts',
      body: { state: 'approved', limit: 1 },
      data: { list: [{ ...exampleDraft, ...exampleApproval }], next: 12 },
    },
  ],
} as const satisfies Operation;
