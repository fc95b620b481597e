import type { Carillon, PushNotifyRequest } from '../../../sdk/src/index.ts';

/** Time in which the operator can cancel a task before anything is sent. */
export const UNDO_SECONDS = 30;

/**
 * Sends a notification and returns its task. If the app requires the approval of large notifications, creates a draft
 * instead. Returns null if another operator must approve the draft.
 */
export async function send(api: Carillon, request: PushNotifyRequest): Promise<bigint | null> {
  const { approval_above } = await api.admin.app.get();
  if (approval_above === null) return (await api.push.notify(request)).task_id;
  const { draft_id, needs_approval } = await api.push.draft.create(request);
  return needs_approval ? null : (await api.push.draft.approve({ draft_id })).task_id;
}
