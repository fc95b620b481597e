import { Type } from 'typebox';
import { LARGE_BODY_BYTES_MAX, type Operation, STORABLE } from '../../operation.ts';
import { draftRecord, exampleDraft } from '../../schemas/draft-record.ts';
import { pushNotify } from '../notify.ts';

export const pushDraftCreate = {
  method: 'POST',
  path: '/push/draft/create',
  summary: 'Create a draft of a notification',
  description:
    'Checks a request of `/push/notify`, counts the devices of its audience, and stores it as a draft. Nothing is sent until `/push/draft/approve` is called. If the audience has more devices than the app setting `approval_above`, only another token can approve the draft. The same applies if a database was unavailable during the count. A draft is deleted after 7 days. If the same token repeats a request with a `request_id`, the first draft is returned. An app can have 1,000 open drafts. Access tokens of users cannot use drafts. An admin can see all drafts of the app, and a group admin those of the group.',
  access: 'token',
  scope: 'push',
  audit: [],
  auditResultField: 'draft_id',
  bodyBytesMax: LARGE_BODY_BYTES_MAX,
  checksFieldNames: true,
  body: Type.Object({
    ...pushNotify.body.properties,
    note: Type.Optional(Type.String({ maxLength: 1_000, pattern: STORABLE, description: 'Note for the approver.' })),
  }),
  data: draftRecord,
  problems: ['list-too-long', 'image-too-large', 'bad-time-window', 'too-many-requests', 'too-many-drafts'],
  examples: [
    {
      name: 'to all devices',
      body: {
        audience: 'all',
        message: { title: 'Summer sale', body: 'Everything is cheaper.' },
        note: 'For the start of the sale on Friday.',
      },
      data: exampleDraft,
    },
  ],
} as const satisfies Operation;
