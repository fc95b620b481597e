import type { CallerName } from './callers.ts';
import type { Row } from './rows.ts';
import { ann } from './two-apps.ts';

const pushes: readonly CallerName[] = ['push', '*', 'an admin for a user', 'an admin for a group'];
const message = { body: 'ours' };

/** Uses a new draft. It belongs to the app and not to the group, so the group's admin cannot see it. */
function draftRequest(more: Readonly<Record<string, unknown>> = {}): Row {
  return {
    allowedCallers: ['push', '*', 'an admin for a user'],
    otherwise: { 'an admin for a group': 12012 },
    validRequest: async (ours) => ({ draft_id: await ours.newDraft(), ...more }),
    foreignRequests: ({ draftId }) => [{ body: { draft_id: draftId, ...more }, code: 12012 }],
  };
}

/** The operations on drafts, which no access token of a user can use. */
export const draftRows: Readonly<Record<string, Row>> = {
  '/push/draft/create': {
    allowedCallers: pushes,
    validRequest: () => ({ audience: { user_id: [ann.userId] }, message }),
    foreignRequests: ({ userId, pushToken, tag, alias }) =>
      [{ user_id: [userId] }, { push_token: [pushToken] }, { tag: [tag] }, { alias: [alias] }].map((audience) => ({
        body: { audience, message },
        code: 200,
      })),
  },
  '/push/draft/get': draftRequest(),
  '/push/draft/list': {
    allowedCallers: pushes,
    validRequest: () => ({}),
    foreignRequests: ({ draftId }) => [{ body: { after: draftId + 1_000_000n, limit: 3 }, code: 200 }],
  },
  '/push/draft/approve': draftRequest({ hold_seconds: 0 }),
  '/push/draft/reject': draftRequest({ reason: 'ours' }),
};
